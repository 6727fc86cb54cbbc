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


class Layer(NamedTuple):
    """A layer that was found: its row, where it ends, and what it says about printer and level (as in `Cleaned`)."""

    prefix: Prefix | None
    end: int
    tag: str
    level: str

    @property
    def kind(self) -> Kind:
        """What it is; a bare level is a stamp."""
        return self.prefix.kind if self.prefix else "stamp"


class _Table(NamedTuple):
    """The rows of the table made ready: what finds those that can begin with a character, by that character; what
    finds those that can begin with any, of which each holds one of the texts `held`; and each row by its name, with
    its place in the table and the names of the groups that it has ("" for none).
    """

    by_letter: Mapping[str, re.Pattern[str]]
    any_letter: re.Pattern[str]
    held: tuple[str, ...]
    by_name: Mapping[str, tuple[int, Prefix, str, str]]


def level_of(word: str) -> str:
    """Return "error" or "warning" for a word or letter by which loggers mark these, "log" for any other."""
    return _LEVELS.get(word, "log")


def may_begin(line: str) -> bool:
    """Tell whether a prefix may stand before a line; quick, and true for some lines without one."""
    rows = _rows()
    return line.lstrip()[:1] in rows.by_letter or any(held in line for held in rows.held)


def layers(line: str, high: int) -> list[Layer]:
    """Return the layers that stand before the text of `line[:high]`, the outer ones first."""
    rows = _rows()
    holds = False
    for held in rows.held:
        if held in line:
            holds = True
            break
    found: list[Layer] = []
    low = 0
    stamped = boxed = False
    while len(found) < MOST_LAYERS:
        of_letter = rows.by_letter.get(line[low:high].lstrip()[:1])
        match = of_letter.match(line, low, high) if of_letter else None
        if holds:
            match = _earlier(rows, match, rows.any_letter.match(line, low, high))
        if match is not None and match.end() > low:
            one = _layer(rows, match)
        elif stamped and (bare := BARE_LEVEL.match(line, low, high)):
            one = Layer(None, bare.end(), "", level_of(bare["level"]))
        else:
            break
        found.append(one)
        low = one.end
        boxed = boxed or one.kind == "box"
        stamped = stamped or (one.kind == "stamp" and not boxed)
    return found


def _layer(rows: _Table, match: re.Match[str]) -> Layer:
    _, row, tags, levels = rows.by_name[match.lastgroup or ""]
    tag = (match[tags] if tags else "") or (match[row.name].strip() if row.kind in ("tag", "name") else "")
    said = match[levels] if levels else ""
    return Layer(row, match.end(), tag, level_of(said) if said else "")


def _earlier(rows: _Table, one: re.Match[str] | None, other: re.Match[str] | None) -> re.Match[str] | None:
    """Return what fits the row that stands first in the table."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda match: rows.by_name[match.lastgroup or ""][0])


@cache
def _rows() -> _Table:
    letters = sorted({letter for row in PREFIXES for letter in row.first})
    return _Table(
        {letter: _any([row for row in PREFIXES if letter in row.first]) for letter in letters},
        _any([row for row in PREFIXES if row.held]),
        shortest(row.held for row in PREFIXES if row.held),
        {row.name: (at, row, _group(row, "tag"), _group(row, "level")) for at, row in enumerate(PREFIXES)},
    )


def _group(row: Prefix, what: str) -> str:
    """Return the name of a group that a row may have, "" where it has none."""
    name = f"{row.name}_{what}"
    return name if f"(?P<{name}>" in row.pattern else ""


def _any(rows: Sequence[Prefix]) -> re.Pattern[str]:
    return re.compile(r"\s*+(?:" + "|".join(f"(?P<{row.name}>{row.pattern})" for row in rows) + ")")
