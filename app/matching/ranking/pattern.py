"""Message patterns with holes, and how much of a pattern a message shows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from app.matching.ranking.holes import Bound, bounds, literals
from app.matching.text.rules import weights, word_table
from app.matching.text.tokens import NUMBER, ZERO, Token, places, stem, tokens, words

_NUMBERS = {NUMBER: "number", ZERO: "zero"}
# Sums of the same weights in another order differ by less than this.
ROUNDING = 1e-9
# A metric that is printed with one of these is an error, while the same metric with a number is of a healthy run.
MUSTS = frozenset(("nan", "inf"))
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


@dataclass(frozen=True)
class Pattern:
    """A compiled pattern: the words between its holes, all of them with their weights, and the sum of these.

    `by_word` is the weight of each different word, all its places together, the heaviest first. `bare` says that it is
    another pattern without its exception type. What only a message with enough of these words is compared by is made
    when the first one is: most patterns never meet any.
    """

    text: str
    weak: bool
    unconfirmed: bool
    chunks: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float
    by_word: tuple[tuple[str, float], ...]
    bare: bool = False

    @cached_property
    def chunk_of(self) -> tuple[int, ...]:
        """In which chunk between holes each word stands."""
        return tuple([place for place, chunk in enumerate(self.chunks) for _ in chunk])

    @cached_property
    def needles(self) -> tuple[tuple[str, int], ...]:
        """The chunks as `Read.joined` would hold them, with the number of their words."""
        return tuple([(f" {' '.join(chunk)} ", len(chunk)) for chunk in self.chunks])

    @cached_property
    def musts(self) -> frozenset[str]:
        """Words without which a message says something else."""
        return MUSTS.intersection(self.words)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """What the numbers of a message must hold to."""
        return bounds(self.text)

    @cached_property
    def values(self) -> tuple[tuple[str, str], ...]:
        """The names that it gives a value: a message with others contradicts it."""
        return _values(self.text)

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """Its names in quotes, each with the first quote: a message with others contradicts it."""
        return tuple([found.group().lower() for found in _QUOTED.finditer(self.text)])


@lru_cache(maxsize=256)
def chunks_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a pattern, those between two holes together."""
    return tuple(tuple(found) for part in literals(text) if (found := words(part)))


def compile_pattern(
    text: str, weak: bool = False, unconfirmed: bool = False, chunks: tuple[tuple[str, ...], ...] | None = None
) -> Pattern:
    """Return the compiled form of a pattern; `chunks` are its words where they are known already."""
    chunks = chunks_of(text) if chunks is None else chunks
    flat = tuple(chain.from_iterable(chunks))
    measured = tuple(map(word_weight, flat))
    by_word: dict[str, float] = {}
    for word, weight in zip(flat, measured, strict=True):
        by_word[word] = by_word.get(word, 0.0) + weight
    heaviest = tuple(sorted(by_word.items(), key=lambda pair: (-pair[1], pair[0])))
    return Pattern(text, weak, unconfirmed, chunks, flat, measured, sum(measured), heaviest)


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


# a name with a word as its value, the number of an error, the package that an installer looked for, and the argument,
# attribute or name that Python does not know; other numbers differ between two prints of one error
_VALUE = re.compile(
    r"\b([A-Za-z_]\w{1,40})=([A-Za-z]\w{1,40})|\b(error|errno|code|signal)\b\W{1,3}(\d{1,9})\b"
    r"|\b(requirement|distribution found for) ([A-Za-z][\w-]{1,40})"
    r"|\b(keyword argument|has no attribute|cannot import name) ['\"`]([A-Za-z_][\w.]{1,80})"
    r"|\b(from versions): (\w{1,40})",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(['\"`])\w[\w.-]{1,80}(?=\1)")
# the same words are raised as another type by another release; types do not contradict each other word by word
_TYPE = re.compile(r"(?:error|exception|warning)$")


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
    if found and (pattern.values or pattern.quoted) and (others := _other_values(pattern, message)):
        knobs = weights()["message"]
        coverage = found.coverage - knobs["contradicts"] * others / pattern.total
        found = found._replace(coverage=coverage) if coverage >= knobs["least_coverage"] else None
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
    against = contradiction(pattern, message.words, pairs)
    coverage = (found - knobs["contradicts"] * against) / pattern.total - knobs["gap_cost"] * gaps
    if coverage < knobs["least_coverage"]:
        return None
    return Fit(coverage, found, message, _runs([place for _, place in pairs]), whole=False)


def contradiction(pattern: Pattern, said: Sequence[str], pairs: Sequence[tuple[int, int]]) -> float:
    """Return how far a message says something else where a pattern has words of its own, as summed word weight.

    `pairs` are the places of equal words in pattern and message. What is only missing contradicts nothing, nor does
    another form of a word. The earlier a word stands in the pattern, the more it counts: a message begins with what
    it is about.
    """
    power = weights()["message"]["late_power"]
    before = [0.0, *accumulate(pattern.weights)]
    against = 0.0
    for at, own, other in _differing(pattern, said, pairs):
        early = 1 - before[at] / pattern.total
        against += max(word_weight(own) if own else 0.0, word_weight(other)) * early**power
    return against


def _differing(
    pattern: Pattern, said: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, str, str]]:
    """Yield the places in a pattern where a message differs, with both words; "" of ours for an inserted one."""
    ends = [(-1, -1), *pairs, (len(pattern.words), len(said))]
    for (word, place), (next_word, next_place) in pairwise(ends):
        foreign = said[place + 1 : next_place]
        if not foreign:
            continue
        own = range(word + 1, next_word)
        joined = [at for at in own if word >= 0 and _together(pattern, at, word)]
        if joined:
            instead = list(zip(joined, foreign, strict=False))
        elif next_word < len(pattern.words) and own and _together(pattern, own[-1], next_word):
            instead = list(zip(reversed(own), reversed(foreign), strict=False))
        else:
            # holes on both sides: what fills them cannot be told from what stands for the words between them
            instead = [(at, foreign[-1]) for at in own[:1]]
        yield from ((at, pattern.words[at], other) for at, other in instead if _contradicts(pattern.words[at], other))
        if not own and word >= 0 and next_word < len(pattern.words) and _together(pattern, word, next_word):
            yield next_word, "", foreign[0]


def _contradicts(own: str, other: str) -> bool:
    """Tell whether a word is another one: no form of it, nothing longer that begins with it, and no exception type."""
    same = stem(own) == stem(other) or other.startswith(own) or own.startswith(other)
    return not same and not _TYPE.search(own) and not _TYPE.search(other)


def _values(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.lower(), value.lower())
        for found in _VALUE.findall(text)
        for name, value in zip(found[::2], found[1::2], strict=True)
        if name
    )


def _other_values(pattern: Pattern, message: Read) -> int:
    """Return how many of the named values of a pattern a message has otherwise only, and how many of its quoted names
    only as the beginning of a longer one, such as the module before a dot.
    """
    shown: dict[str, set[str]] = {}
    for name, value in _values(message.text):
        shown.setdefault(name, set()).add(value)
    others = sum(name in shown and value not in shown[name] for name, value in pattern.values)
    text = message.text.lower() if pattern.quoted else ""
    return others + sum(f"{name}{name[0]}" not in text and f"{name}." in text for name in pattern.quoted)


def _together(pattern: Pattern, one: int, other: int) -> bool:
    """Tell whether no hole stands between two words of a pattern."""
    return pattern.chunk_of[one] == pattern.chunk_of[other]


def _runs(found: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the runs of neighbours among the places of words: where each begins, and how many words it has."""
    runs: list[tuple[int, int]] = []
    for place in found:
        if runs and place == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return tuple(runs)
