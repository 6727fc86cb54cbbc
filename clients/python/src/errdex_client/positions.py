"""From the text that was sent back to the text that the user has."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple


class Stretch(NamedTuple):
    """So many characters that stand at `new` in one text and at `old` in the other, unchanged."""

    new: int
    old: int
    length: int


class Stretches:
    """The stretches that a text shares with the text that it was made from, in order."""

    def __init__(self) -> None:
        self._rows: list[Stretch] = []
        self._starts: list[int] = []

    def add(self, new: int, old: int, length: int) -> None:
        """Take the next stretch; it may be empty, and then marks where something ended."""
        self._rows.append(Stretch(new, old, length))
        self._starts.append(new)

    def start(self, at: int) -> int:
        """Return where a span begins in the old text that begins at `at` in the new one.

        In what was put in, that is the beginning of what it stands for.
        """
        place = bisect_right(self._starts, at) - 1
        if place < 0:
            return self._rows[0].old if self._rows else at
        row = self._rows[place]
        return row.old + min(at - row.new, row.length)

    def end(self, at: int) -> int:
        """Return where a span ends in the old text that ends at `at` in the new one."""
        place = bisect_left(self._starts, at) - 1
        if place < 0:
            return self._rows[0].old if self._rows else at
        row = self._rows[place]
        if at - row.new <= row.length or place + 1 == len(self._rows):
            return row.old + min(at - row.new, row.length)
        return self._rows[place + 1].old
