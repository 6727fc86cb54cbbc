"""Message patterns with `<*>` holes, and how much of a pattern a message shows."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from app.matching.knowledge import weights, word_table
from app.matching.tokens import NUMBER, ZERO, Token, tokens, words

HOLE = "<*>"
_NUMBERS = {NUMBER: 0.12, ZERO: 0.5}
_HAN_WEIGHT = 0.25


@lru_cache(maxsize=65_536)
def word_weight(word: str) -> float:
    """Return how telling a word is in a message, from 0 to 1; a constant of the word, whatever the entries are."""
    if word in _NUMBERS:
        return _NUMBERS[word]
    if len(word) == 1:
        return 0.05 if word.isascii() else _HAN_WEIGHT
    return word_table("message_words.tsv").get(word, 1.0)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: its chunks between holes as tokens, all tokens, their weights and the sum of these."""

    text: str
    weak: bool
    unconfirmed: bool
    chunks: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float


def compile_pattern(text: str, weak: bool = False, unconfirmed: bool = False) -> Pattern:
    """Return the compiled form of a pattern."""
    chunks = tuple(tuple(found) for part in text.split(HOLE) if (found := words(part)))
    return from_chunks(text, chunks, weak, unconfirmed)


def from_chunks(text: str, chunks: tuple[tuple[str, ...], ...], weak: bool, unconfirmed: bool) -> Pattern:
    """Return the compiled form of a pattern whose chunks between holes are known as tokens."""
    flat = tuple(word for chunk in chunks for word in chunk)
    measured = tuple(map(word_weight, flat))
    return Pattern(text, weak, unconfirmed, chunks, flat, measured, sum(measured))


def heads(pattern: Pattern) -> frozenset[str]:
    """Return the most telling words of a pattern: a text that holds none of them cannot show enough of it.

    They are the fewest words, the heaviest first, without which less than `least_coverage` of its weight is left.
    """
    by_word: dict[str, float] = {}
    for word, weight in zip(pattern.words, pattern.weights, strict=True):
        by_word[word] = by_word.get(word, 0.0) + weight
    spare = (1 - weights()["message"]["least_coverage"]) * pattern.total
    found: set[str] = set()
    for word in sorted(by_word, key=lambda word: (-by_word[word], word)):
        found.add(word)
        spare -= by_word[word]
        if spare < 0:
            break
    return frozenset(found)


@dataclass(frozen=True)
class Read:
    """A message of the paste as words; `joined` is them with single spaces, for exact search.

    `mended` says that words which a line break cut in two are read as one.
    """

    text: str
    words: tuple[str, ...]
    joined: str
    mended: bool

    @cached_property
    def tokens(self) -> list[Token]:
        """The words with their places; few messages are ever asked for them."""
        return _mended(self.text) if self.mended else tokens(self.text)


_BROKEN_WORD = re.compile(r"(?<=[A-Za-z_])\n(?=[A-Za-z_])")


def reads(text: str) -> tuple[Read, ...]:
    """Return a message's words; where a line may have been cut within a word, also as if it had not been."""
    plain = _read(text, words(text), mended=False)
    if "\n" not in text or _BROKEN_WORD.search(text) is None:
        return (plain,)
    return plain, _read(text, [token.text for token in _mended(text)], mended=True)


def _read(text: str, said: list[str], mended: bool) -> Read:
    return Read(text, tuple(said), f" {' '.join(said)} ", mended)


def _mended(text: str) -> list[Token]:
    breaks = {match.start() for match in _BROKEN_WORD.finditer(text)}
    mended: list[Token] = []
    for token in tokens(text):
        if mended and mended[-1].end in breaks and mended[-1].end + 1 == token.start:
            mended[-1] = Token(mended[-1].text + token.text, mended[-1].start, token.end)
        else:
            mended.append(token)
    return mended


class Fit(NamedTuple):
    """How a pattern fits a message: the weighted share of its words that are there in order (0–1, gaps paid for), the
    summed weight of those words, and the ranges of characters of the message that they cover."""

    coverage: float
    weight: float
    ranges: tuple[tuple[int, int], ...]


def fit(pattern: Pattern, message: Read) -> Fit | None:
    """Compare a pattern with a message; None when too little of it is there. Linear when the pattern is there whole."""
    if not pattern.words or pattern.total <= 0:
        return None
    exact = _exact(pattern, message)
    return exact if exact is not None else _in_order(pattern, message)


def _exact(pattern: Pattern, message: Read) -> Fit | None:
    at = 0
    ranges: list[tuple[int, int]] = []
    for chunk in pattern.chunks:
        needle = f" {' '.join(chunk)} "
        found = message.joined.find(needle, at)
        if found < 0:
            return None
        first = message.joined.count(" ", 0, found)
        ranges.append((message.tokens[first].start, message.tokens[first + len(chunk) - 1].end))
        at = found + len(needle) - 1
    return Fit(1.0, pattern.total, tuple(ranges))


def _in_order(pattern: Pattern, message: Read) -> Fit | None:
    knobs = weights()["message"]
    ends = _chunk_ends(pattern)
    found = 0.0
    gaps = 0
    ranges: list[tuple[int, int]] = []
    last_word = last_token = -1
    for block in LCSseq.opcodes(pattern.words, message.words):
        if block.tag != "equal":
            continue
        for step in range(block.src_end - block.src_start):
            word, place = block.src_start + step, block.dest_start + step
            found += pattern.weights[word]
            same_chunk = last_word >= 0 and not any(last_word < end <= word for end in ends)
            jump = place - last_token - 1
            if same_chunk and jump > 0:
                gaps += min(jump, 6)
            token = message.tokens[place]
            if ranges and jump == 0:
                ranges[-1] = (ranges[-1][0], token.end)
            else:
                ranges.append((token.start, token.end))
            last_word, last_token = word, place
    coverage = found / pattern.total - knobs["gap_cost"] * gaps
    if coverage < knobs["least_coverage"]:
        return None
    return Fit(coverage, found, tuple(ranges))


def _chunk_ends(pattern: Pattern) -> tuple[int, ...]:
    ends: list[int] = []
    at = 0
    for chunk in pattern.chunks:
        at += len(chunk)
        ends.append(at)
    return tuple(ends)
