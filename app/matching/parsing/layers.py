"""Which layer stands before a line: the rows of `line_prefixes.py`, looked up by the character that a line begins with.

Most lines begin with a character that few rows can begin with, or none, so that most of the table need not be tried.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from app.matching.parsing.line_prefixes import PREFIXES, Kind, Prefix
from app.matching.text.needles import shortest

MOST_LAYERS = 12
# Only behind another stamp; at the beginning of a line the word alone may be the message.
BARE_LEVEL = re.compile(r"\s*+(?P<level>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)(?=\s)")
_LEVELS = dict.fromkeys(
    ("ERROR", "CRITICAL", "FATAL", "Error", "error", "crit", "E", "F", "C", "ERR!", "fatal", "panic"), "error"
) | dict.fromkeys(("WARNING", "WARN", "Warning", "Warn", "warning", "warn", "W"), "warning")


# A layer that was found: its row (None for a bare level) and kind, where it ends, and what it says about printer and
# level (as in `Cleaned`). It is a plain tuple because most lines of a log have several.
Layer = tuple[Prefix | None, Kind, int, str, str]


class _Row(NamedTuple):
    """A row of the table made ready: its place in the table, its kind, and the names of the groups for tag and level
    ("" for none; of a tag without a group of its own, that of the whole row).
    """

    place: int
    prefix: Prefix
    kind: Kind
    tag: str
    level: str


class _ByLetter(dict[str, re.Pattern[str]]):
    """What finds the rows that can begin with a character of `letters`, by that character.

    It is made when the first line begins so: few of them occur in one log, and a command reads a single one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.letters = frozenset(letter for row in PREFIXES for letter in row.first)

    def __missing__(self, letter: str) -> re.Pattern[str]:
        found = self[letter] = _any([row for row in PREFIXES if letter in row.first])
        return found


class _Table(NamedTuple):
    """The rows of the table made ready: what finds those that can begin with a character, by that character; the texts
    `held` of which each of the others holds one; and each row by its name.
    """

    by_letter: _ByLetter
    held: tuple[str, ...]
    by_name: Mapping[str, _Row]

    def earlier(self, one: re.Match[str] | None, other: re.Match[str]) -> re.Match[str]:
        """Return what fits the row that stands first in the table."""
        if one is None:
            return other
        return min(one, other, key=lambda match: self.by_name[match.lastgroup or ""].place)


def level_of(word: str) -> str:
    """Return "error" or "warning" for a word or letter by which loggers mark these, "log" for any other."""
    return _LEVELS.get(word, "log")


def may_begin(line: str) -> bool:
    """Tell whether a prefix may stand before a line; quick, and true for some lines without one."""
    rows = _table()
    return line.lstrip()[:1] in rows.by_letter.letters or any(held in line for held in rows.held)


def layers(line: str, high: int) -> Sequence[Layer]:
    """Return the layers that stand before the text of `line[:high]`, the outer ones first."""
    rows = _table()
    held: tuple[str, ...] = ()
    last = -1
    for text in rows.held:
        if text in line:
            held, last = (*held, text), max(last, line.rfind(text))
    of_any = _that_hold(held) if held else None
    letters = rows.by_letter.letters
    found: list[Layer] = []
    low = 0
    stamped = boxed = False
    while len(found) < MOST_LAYERS:
        letter = line[low:high].lstrip()[:1]
        match = rows.by_letter[letter].match(line, low, high) if letter in letters else None
        if of_any is not None and low <= last and (other := of_any.match(line, low, high)):
            match = rows.earlier(match, other)
        if match is not None and match.end() > low:
            row = rows.by_name[match.lastgroup or ""]
            low, kind = match.end(), row.kind
            tag = (match[row.tag] or "").strip() if row.tag else ""
            said = match[row.level] if row.level else ""
            found.append((row.prefix, kind, low, tag, level_of(said) if said else ""))
            boxed = boxed or kind == "box"
            stamped = stamped or (kind == "stamp" and not boxed)
        elif stamped and (bare := BARE_LEVEL.match(line, low, high)):
            low = bare.end()
            found.append((None, "stamp", low, "", level_of(bare["level"])))
        else:
            break
    return found


@cache
def _table() -> _Table:
    return _Table(
        _ByLetter(),
        shortest(row.held for row in PREFIXES if row.held),
        {row.name: _made_ready(place, row) for place, row in enumerate(PREFIXES)},
    )


@cache
def _that_hold(held: Sequence[str]) -> re.Pattern[str]:
    """Return what finds the rows that can begin with any character in a line with only these of the texts `held`."""
    return _any([row for row in PREFIXES if any(text in row.held for text in held)])


def _made_ready(place: int, row: Prefix) -> _Row:
    whole = row.name if row.kind in ("tag", "name") else ""
    return _Row(place, row, row.kind, _group(row, "tag") or whole, _group(row, "level"))


def _group(row: Prefix, what: str) -> str:
    """Return the name of a group that a row may have, "" where it has none."""
    name = f"{row.name}_{what}"
    return name if f"(?P<{name}>" in row.pattern else ""


def _any(rows: Sequence[Prefix]) -> re.Pattern[str]:
    return re.compile(r"\s*+(?:" + "|".join(f"(?P<{row.name}>{row.pattern})" for row in rows) + ")")
