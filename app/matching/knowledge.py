"""Reads the knowledge files of the engine; each of them says at its top how to edit it."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "data"


def _lines(name: str) -> list[str]:
    rows = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [row for row in rows if row.strip() and not row.startswith("#")]


@cache
def listed(name: str) -> re.Pattern[str]:
    """Return the expressions of a list file as one; the expressions are tried in the order of the file."""
    return re.compile("|".join(f"(?:{row})" for row in _lines(name)))


@cache
def telling_words() -> tuple[str, ...]:
    """Return the words that make a line of a long log worth reading."""
    return tuple(_lines("telling.txt"))


@cache
def weights() -> dict[str, Any]:
    """Return the weights of the ranking as nested tables."""
    return tomllib.loads((_FOLDER / "weights.toml").read_text(encoding="utf-8"))


@cache
def word_table(name: str) -> dict[str, float]:
    """Return {word: how telling it is, from 0 to 1} of a table of words; a word that is not in it is worth 1."""
    rows = (row.split("\t") for row in _lines(name))
    return {word: float(value) for word, value in rows}


@cache
def stop_words() -> frozenset[str]:
    """Return words of questions in both languages that say nothing about the problem."""
    return frozenset(word for row in _lines("stop_words.txt") for word in row.split())
