"""What is printed over several lines and says one thing, made one line each: records of a key a line, tables with a
head, and what was typed at a prompt with the answer to it.

A stage between the cleaning of lines and their reading: lines go in, and the same or fewer come out, in order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.matching.model import Segment
from app.matching.parsing import error_lines
from app.matching.parsing.events import Printer
from app.matching.parsing.frames import frame
from app.matching.parsing.human_text import is_chinese
from app.matching.parsing.lines import Cleaned, joined

# characters of a record that is given as one line; a longer one is given in parts
LONGEST = 1_200
MOST_KEYS = 60
# a line of a record, or the head of a table, is no longer
LONGEST_LINE = 400
MOST_CELLS = 40
FEWEST_CELLS = 3
# lines of an answer that stand with what was typed, each no longer than this
MOST_ANSWERED = 3
LONGEST_ANSWER = 200
# without braces around them so many lines in a row, each of them a number with its name, are a record
FEWEST_BARE = 3

_NUMBER = r"[-+]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?%?|[-+]?(?:nan|NaN|NAN|inf|Inf|INF)|None|null"
_KEY = re.compile(r"[\"']?[A-Za-z_][\w./@ -]{0,60}[\"']?\s{0,20}[:=]\s{0,20}(?=\S)")
_KEY_AND_NUMBER = re.compile(
    rf"(?P<key>[\"']?[A-Za-z_][\w./@()% -]{{0,60}}?[\"']?)\s{{0,40}}[:=|│┃]\s{{0,40}}(?P<value>{_NUMBER}),?"
)
_KEY_LIKE = re.compile(r"[\"']?[A-Za-z_][\w./@()% -]{0,60}+[\"']?\s{0,40}[:=|│┃]\s{0,40}[-+.\dniNI]")
_ENDS_A_NUMBER = frozenset("0123456789.,%nNfFel")
_ITEM = re.compile(rf"(?:{_NUMBER}|\"[^\"]{{0,200}}\"|'[^']{{0,200}}'),?")
# A name, what keeps it from the next one, and the rest: a call, which has no space, is no head.
_HEAD = re.compile(r"[A-Za-z%#][\w./%()#@-]*+[ \t,|│┃][\w \t./%()#@,|│┃-]*+")
_HEAD_CELL = re.compile(r"[A-Za-z%#][\w ./%()#@-]{0,40}")
# Words with single spaces between them are a sentence rather than the head of a table; what may be a head has no space
# but these two kinds. It is sought by one class of characters, few of which most lines have.
_ALIGNED = re.compile(r"[\t,|│┃_/](?:(?<![_/])|(?<=\w.)\w)")
_TWO_SPACES = "  "
_NUMBER_CELL = re.compile(_NUMBER)
# How the cells of a line are kept apart, the surest first; between spaces no cell holds one.
_BETWEEN = tuple(map(re.compile, (r"\t", r"[|│┃]", r",", r"\s{2,}", r"\s+")))
_RULE = re.compile(r"[\W_]{1,400}")

Numbered = tuple[Cleaned, int]


class _Cell(NamedTuple):
    text: str
    start: int


@dataclass(slots=True)
class _Open:
    """What is being collected for a printer: lines of a record that is open to a depth (0: none), the head of a table
    and whether a row has been seen below it, or what was typed at a prompt, with the answer so far.
    """

    depth: int = 0
    lines: list[Numbered] = field(default_factory=list)
    head: Numbered | None = None
    is_table: bool = False
    session: list[Numbered] = field(default_factory=list)

    @property
    def is_begun(self) -> bool:
        """Whether anything is being collected."""
        return bool(self.lines or self.depth or self.head or self.session)


class Records:
    """Puts records together, of one printer at a time; the lines of others pass by it."""

    def __init__(self) -> None:
        self._open = _Open()
        self._printer: Printer = ()

    def passes(self, line: Cleaned) -> bool:
        """Tell whether a line need not be taken, as most lines: nothing is open, and it opens nothing.

        It is false for some lines that would pass as they are too.
        """
        text, kept = line.text, self._open
        # asked of every line: what `_Open.is_begun` says, without a call
        if kept.lines or kept.depth or kept.head or kept.session or line.typed:
            return False
        last = text[-1:]
        return not (last == "{" or (last in _ENDS_A_NUMBER and _KEY_LIKE.match(text)) or _may_be_head(text))

    def take(self, line: Cleaned, number: int) -> list[Numbered]:
        """Take the next line and its number, and return the lines that are to be read now."""
        kept = self._open
        if line.printer != self._printer:
            if kept.lines or kept.depth or kept.is_table:
                return [(line, number)]
            before = self.close()
            self._printer = line.printer
            return [*before, *self._take(line, number)]
        return self._take(line, number)

    def _take(self, line: Cleaned, number: int) -> list[Numbered]:
        if len(line.text) <= LONGEST_LINE:
            for taken in (self._in_session, self._in_table, self._in_record):
                given = taken(line, number)
                if given is not None:
                    return given
        before = self.close()
        if line.text.endswith("{"):
            self._open.depth = 1
        elif _is_head(line):
            self._open.head = (line, number)
            return before
        return [*before, (line, number)]

    # Each returns the lines that are to be read now where it takes a line, and None where it does not.

    def _in_session(self, line: Cleaned, number: int) -> list[Numbered] | None:
        session = self._open.session
        if line.typed or (session and len(session) <= MOST_ANSWERED and _answers(line)):
            before = self.close() if line.typed else []
            self._open.session.append((line, number))
            return before
        return None

    def _in_table(self, line: Cleaned, number: int) -> list[Numbered] | None:
        if not self._open.head:
            return None
        row = _row(self._open.head[0], line)
        self._open.is_table = self._open.is_table or row is not None
        read = row or (line if _RULE.fullmatch(line.text) else None)
        return [(read, number)] if read else None

    def _in_record(self, line: Cleaned, number: int) -> list[Numbered] | None:
        if self._belongs(line.text):
            before = [] if self._fits_in(line.text) else self._given()
            self._open.lines.append((line, number))
            return before
        return [*self._given(), (line, number)] if self._open.depth and _is_error(line) else None

    def close(self) -> list[Numbered]:
        """Return what was kept back; what follows belongs to nothing."""
        if not self._open.is_begun:
            return []
        head = [self._open.head] if self._open.head and not self._open.is_table else []
        session = [_with_answer(self._open.session)] if self._open.session else []
        given = self._given()
        self._open = _Open()
        return [*session, *head, *given]

    def _belongs(self, text: str) -> bool:
        if not text or (text.endswith("{") and not self._open.depth):
            return False
        if not self._open.depth:
            numbered = text[-1] in _ENDS_A_NUMBER and _KEY_AND_NUMBER.fullmatch(text)
            return bool(numbered) and error_lines.find(text, "", False) is None
        if text.rstrip(",") in ("}", "]", "})", ")"):
            # the last one ends the record, and passes as the line that it is
            was = self._open.depth
            self._open.depth -= was > 1
            return was > 1
        if error_lines.find(text, "", False) or frame(text):
            return False
        if text[-1] in "{[":
            self._open.depth += 1
        return _KEY.match(text) is not None or _ITEM.fullmatch(text) is not None

    def _fits_in(self, text: str) -> bool:
        return len(self._open.lines) < MOST_KEYS and sum(len(kept[0].text) for kept in self._open.lines) < LONGEST

    def _given(self) -> list[Numbered]:
        """Return the lines of a record as one, or as they are where they are too few to be one."""
        lines, self._open.lines = self._open.lines, []
        if len(lines) < (2 if self._open.depth else FEWEST_BARE):
            return lines
        return [(_joined([kept[0] for kept in lines]), lines[0][1])]


def _may_be_head(text: str) -> bool:
    return _HEAD.fullmatch(text) is not None and (_TWO_SPACES in text or _ALIGNED.search(text) is not None)


def _is_head(line: Cleaned) -> bool:
    return _may_be_head(line.text) and bool(_cells_of_head(line.text)) and not _is_error(line)


def _is_error(line: Cleaned) -> bool:
    return error_lines.find(line.text, line.level, False) is not None


def _answers(line: Cleaned) -> bool:
    """Tell whether a line may be the answer to what was typed above it: short, and nothing of its own.

    Behind a number sign stands what was typed by root, or a remark of whoever pasted it.
    """
    text = line.text
    if (
        not text
        or text.startswith("# ")
        or len(text) > LONGEST_ANSWER
        or line.stamped
        or text.endswith(("{", "(most recent call last):"))
    ):
        return False
    return not (_is_error(line) or frame(text) or is_chinese(text))


def _with_answer(session: Sequence[Numbered]) -> Numbered:
    """Return what was typed with its answer below it as one line."""
    line, number = session[0]
    text, segments = line.text, line.segments
    for answer, _ in session[1:]:
        text, segments = joined(text, segments, answer)
    return line._replace(text=text, segments=segments), number


def _joined(lines: Sequence[Cleaned]) -> Cleaned:
    """Return the lines of a record as one line."""
    made = _Made(lines[0])
    for line in lines:
        pair = _KEY_AND_NUMBER.fullmatch(line.text)
        if pair and line.text[pair.end("key") : pair.start("value")].strip() not in (":", "="):
            made.pair(line, _Cell(pair["key"], pair.start("key")), line, _Cell(pair["value"], pair.start("value")))
        else:
            made.add(", " if made.size else "")
            made.copy(line, 0, len(line.text.rstrip(",")))
    return made.line()


class _Made:
    """A line that is being made of parts of others, each with where it stands."""

    def __init__(self, like: Cleaned) -> None:
        self._like = like
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self.size = 0

    def add(self, text: str) -> None:
        """Add a text that stands nowhere."""
        self._parts.append(text)
        self.size += len(text)

    def copy(self, line: Cleaned, start: int, end: int) -> None:
        """Add the characters `[start, end)` of a cleaned line."""
        for part in line.segments:
            low, high = max(start, part.clean), min(end, part.clean + part.length)
            if low < high:
                source = part.source if part.width else part.source + low - part.clean
                self._segments.append(part._replace(clean=self.size + low - start, source=source, length=high - low))
        self.add(line.text[start:end])

    def pair(self, of_key: Cleaned, key: _Cell, of_value: Cleaned, value: _Cell) -> None:
        """Add a key and its value, as Python prints them."""
        self.add(", " if self.size else "")
        self.copy(of_key, key.start, key.start + len(key.text))
        self.add(": ")
        self.copy(of_value, value.start, value.start + len(value.text))

    def line(self) -> Cleaned:
        """Return what was made."""
        return self._like._replace(text="".join(self._parts), segments=tuple(self._segments))


def _row(head: Cleaned, line: Cleaned) -> Cleaned | None:
    """Return a row below the head of a table as one line of keys and values, None where it is none of it."""
    keys = _cells_of_head(head.text)
    values = _cells_of_row(line.text, len(keys))
    if not values:
        return None
    made = _Made(line)
    for key, value in zip(keys, values, strict=True):
        made.pair(head, key, line, value)
    return made.line()


def _cells_of_head(text: str) -> list[_Cell]:
    """Return the cells of the head of a table: names, three or more; none where a line is no head."""
    for between in _BETWEEN:
        cells = _cells(text, between)
        if FEWEST_CELLS <= len(cells) <= MOST_CELLS:
            return cells if all(_HEAD_CELL.fullmatch(cell.text) for cell in cells) else []
    return []


def _cells_of_row(text: str, count: int) -> list[_Cell]:
    """Return the cells of a row of `count` cells, all of them numbers but one at most; none where it is no such row."""
    for between in _BETWEEN:
        cells = _cells(text, between)
        # pandas prints the number of a row before it, for which the head has no name
        if len(cells) == count + 1 and cells[0].text.isdecimal():
            cells = cells[1:]
        if len(cells) == count:
            numbers = sum(_NUMBER_CELL.fullmatch(cell.text) is not None for cell in cells)
            return cells if numbers >= max(2, count - 1) else []
    return []


def _cells(text: str, between: re.Pattern[str]) -> list[_Cell]:
    found: list[_Cell] = []
    at = 0
    for match in between.finditer(text):
        found.append(_Cell(text[at : match.start()], at))
        at = match.end()
    found.append(_Cell(text[at:], at))
    stripped = (_Cell(cell.text.strip(), cell.start + len(cell.text) - len(cell.text.lstrip())) for cell in found)
    return [cell for cell in stripped if cell.text]
