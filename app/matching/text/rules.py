"""Reads the knowledge files of the engine; each of them says at its top how to edit it."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from app.matching.text.needles import NeedleSearch, needles_of, one_of, search_for

FOLDER = Path(__file__).parents[1] / "rules"
# The list files, whose rows are expressions.
LISTS = ("consequences.txt", "endings.txt", "noise.txt", "peers.txt", "progress.txt", "wrappers.txt")
# characters of a needle that few texts hold
_LONG = 6


class BrokenRule(ValueError):
    """A knowledge file cannot be read; the message begins with its path and, where that is known, the line."""


class Row(NamedTuple):
    """A line of a knowledge file that is no comment; `number` counts all lines from 1."""

    path: Path
    number: int
    text: str

    def broken(self, why: object) -> BrokenRule:
        """Return the error that names this row."""
        return BrokenRule(f"{self.path}:{self.number}: {why} in {self.text!r}")


def _rows(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = (Row(path, number, line) for number, line in enumerate(lines, 1))
    return [row for row in rows if row.text.strip() and not row.text.startswith("#")]


class Listed(NamedTuple):
    """The expressions of a list file: those that fit only at the beginning of a text, and the others.

    `sought` finds the needles of these, for most texts hold none; None where one of the expressions has none.
    """

    beginning: re.Pattern[str]
    anywhere: re.Pattern[str]
    sought: NeedleSearch | None

    def fits(self, text: str) -> bool:
        """Tell whether any of the expressions is found in a text."""
        if self.beginning.match(text) is not None:
            return True
        return (self.sought is None or self.sought.may_hold(text)) and self.anywhere.search(text) is not None


@cache
def listed(name: str, folder: Path = FOLDER) -> Listed:
    """Return the expressions of a list file; one that begins with `^` has no other alternative beside it.

    Raises `BrokenRule`.
    """
    rows = _rows(folder / name)
    beginning = [row for row in rows if row.text.startswith("^")]
    anywhere = [row for row in rows if not row.text.startswith("^")]
    return Listed(_any(beginning), _any(anywhere), search_for(row.text for row in anywhere))


def is_unlisted(text: str) -> bool:
    """Tell that no list file has anything for a text, as for most texts; it may be false for some of these too.

    One look for all the lists, where each of them by itself would need one.
    """
    needles, beginning = _of_all_lists()
    return text.isascii() and needles.search(text.lower()) is None and beginning.match(text) is None


@cache
def _of_all_lists() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds a needle of any row, in lower case, and the rows that are tried themselves instead.

    These fit only at the beginning of a text, and many texts hold one of their needles, which are short.
    """
    needles: set[str] = set()
    tried = []
    for row in (row for name in LISTS for row in _rows(FOLDER / name)):
        told = needles_of(row.text)
        if row.text.startswith("^") and (told is None or told.shortest < _LONG):
            tried.append(row)
        else:
            # without a needle it may stand in any text
            needles |= {text.lower() for text in told.cased | told.folded} if told else {""}
    return one_of(needles) if "" not in needles else re.compile(""), _any(tried)


def _any(rows: Sequence[Row]) -> re.Pattern[str]:
    # For a file without rows of the kind, this is an expression that matches nothing.
    whole = "|".join(row.text for row in rows) or r"(?!)"
    try:
        return re.compile(whole)
    except re.error as error:
        raise _first_broken(rows, error) from error


def _first_broken(rows: Sequence[Row], of_all: re.error) -> BrokenRule:
    """Return the error of the first row that is no expression, or cannot stand behind those before it."""
    for number, row in enumerate(rows, 1):
        for text in (row.text, "|".join(before.text for before in rows[:number])):
            try:
                re.compile(text)
            except re.error as error:
                return row.broken(error)
    return BrokenRule(str(of_all))


@cache
def table(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return a TOML file of knowledge as nested tables. Raises `BrokenRule`."""
    path = folder / name
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        # The message of the error ends with line and column.
        raise BrokenRule(f"{path}: {error}") from error


@cache
def weights(folder: Path = FOLDER) -> dict[str, Any]:
    """Return the weights of the ranking as nested tables. Raises `BrokenRule`."""
    return table("weights.toml", folder)


@cache
def signs(folder: Path = FOLDER) -> dict[str, Any]:
    """Return what each sign asks for, as tables by its name. Raises `BrokenRule`."""
    return {name: row for name, row in table("symptoms.toml", folder).items() if name != "lists"}


@cache
def sign_words(name: str, folder: Path = FOLDER) -> tuple[str, ...]:
    """Return a list of words that several signs name. Raises `BrokenRule`, and `KeyError` for a name that is none."""
    return tuple(table("symptoms.toml", folder)["lists"][name])


@cache
def word_table(name: str, folder: Path = FOLDER) -> dict[str, float]:
    """Return {word: how telling it is, from 0 to 1} of a table of words; a word that is not in it is worth 1.

    Raises `BrokenRule`.
    """
    return dict(_worth(row) for row in _rows(folder / name))


def _worth(row: Row) -> tuple[str, float]:
    word, _, value = row.text.partition("\t")
    try:
        worth = float(value)
    except ValueError as error:
        raise row.broken("no word, tab and number") from error
    if not 0 <= worth <= 1:
        raise row.broken("a number that is not from 0 to 1")
    return word, worth


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of a list of words, a word a line."""
    return frozenset(row.text for row in _rows(FOLDER / name))


@cache
def field_words() -> tuple[str, ...]:
    """Return words of the field that entries are about, in both languages, as people write them."""
    return tuple(word for row in _rows(FOLDER / "field_words.txt") for word in row.text.split())


@cache
def subjects(folder: Path = FOLDER) -> dict[str, Any]:
    """Return what questions are about, as lists of programs and platforms and a table of kinds of trouble.

    Raises `BrokenRule`.
    """
    return table("subjects.toml", folder)


@cache
def stop_words() -> frozenset[str]:
    """Return words of questions in both languages that say nothing about the problem."""
    return frozenset(word for row in _rows(FOLDER / "stop_words.txt") for word in row.text.split())
