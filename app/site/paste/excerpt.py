"""The telling lines of a paste: marked, with a few lines around them, the rest folded.

A page stays small whatever is pasted: open lines are counted in lines and characters, folded ones by what they weigh.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.matching.model import Span

CONTEXT = 3
LONGEST_LINE = 500
_LEAD = 100
_TOO_FEW_TO_FOLD = 3
# All open lines together have at most so many characters.
MOST_SHOWN = 16_000
# All folded lines together weigh at most so many bytes, compressed. Each line adds seven bytes of markup to its text.
HEAVIEST_FOLDED = 12 * 1024
_LINE_WEIGHT = 7
# Folded text of more characters is taken to weigh so much, without being compressed.
_TOO_LONG = 256 * 1024


class Piece(NamedTuple):
    """A run of characters of a line."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One line of the paste; `number` counts from 1. An overlong line is cut around its first mark."""

    number: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring lines: `count` in the paste. It holds all of them if it is `folded` and not too heavy, else none;
    of open ones the first."""

    lines: tuple[ExcerptLine, ...]
    count: int
    folded: bool


class _Range(NamedTuple):
    """Whole lines of the text: characters `[start, end)` without the last line feed, and the first and last number."""

    start: int
    end: int
    first: int
    last: int


def weight(text: str) -> int:
    """Return about how many bytes a text adds to a compressed page."""
    return len(zlib.compress(text.encode("utf-8", "replace"), 1))


def excerpt(
    text: str,
    spans: Iterable[Span],
    *,
    visible: int = 100,
    folded: int = HEAVIEST_FOLDED,
    context: int = CONTEXT,
    longest: int = LONGEST_LINE,
) -> tuple[Stretch, ...]:
    """Return what to show of `text` so that every span is seen: at most `visible` open lines of `longest` characters.

    What lies between is folded: the lighter gaps whole, as many as weigh at most `folded` together; of the others only
    the lines are counted. Without spans the beginning of the text is shown.
    """
    text = text.rstrip()
    marks = _merged(spans, len(text))
    shown = list(_ranges(text, marks, context, visible)) or [_around(text, 0, 0, 1, 2 * context)]
    parts = list(_with_gaps(text, shown))
    whole = _light_enough(text, [part for part, is_gap in parts if is_gap], folded)
    room = MOST_SHOWN
    stretches: list[Stretch] = []
    for part, is_gap in parts:
        if is_gap:
            lines = _lines(text, part, (), part.last - part.first + 1) if part in whole else ()
        else:
            lines = _lines(text, part, marks, visible, longest=min(longest, max(room, _LEAD)))
            visible -= len(lines)
            room -= sum(len(piece.text) for line in lines for piece in line.pieces)
        count = part.last - part.first + 1
        stretches.append(Stretch(lines, count, folded=is_gap and (count > _TOO_FEW_TO_FOLD or not lines)))
    return tuple(stretches)


def _with_gaps(text: str, shown: Sequence[_Range]) -> Iterator[tuple[_Range, bool]]:
    """Yield what is shown and the gaps between, in order; whether it is a gap."""
    past = _Range(0, -1, 1, 0)
    for part in [*shown, None]:
        if gap := _between(text, past, part):
            yield gap, True
        if part:
            yield part, False
            past = part


def _light_enough(text: str, gaps: Sequence[_Range], most: int) -> set[_Range]:
    """Return the lightest gaps that weigh at most `most` together."""
    weights = [(_gap_weight(text, gap), gap) for gap in gaps]
    found: set[_Range] = set()
    for heavy, gap in sorted(weights):
        most -= heavy
        if most < 0:
            break
        found.add(gap)
    return found


def _gap_weight(text: str, gap: _Range) -> int:
    count = gap.last - gap.first + 1
    own = weight(text[gap.start : gap.end]) if gap.end - gap.start <= _TOO_LONG else _TOO_LONG
    # So few lines are shown rather than folded, so they add nothing to the weight of what is folded.
    return own + _LINE_WEIGHT * count if count > _TOO_FEW_TO_FOLD else 0


def _merged(spans: Iterable[Span], length: int) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted((max(0, start), min(end, length)) for start, end in spans):
        if start >= end:
            continue
        if found and start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(end, found[-1].end))
        else:
            found.append(Span(start, end))
    return found


def _ranges(text: str, marks: Sequence[Span], context: int, most: int) -> Iterator[_Range]:
    """Yield the lines around the marks, neighbours joined, `most` lines in all."""
    current: _Range | None = None
    counted_to, number = 0, 1
    for mark in marks:
        number += text.count("\n", counted_to, mark.start)
        counted_to = mark.start
        part = _around(text, mark.start, mark.end, number, context)
        if current and part.first <= current.last + _TOO_FEW_TO_FOLD:
            current = _Range(current.start, max(part.end, current.end), current.first, max(part.last, current.last))
        else:
            if current:
                yield current
                most -= current.last - current.first + 1
            current = part
        if most <= current.last - current.first + 1:
            break
    if current:
        yield current


def _around(text: str, start: int, end: int, number: int, context: int) -> _Range:
    low, first = text.rfind("\n", 0, start) + 1, number
    for _ in range(context):
        if low == 0:
            break
        low, first = text.rfind("\n", 0, low - 1) + 1, first - 1
    last = number + text.count("\n", start, max(start, end - 1))
    high = _line_end(text, max(start, end - 1))
    for _ in range(context):
        if high == len(text):
            break
        high, last = _line_end(text, high + 1), last + 1
    return _Range(low, high, first, last)


def _line_end(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found


def _between(text: str, past: _Range, part: _Range | None) -> _Range | None:
    start = past.end + 1
    end = part.start - 1 if part else len(text)
    first = past.last + 1
    if start > end or (start == end and start >= len(text)):
        return None
    last = part.first - 1 if part else first + text.count("\n", start, end)
    return _Range(start, end, first, last)


def _lines(
    text: str, part: _Range, marks: Sequence[Span], most: int, *, longest: int = LONGEST_LINE
) -> tuple[ExcerptLine, ...]:
    found: list[ExcerptLine] = []
    low, number = part.start, part.first
    while number <= part.last and len(found) < most:
        high = _line_end(text, low)
        found.append(ExcerptLine(number, _pieces(text, low, high, marks, longest)))
        low, number = high + 1, number + 1
    return tuple(found)


def _pieces(text: str, low: int, high: int, marks: Sequence[Span], longest: int) -> tuple[Piece, ...]:
    own = [Span(max(low, mark.start), min(high, mark.end)) for mark in marks if mark.start < high and mark.end > low]
    left = low if high - low <= longest or not own else max(low, own[0].start - min(_LEAD, longest // 3))
    right = min(high, left + longest)
    pieces = [Piece("…", False)] if left > low else []
    at = left
    for start, end in own:
        if start >= right:
            break
        pieces += [Piece(text[at:start], False), Piece(text[start : min(end, right)], True)]
        at = min(end, right)
    pieces += [Piece(text[at:right], False), Piece("…" if right < high else "", False)]
    return tuple(piece for piece in pieces if piece.text)
