"""What was seen of each message beside its text: who printed it, when and how, and by which lines printers went on."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.matching.model import Moment

Printer = tuple[str, ...]
_NUMBER = re.compile(r"\d+")
# messages that may take turns and still count as one that comes in a row
MOST_IN_TURN = 4


@dataclass(slots=True)
class Event:
    """What was seen of a message beside its text.

    `printer` is who printed it as a path, empty where nobody is named. `level` is the logger's ("error", "warning",
    "log" or ""). `stated` says that its type stands inside a sentence. Errors of one `chain` (0: none) were raised from
    each other; `reraised` that another one of the chain, printed later, is its origin. `stamp` is the time on the line,
    or on the lines of its printer directly above it. `traced` says that a stack of another language stands below it.
    `unlisted` says that no list file has anything for its first line, so that none need be asked; it may have nothing
    for others too.
    """

    printer: Printer = ()
    level: str = ""
    stated: bool = False
    chain: int = 0
    reraised: bool = False
    stamp: Moment | None = None
    traced: bool = False
    unlisted: bool = False


@dataclass(slots=True)
class Ordinary:
    """Lines by which printers went on with their work: their numbers and times, by printer, in order."""

    lines: dict[Printer, list[tuple[int, Moment | None]]] = field(default_factory=dict)

    def add(self, printer: Printer, line: int, time: Moment | None) -> None:
        """Take the next ordinary line."""
        self.lines.setdefault(printer, []).append((line, time))

    def after(self, printer: Printer, line: int) -> list[tuple[int, Moment | None]]:
        """Return the lines of a printer, or of one inside or around it, behind a line."""
        return [
            row
            for other, rows in self.lines.items()
            if same_printer(printer, other)
            for row in rows[_behind(rows, line) :]
        ]

    def between(self, printer: Printer, first: int, last: int) -> bool:
        """Tell whether a printer went on between two lines."""
        for other, rows in self.lines.items():
            at = _behind(rows, first)
            if at < len(rows) and rows[at][0] < last and same_printer(printer, other):
                return True
        return False


def _behind(rows: Sequence[tuple[int, Moment | None]], line: int) -> int:
    """Return where the rows begin that stand behind a line: a tuple of its number alone is less than any of them."""
    return bisect_left(rows, (line + 1,))


class Rows:
    """Counts how often a message came in a row, alone or with a few others in turn."""

    def __init__(self) -> None:
        self._count = 0
        # by the place of a message: when it came last, and how often in a row
        self._last: dict[int, tuple[int, int]] = {}

    def first(self, place: int) -> None:
        """Take a message that was not seen before."""
        self._count += 1
        self._last[place] = self._count, 1

    def again(self, place: int, is_equal: bool) -> int:
        """Take a message that was seen before, to the letter or not, and return how often in a row it was by now."""
        self._count += 1
        last, row = self._last[place]
        row = row + 1 if is_equal and self._count - last <= MOST_IN_TURN else 1
        self._last[place] = self._count, row
        return row


def same_printer(one: Printer, other: Printer) -> bool:
    """Tell whether two paths name the same printer as far as both are told; nobody is not somebody."""
    if one == other:
        return True
    shared = min(len(one), len(other))
    return shared > 0 and one[:shared] == other[:shared]


def siblings(one: Printer, other: Printer) -> bool:
    """Tell whether two printers are alike but for numbers: ranks, replicas and workers of one kind fail together."""
    return bool(one) and [_NUMBER.sub("", name) for name in one] == [_NUMBER.sub("", name) for name in other]


def comparable(one: Moment | None, other: Moment) -> bool:
    """Tell whether two moments can be compared: both with a day, or both without."""
    return one is not None and (one[0] == 0) == (other[0] == 0)


def apart(one: Moment | None, other: Moment | None) -> float | None:
    """Return the seconds from one moment to the other; None where they cannot be compared."""
    if one is None or other is None or not comparable(one, other):
        return None
    return seconds(other) - seconds(one)


def seconds(moment: Moment) -> float:
    """Return a moment as seconds, comparable with others by `comparable`."""
    return moment[0] * 86_400 + moment[1]
