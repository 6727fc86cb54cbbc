"""Pasted text to a `Report`: which lines are worth reading, which of them are errors, and which error came first."""

import re
from collections import deque

from app.matching.assemble import Assembler
from app.matching.types import Report

# The first lines are all read. After them only lines that hold one of these words, and the last lines of the paste.
HEAD_LINES = 400
TAIL_LINES = 80
# A longer line is read in pieces of this size (they count as one line); so memory stays bounded whatever is pasted.
LONGEST = 16_384

_TELLING = re.compile(
    r"[Ee]rror|ERROR|[Ee]xception|[Ff]ail|FAIL|[Ff]atal|FATAL|Traceback|  File \"|[Aa]ssert|[Aa]bort|[Kk]illed|SIG[A-Z]"
    r"|[Tt]imed out|[Tt]imeout|[Uu]nable|[Cc]annot|[Cc]ould not|[Nn]ot found|[Nn]o such|[Ii]nvalid|[Ii]llegal"
    r"|[Dd]enied|[Rr]efused|[Mm]ismatch|\bnan\b|out of memory|[Uu]nrecognized|[Uu]nexpected|[Mm]issing|[Uu]nsupported"
    r"|not support|[Ee]xceed|WARN|[Ww]arning"
)


class Parser:
    """Takes a paste in chunks of any size and gives its report; how it was cut into chunks makes no difference.

    Never raises, whatever the text. Memory is bounded: beyond `HEAD_LINES` only telling lines are kept, folded by
    masked message, up to the limits of `Assembler`.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._at = 0
        self._line = 1
        self._tail: deque[tuple[int, int, str]] = deque(maxlen=TAIL_LINES)
        self._assembler = Assembler()
        self._skipped = False

    def feed(self, chunk: str) -> None:
        """Take the next characters of the paste."""
        self._rest += chunk
        cut = self._rest.rfind("\n") + 1
        if cut:
            block, self._rest = self._rest[:cut], self._rest[cut:]
            self._block(block)
        while len(self._rest) > LONGEST:
            piece, self._rest = self._rest[:LONGEST], self._rest[LONGEST:]
            self._read(piece)
            self._at += LONGEST

    def close(self) -> Report:
        """Take the end of the paste and return its report."""
        if self._rest:
            self._read(self._rest)
            self._at += len(self._rest)
            self._rest = ""
        else:
            self._line -= 1
        for line, start, text in self._tail:
            self._assembler.line(text, line, start)
        return self._assembler.report(self._line, self._at, self._skipped)

    def _block(self, block: str) -> None:
        at = 0
        while at < len(block):
            end = block.find("\n", at)
            self._whole_line(block[at:end])
            at = end + 1

    def _whole_line(self, text: str) -> None:
        rest = text
        while len(rest) > LONGEST:
            self._read(rest[:LONGEST])
            self._at += LONGEST
            rest = rest[LONGEST:]
        self._read(rest)
        self._at += len(rest) + 1
        self._line += 1

    def _read(self, text: str) -> None:
        if self._line <= HEAD_LINES:
            self._assembler.line(text, self._line, self._at)
            return
        if len(self._tail) == TAIL_LINES:
            line, start, oldest = self._tail[0]
            if _TELLING.search(oldest):
                self._assembler.line(oldest, line, start)
            else:
                self._skipped = True
                self._assembler.gap()
        self._tail.append((self._line, self._at, text))


def parse(text: str) -> Report:
    """Return the report of a whole text."""
    parser = Parser()
    parser.feed(text)
    return parser.close()
