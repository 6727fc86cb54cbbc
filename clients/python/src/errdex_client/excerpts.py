"""Of a text of any size its telling windows, in bounded memory: the beginning, what stands around errors, the end.

A smaller text is taken whole. Of a larger one the first windows are kept and, in the room that is left, the last ones.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from typing import Iterable, NamedTuple

from errdex_client.positions import Stretches
from errdex_client.telling import Found, Telling

# A text of up to so many characters is taken as it is.
WHOLE = 1024 * 1024
# Of a larger text so many characters are kept: of its first windows, and of its last ones.
EARLY, LATE = 200_000, 100_000
# So many lines are kept at the beginning and at the end.
HEAD, TAIL = 30, 60
# A longer line is shortened: its beginning, what stands around needles, its end, each of this size.
LONGEST, PIECE = 2_000, 600
# A text is looked through in blocks of about this size, and of one as full of errors as the one before its end first.
BLOCK, END = 1024 * 1024, LATE + LATE // 4


class Kept(NamedTuple):
    """A piece of the text: its place in it, the line that it begins in (from 1), its characters."""

    at: int
    line: int
    text: str


class Excerpt:
    """What is sent of a text: `text`, and the way back. `lines` counts those of the whole text."""

    def __init__(self, pieces: list[Kept], length: int, lines: int, whole: bool) -> None:
        self.lines = lines
        self.trimmed = not whole
        self.stretches = Stretches()
        self._starts: list[int] = []
        self._lines: list[int] = []
        parts: list[str] = []
        new = last_line = 0
        for piece in pieces:
            gap = "" if whole or (not parts and piece.at == 0) else self._gap(piece, last_line, bool(parts))
            parts += gap, piece.text
            new += len(gap)
            self._starts.append(new)
            self._lines.append(piece.line)
            self.stretches.add(new, piece.at, len(piece.text))
            new += len(piece.text)
            last_line = piece.line + piece.text.count("\n")
        self.text = "".join(parts)
        self.length = length

    def _gap(self, piece: Kept, last_line: int, follows: bool) -> str:
        if piece.line == last_line:
            return " … "
        # The empty lines keep the mark apart from a message beside it.
        return ("\n" if follows else "") + f"[… {max(0, piece.line - last_line)} lines left out …]\n\n"

    def line(self, at: int) -> int:
        """Return the line of the whole text that a place of the excerpt stands in."""
        place = bisect_right(self._starts, at) - 1
        if place < 0:
            return 1
        return self._lines[place] + self.text.count("\n", self._starts[place], at)


def excerpt_of(text: str) -> Excerpt:
    """Return the excerpt of a text."""
    windows = Windows()
    for at in range(0, len(text), BLOCK):
        windows.feed(text[at : at + BLOCK])
    return windows.close()


class Windows:
    """Takes a text in pieces of any size and gives its excerpt; how it was cut makes no difference."""

    def __init__(self) -> None:
        self._first: list[str] | None = []
        self._first_size = 0
        self._pending: list[str] = []
        self._pending_size = 0
        # This is the end of what was looked through: it may still be needed as the lines before a telling one.
        self._tail = ""
        self._at = 0
        self._line = 1
        self._owed = HEAD
        self._kept_to = 0
        self._early: list[Kept] = []
        self._late: deque[Kept] = deque()
        self._early_size = self._late_size = 0
        # So many characters were ever kept as late ones; `_crowded`: more in one block than there is room for.
        self._late_total, self._crowded = 0, False
        self._telling = Telling()
        # A place up to which lines were counted, and the line that it stands in.
        self._counted = (0, 1)

    def feed(self, text: str) -> None:
        """Take the next characters."""
        if self._first is not None:
            self._first.append(text)
            self._first_size += len(text)
            if self._first_size <= WHOLE:
                return
            text, self._first = "".join(self._first), None
        self._pending.append(text)
        self._pending_size += len(text)
        if self._pending_size < BLOCK:
            return
        text = "".join(self._pending)
        done = 0
        while len(text) - done >= BLOCK:
            cut = text.rfind("\n", done, done + BLOCK) + 1
            # A line that is longer than a block is cut.
            end = cut if cut > done else done + BLOCK
            self._look(text[done:end])
            done = end
        self._pending = [text[done:]]
        self._pending_size = len(text) - done

    def close(self) -> Excerpt:
        """Take the end of the text and return its excerpt."""
        if self._first is not None:
            text = "".join(self._first)
            return Excerpt([Kept(0, 1, text)], len(text), _count_lines(text), whole=True)
        rest = "".join(self._pending)
        if rest:
            self._look(rest)
        end = self._at + len(self._tail)
        low = self._tail.rstrip("\n")
        start = len(low)
        for _ in range(TAIL):
            start = low.rfind("\n", 0, start)
            if start < 0:
                break
        self._keep(self._tail, start + 1, len(self._tail))
        lines = self._line + self._tail.count("\n") - (1 if self._tail.endswith("\n") or not self._tail else 0)
        return Excerpt(_joined([*self._early, *self._late]), end, lines, whole=False)

    def _look(self, block: str) -> None:
        """Keep what tells in a block of whole lines."""
        if self._crowded and len(block) > END:
            # What the end of the block keeps may be all that there is room for.
            cut = block.find("\n", len(block) - END) + 1
            end = block[cut:]
            found = self._telling.look(end)
            if cut and found.size >= LATE:
                self._late.clear()
                self._late_size = self._owed = 0
                self._forget(self._tail + block[:cut])
                self._take(end, found)
                return
        self._take(block, self._telling.look(block))

    def _take(self, block: str, found: Found) -> None:
        """Keep the windows of a block."""
        self._telling.count(found)
        text, begin = self._tail + block, len(self._tail)
        before = self._late_total
        if self._owed:
            self._keep(text, begin, self._after(text, begin))
        for number, (low, high) in enumerate(found.windows):
            start = begin + low if number or low else self._back(text, begin, found.before)
            self._keep(text, start, begin + high)
        self._owed = max(self._owed, found.after)
        self._crowded = self._late_total - before > LATE
        self._forget(text)

    def _after(self, text: str, end: int) -> int:
        """Return where the lines end that are owed after a place, as far as the text has them; the others are owed."""
        while self._owed and end < len(text):
            stop = text.find("\n", end)
            end = len(text) if stop < 0 else stop + 1
            self._owed -= 1
        return end

    def _back(self, text: str, start: int, lines: int) -> int:
        """Return where so many lines before a place begin, which may stand in a line that was cut."""
        if start and text[start - 1] != "\n":
            lines += 1
        while lines and start > 0:
            start = text.rfind("\n", 0, start - 1) + 1
            lines -= 1
        return start

    def _keep(self, text: str, start: int, end: int) -> None:
        start = max(start, self._kept_to - self._at)
        if start >= end:
            return
        line = self._line_at(text, start)
        for piece in self._pieces(text, start, end, line):
            self._store(piece)
        self._kept_to = self._at + end

    def _line_at(self, text: str, start: int) -> int:
        """Return the line of a place; no place is before one that was asked for before."""
        place, line = max(self._counted, (self._at, self._line))
        line += text.count("\n", place - self._at, start)
        self._counted = (self._at + start, line)
        return line

    def _pieces(self, text: str, start: int, end: int, line: int) -> Iterable[Kept]:
        """Yield a stretch of whole lines in pieces: several lines in one, a very long line as its telling parts."""
        base = self._at
        done = at = start
        while at < end:
            stop = text.find("\n", at, end)
            stop = end if stop < 0 else stop + 1
            if stop - at > LONGEST:
                if at > done:
                    yield Kept(base + done, line, text[done:at])
                    line += text.count("\n", done, at)
                for low, high in self._parts_of_line(text, at, stop):
                    yield Kept(base + low, line, text[low:high])
                line += text.count("\n", at, stop)
                done = stop
            elif stop - done > EARLY // 8:
                yield Kept(base + done, line, text[done:stop])
                line += text.count("\n", done, stop)
                done = stop
            at = stop
        if done < end:
            yield Kept(base + done, line, text[done:end])

    def _parts_of_line(self, text: str, start: int, end: int) -> list[tuple[int, int]]:
        """Return what is kept of a long line: its beginning, a few places of needles, its end."""
        wanted = [(start, start + PIECE), (end - PIECE, end)]
        for hit in self._telling.places(text, start, end):
            wanted.append((max(start, hit - PIECE // 2), min(end, hit + PIECE)))
        found: list[tuple[int, int]] = []
        for low, high in sorted(wanted):
            if found and low <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], high))
            else:
                found.append((low, high))
        return found

    def _store(self, piece: Kept) -> None:
        size = len(piece.text)
        if not self._late and self._early_size + size <= EARLY:
            self._early.append(piece)
            self._early_size += size
            return
        self._late.append(piece)
        self._late_size += size
        self._late_total += size
        while self._late_size > LATE and len(self._late) > 1:
            self._late_size -= len(self._late.popleft().text)

    def _forget(self, text: str) -> None:
        """Hold on to the last lines of what was looked through, as far as they are of a bounded length."""
        start = len(text)
        for _ in range(TAIL + 1):
            start = text.rfind("\n", max(0, len(text) - WHOLE // 4), start)
            if start < 0:
                break
        start = max(start + 1, len(text) - WHOLE // 4)
        self._line += text.count("\n", 0, start)
        self._at += start
        self._tail = text[start:]


def _joined(pieces: list[Kept]) -> list[Kept]:
    """Return the pieces with those that follow each other made one."""
    found: list[list[Kept]] = []
    for piece in pieces:
        last = found[-1][-1] if found else None
        if last is not None and last.at + len(last.text) == piece.at:
            found[-1].append(piece)
        else:
            found.append([piece])
    return [Kept(group[0].at, group[0].line, "".join(piece.text for piece in group)) for group in found]


def _count_lines(text: str) -> int:
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)
