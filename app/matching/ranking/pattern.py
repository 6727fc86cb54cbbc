"""Message patterns with holes, and how much of a pattern a message shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from app.matching.ranking.holes import Bound, bounds, literals
from app.matching.text.rules import weights, word_table
from app.matching.text.tokens import NUMBER, ZERO, Token, places, tokens, words

_NUMBERS = {NUMBER: "number", ZERO: "zero"}
# A metric that is printed with one of these is an error, while the same metric with a number is of a healthy run.
_MUSTS = frozenset(("nan", "inf"))
# the exception type that a pattern begins with
_TYPED = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?:\([\w.]+\))?:\s+")
# different words that a pattern must have beside its type to be sought without it
FEWEST_WORDS = 3


@lru_cache(maxsize=65_536)
def word_weight(word: str) -> float:
    """Return how telling a word is in a message, from 0 to 1; a constant of the word, whatever the entries are."""
    knobs = weights()["message"]
    if word in _NUMBERS:
        return float(knobs[_NUMBERS[word]])
    if len(word) == 1:
        return float(knobs["letter" if word.isascii() else "han"])
    return word_table("message_word_weights.tsv").get(word, 1.0)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: its words with their weights, the sum of these, and in which chunk between holes each stands.

    `needles` are the chunks as `Read.joined` would hold them, with the number of their words; `by_word` is the weight
    of each different word, all its places together, the heaviest first. `musts` are words without which it says
    something else, and so it does unless the numbers of the message hold to `bounds`. `bare` says that it is another
    pattern without its exception type.
    """

    text: str
    weak: bool
    unconfirmed: bool
    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float
    chunk_of: tuple[int, ...]
    needles: tuple[tuple[str, int], ...]
    by_word: tuple[tuple[str, float], ...]
    musts: frozenset[str]
    bounds: tuple[Bound, ...]
    bare: bool = False


@lru_cache(maxsize=256)
def chunks_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a pattern, those between two holes together."""
    return tuple(tuple(found) for part in literals(text) if (found := words(part)))


def compile_pattern(
    text: str, weak: bool = False, unconfirmed: bool = False, chunks: tuple[tuple[str, ...], ...] | None = None
) -> Pattern:
    """Return the compiled form of a pattern; `chunks` are its words where they are known already."""
    chunks = chunks_of(text) if chunks is None else chunks
    flat = tuple(word for chunk in chunks for word in chunk)
    measured = tuple(map(word_weight, flat))
    by_word: dict[str, float] = {}
    for word, weight in zip(flat, measured, strict=True):
        by_word[word] = by_word.get(word, 0.0) + weight
    return Pattern(
        text,
        weak,
        unconfirmed,
        flat,
        measured,
        sum(measured),
        tuple(place for place, chunk in enumerate(chunks) for _ in chunk),
        tuple((f" {' '.join(chunk)} ", len(chunk)) for chunk in chunks),
        tuple(sorted(by_word.items(), key=lambda pair: (-pair[1], pair[0]))),
        _MUSTS.intersection(by_word),
        bounds(text),
    )


def without_type(pattern: Pattern) -> Pattern | None:
    """Return a pattern without its exception type, for lines of a logger that leaves the type out; None where what is
    left says too little, or nothing is left out.
    """
    typed = _TYPED.match(pattern.text)
    if typed is None or pattern.weak:
        return None
    left = compile_pattern(pattern.text[typed.end() :], pattern.weak, pattern.unconfirmed)
    says = left.total >= float(weights()["message"]["untyped_least"]) and len(left.by_word) >= FEWEST_WORDS
    return replace(left, bare=True) if says else None


def heads(pattern: Pattern) -> frozenset[str]:
    """Return the most telling words of a pattern: a text that holds none of them cannot show enough of it.

    They are the fewest words, the heaviest first, without which less than `least_coverage` of its weight is left.
    """
    spare = (1 - weights()["message"]["least_coverage"]) * pattern.total
    found: set[str] = set()
    for word, weight in pattern.by_word:
        found.add(word)
        spare -= weight
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
    def places(self) -> list[tuple[int, int]]:
        """Where each word begins and ends in the text; few messages are ever asked for it."""
        return [(token.start, token.end) for token in _mended(self.text)] if self.mended else places(self.text)


_BROKEN_WORD = re.compile(r"(?<=[A-Za-z_])\n(?=[A-Za-z_])")


def reads(text: str) -> tuple[Read, ...]:
    """Return a message's words; where a line may have been cut within a word, also as if it had not been."""
    plain = _read(text, words(text), mended=False)
    if "\n" not in text or _BROKEN_WORD.search(text) is None:
        return (plain,)
    return plain, _read(text, words(_BROKEN_WORD.sub("", text)), mended=True)


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
    """How a pattern fits a message: the weighted share of its words that are there in order (0–1, gaps paid for), and
    the summed weight of those words.

    `runs` are the words that were found: where one or several in a row begin, and how many. They begin at a word, or,
    with `whole`, at a character of `Read.joined`.
    """

    coverage: float
    weight: float
    message: Read
    runs: tuple[tuple[int, int], ...]
    whole: bool

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The ranges of characters of the message that the words cover; only what is shown is asked for it."""
        places = self.message.places
        first = self.message.joined.count if self.whole else None
        found: list[tuple[int, int]] = []
        for at, length in self.runs:
            start = first(" ", 0, at) if first else at
            found.append((places[start][0], places[start + length - 1][1]))
        return tuple(found)


def fit(pattern: Pattern, message: Read) -> Fit | None:
    """Compare a pattern with a message; None when too little of it is there. Linear when the pattern is there whole."""
    if not pattern.words or pattern.total <= 0:
        return None
    found = _exact(pattern, message) or _in_order(pattern, message)
    if found and not all(bound.holds(message.text, message.words, message.places) for bound in pattern.bounds):
        return None
    return found


def _exact(pattern: Pattern, message: Read) -> Fit | None:
    at = 0
    found: list[tuple[int, int]] = []
    for needle, length in pattern.needles:
        place = message.joined.find(needle, at)
        if place < 0:
            return None
        found.append((place, length))
        at = place + len(needle) - 1
    return Fit(1.0, pattern.total, message, tuple(found), whole=True)


def _in_order(pattern: Pattern, message: Read) -> Fit | None:
    knobs = weights()["message"]
    pairs = [
        (block.src_start + step, block.dest_start + step)
        for block in LCSseq.opcodes(pattern.words, message.words)
        if block.tag == "equal"
        for step in range(block.src_end - block.src_start)
    ]
    if pattern.musts and not pattern.musts <= {pattern.words[word] for word, _ in pairs}:
        return None
    found = 0.0
    gaps = 0
    last_chunk, last_place = -1, -1
    for word, place in pairs:
        found += pattern.weights[word]
        jump = place - last_place - 1
        if jump > 0 and pattern.chunk_of[word] == last_chunk:
            gaps += min(jump, knobs["widest_gap"])
        last_chunk, last_place = pattern.chunk_of[word], place
    coverage = found / pattern.total - knobs["gap_cost"] * gaps
    if coverage < knobs["least_coverage"]:
        return None
    return Fit(coverage, found, message, _runs([place for _, place in pairs]), whole=False)


def _runs(found: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the runs of neighbours among the places of words: where each begins, and how many words it has."""
    runs: list[tuple[int, int]] = []
    for place in found:
        if runs and place == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return tuple(runs)
