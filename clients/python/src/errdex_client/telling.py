"""Which lines of a long log tell something: those that hold a needle, and of lines that differ in numbers the first.

A log says the same lines again and again but for their numbers, so what is looked through for needles is each such line
once, and of many of those the words, each once. It takes as long however many needles there are.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Iterable, NamedTuple

from errdex_client.data import read_data

# So many lines before and after a telling one are kept with it.
BEFORE, AFTER = 30, 12
# How often lines that differ only in numbers count as telling, and how many such shapes are remembered.
SAME, SHAPES = 4, 20_000
# Lines of one beginning of so many bytes are of one shape.
SHAPE = 300
# So many bytes are looked through for every needle; of more than these first their words are taken.
FEW = 16 * 1024
_DIGITS = b"0123456789"
# A word is letters, those of other alphabets among them; and one of these letters alone is left of a number, of which
# each line of a service may have another.
_APART = bytes(byte if byte >= 128 or chr(byte).isalpha() else 32 for byte in range(256))
_HEXADECIMAL = b"abcdefABCDEF"


class Found(NamedTuple):
    """What is to be kept of a text: windows (start and end, in order), and so many lines before it and after it.

    `shapes` says how often each shape was among its telling lines.
    """

    windows: list[tuple[int, int]]
    before: int
    after: int
    shapes: dict[bytes, int]

    @property
    def size(self) -> int:
        """The characters in the windows."""
        return sum(end - start for start, end in self.windows)


class Telling:
    """Looks for telling lines in one text after the other, and remembers which it has met."""

    def __init__(self) -> None:
        self._shapes: dict[bytes, int] = {}
        # These lines tell nothing: they hold no needle, or were met often enough.
        self._quiet: set[bytes] = set()
        # No other needles stand in the long lines of the last two texts.
        self._met: tuple[list[bytes], list[bytes]] = ([], [])

    def look(self, text: str) -> Found:
        """Return what is to be kept of a text, whose lines are not counted yet."""
        lines = text.encode("utf-8", "surrogatepass").translate(None, _DIGITS).split(b"\n")
        fresh = set(lines) - self._quiet
        joined = b"\n".join(fresh)
        hold, met = _with_needles(joined, _sought(joined))
        self._met = (self._met[1], met)
        self._hush(fresh - hold)
        counted: dict[bytes, int] = {}
        numbers: list[int] = []
        if hold:
            for number, line in enumerate(lines):
                if line not in hold:
                    continue
                shape = line[:SHAPE]
                here = counted.get(shape, 0)
                if here + self._shapes.get(shape, 0) < SAME:
                    counted[shape] = here + 1
                    numbers.append(number)
        return _windows(text, numbers, counted) if numbers else Found([], 0, 0, counted)

    def places(self, text: str, start: int, end: int) -> Iterable[int]:
        """Yield a place of each needle in a stretch of what was looked through last that holds it."""
        for needle in {*self._met[0], *self._met[1]}:
            at = text.find(needle.decode(), start, end)
            if at >= 0:
                yield at

    def count(self, found: Found) -> None:
        """Remember what was found."""
        for shape, times in found.shapes.items():
            seen = self._shapes.get(shape, 0)
            if seen or len(self._shapes) < SHAPES:
                self._shapes[shape] = seen + times
                if seen + times >= SAME:
                    self._hush([shape])

    def _hush(self, lines: Iterable[bytes]) -> None:
        if len(self._quiet) > SHAPES:
            # What is met again is soon known again.
            self._quiet.clear()
        self._quiet.update(line for line in lines if len(line) < SHAPE)


def _windows(text: str, numbers: list[int], counted: dict[bytes, int]) -> Found:
    """Return the windows around lines of a text, by their numbers (from 0)."""
    begins = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    count = len(begins) - (2 if text.endswith("\n") else 1)
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number - BEFORE <= ranges[-1][1]:
            ranges[-1][1] = number + AFTER + 1
        else:
            ranges.append([max(0, number - BEFORE), number + AFTER + 1])
    windows = [(begins[low], min(len(text), begins[min(high, count)])) for low, high in ranges]
    return Found(windows, max(0, BEFORE - numbers[0]), max(0, ranges[-1][1] - count), counted)


def _with_needles(joined: bytes, sought: list[bytes]) -> tuple[set[bytes], list[bytes]]:
    """Return those lines of a text that hold a needle, and the needles that some line holds."""
    found: set[bytes] = set()
    met: list[bytes] = []
    for needle in sought:
        at = joined.find(needle)
        if at >= 0:
            met.append(needle)
        while at >= 0:
            end = joined.find(b"\n", at)
            end = len(joined) if end < 0 else end
            found.add(joined[joined.rfind(b"\n", 0, at) + 1 : end])
            at = joined.find(needle, end)
    return found, met


def _sought(joined: bytes) -> list[bytes]:
    """Return the needles that may stand in a text: those of which some word stands in one of its words."""
    if len(joined) <= FEW:
        return [needle for needle, _ in _words()]
    vocabulary = b"\n".join(word for word in set(joined.translate(_APART).split()) if word.strip(_HEXADECIMAL))
    return [needle for needle, word in _words() if word in vocabulary]


@lru_cache(maxsize=None)
def needles() -> tuple[str, ...]:
    """Return the texts that make a line telling."""
    return tuple(read_data("needles.json"))


@lru_cache(maxsize=None)
def _words() -> tuple[tuple[bytes, bytes], ...]:
    """Return each needle, as it stands in a line without digits, with its longest word; an empty one is in any text."""
    plain = (needle.encode().translate(None, _DIGITS) for needle in needles())
    return tuple((needle, _longest(needle)) for needle in plain if needle.strip())


def _longest(needle: bytes) -> bytes:
    words = (word for word in needle.translate(_APART).split() if word.strip(_HEXADECIMAL))
    return max(words, key=len, default=b"")
