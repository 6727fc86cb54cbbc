"""Reads the knowledge files of the engine; each of them says at its top how to edit it."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent / "data"


def _lines(name: str) -> list[str]:
    rows = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [row for row in rows if row.strip() and not row.startswith("#")]


class Listed(NamedTuple):
    """The expressions of a list file: those that fit only at the beginning of a text, and the others."""

    beginning: re.Pattern[str]
    anywhere: re.Pattern[str]

    def fits(self, text: str) -> bool:
        """Tell whether any of the expressions is found in a text."""
        return self.beginning.match(text) is not None or self.anywhere.search(text) is not None


@cache
def listed(name: str) -> Listed:
    """Return the expressions of a list file; one that begins with `^` has no other alternative beside it."""
    rows = _lines(name)
    return Listed(_any([row for row in rows if row[0] == "^"]), _any([row for row in rows if row[0] != "^"]))


def _any(rows: Sequence[str]) -> re.Pattern[str]:
    # an expression that fits nothing, for a file without rows of the kind
    return re.compile("|".join(rows) or r"(?!)")


@cache
def telling_words() -> tuple[str, ...]:
    """Return the words that make a line of a long log worth reading."""
    return tuple(_lines("telling.txt"))


@cache
def weights() -> dict[str, Any]:
    """Return the weights of the ranking as nested tables."""
    return tomllib.loads((_FOLDER / "weights.toml").read_text(encoding="utf-8"))


@cache
def signs() -> dict[str, Any]:
    """Return what each sign asks for, as tables by its name."""
    return tomllib.loads((_FOLDER / "signs.toml").read_text(encoding="utf-8"))


@cache
def word_table(name: str) -> dict[str, float]:
    """Return {word: how telling it is, from 0 to 1} of a table of words; a word that is not in it is worth 1."""
    rows = (row.split("\t") for row in _lines(name))
    return {word: float(value) for word, value in rows}


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of a list of words, a word a line."""
    return frozenset(_lines(name))


@cache
def stop_words() -> frozenset[str]:
    """Return words of questions in both languages that say nothing about the problem."""
    return frozenset(word for row in _lines("stop_words.txt") for word in row.split())
