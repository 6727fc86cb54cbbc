"""Pasted text to a `Report`: which lines are worth reading, which of them are errors, and which error came first."""

import re
from collections.abc import Iterator
from functools import cache

from app.matching.model import Report, VersionSeen
from app.matching.parsing.assembler import Assembler
from app.matching.parsing.error_lines import needles
from app.matching.parsing.versions import versions_in
from app.matching.text.needles import one_of

# The first and the last lines of a paste are all read, those between them only when they hold a needle (with the
# lines that follow), and of those at most MOST_TELLING: so that time and memory stay bounded whatever is pasted.
HEAD_LINES = 400
TAIL_LINES = 80
MOST_TELLING = 4_000
FOLLOWING_LINES = 2
# A longer line is read in pieces of this size, which count as one line: the first ones, then only telling ones.
LONGEST = 2_000
FIRST_PIECES = 20
MOST_PIECES = 200
# A whole text is fed in pieces of this size, so that no second copy of it is made.
CHUNK = 256 * 1024


class Parser:
    """Takes a paste in chunks of any size and gives its report; how it was cut into chunks makes no difference.

    Never raises, whatever the text. Equal messages are folded, up to the limits of `Assembler`.
    """

    def __init__(self) -> None:
        self._assembler = Assembler()
        self._parts: list[str] = []
        self._pending = ""
        self._at = 0
        self._line = 1
        self._told = 0
        self._owed = 0
        self._read_to = 0
        self._skipped = False

    def feed(self, chunk: str) -> None:
        """Take the next characters of the paste."""
        cut = chunk.rfind("\n") + 1
        if not cut:
            self._parts.append(chunk)
            return
        block = "".join((*self._parts, chunk[:cut]))
        self._parts = [chunk[cut:]]
        at = self._head(block)
        if at < len(block):
            self._middle(self._pending + block[at:])

    def close(self, versions: tuple[VersionSeen, ...] = ()) -> Report:
        """Take the end of the paste and return its report, with the versions that were seen in it."""
        rest = "".join(self._parts)
        last = self._line + self._pending.count("\n") - (not rest)
        if self._at > self._read_to and self._skipped:
            self._assembler.gap()
        for start, line in _lines(self._pending + rest):
            self._read(line, self._at + start, self._line)
            self._line += 1
        length = self._at + len(self._pending) + len(rest)
        return self._assembler.report(last if length else 0, length, self._skipped, versions)

    def _head(self, block: str) -> int:
        """Read the first lines of the paste that are in `block` and return where in it they end."""
        if self._line > HEAD_LINES:
            return 0
        *lines, rest = block.split("\n", HEAD_LINES + 1 - self._line)
        for line in lines:
            self._read(line, self._at, self._line)
            self._at += len(line) + 1
            self._line += 1
        return len(block) - len(rest)

    def _middle(self, text: str) -> None:
        """Look for telling lines in all but the last lines of `text`; these are kept until it is known what follows."""
        keep = len(text)
        for _ in range(TAIL_LINES + 1):
            keep = text.rfind("\n", 0, keep)
            if keep < 0:
                break
        done, self._pending = text[: keep + 1], text[keep + 1 :]
        if done:
            self._scan(done)
            self._at += len(done)
            self._line += done.count("\n")

    def _scan(self, text: str) -> None:
        """Read the telling lines of `text`, which starts at line `self._line`, each with the lines that follow it."""
        number, counted, telling = self._line, 0, _telling()
        end = self._following(text, 0, number)
        while self._told < MOST_TELLING and (hit := telling.search(text, end)):
            start = text.rfind("\n", 0, hit.start()) + 1
            if self._at + start > self._read_to:
                self._assembler.gap()
                self._skipped = True
            number += text.count("\n", counted, start)
            counted = start
            self._told += 1
            self._owed = 1 + FOLLOWING_LINES
            end = self._following(text, start, number)
        self._skipped = self._skipped or end < len(text)

    def _following(self, text: str, start: int, number: int) -> int:
        """Read the lines that are owed from `start` on, as far as `text` has them; return where they end."""
        while self._owed and start < len(text):
            end = text.index("\n", start)
            self._read(text[start:end], self._at + start, number)
            self._owed -= 1
            start, number = end + 1, number + 1
            self._read_to = self._at + start
        return start

    def _read(self, line: str, start: int, number: int) -> None:
        if len(line) <= LONGEST:
            self._assembler.line(line, number, start)
            return
        read = 0
        for place in range(0, len(line), LONGEST):
            piece = line[place : place + LONGEST]
            if read < FIRST_PIECES or _telling().search(piece):
                self._assembler.line(piece, number, start + place)
                read += 1
            if read >= MOST_PIECES:
                self._skipped = True
                break


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their offsets; a text that ends with a newline has no line after it."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield at, text[at:end]
        at = end + 1


@cache
def _telling() -> re.Pattern[str]:
    """Return what finds a line that is worth reading: a part of a needle, where the whole stands."""
    return one_of(needles())


def parse(text: str) -> Report:
    """Return the report of a whole text."""
    parser = Parser()
    for at in range(0, len(text), CHUNK):
        parser.feed(text[at : at + CHUNK])
    return parser.close(versions_in(text))
