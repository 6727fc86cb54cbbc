"""Patterns as people and the counter write them: a text with a hole `<*>` where a value stood."""

import re

from app.matching.ranking.holes import HOLE
from app.matching.text.tokens import tokens

_LEADING = re.compile(rf"^(?:{re.escape(HOLE)}[\s:,;.-]*)+")


def several_holes(between: str) -> re.Pattern[str]:
    """Return what finds holes in a row that stand for one value; `between` is the expression of what may part them."""
    return re.compile(rf"{re.escape(HOLE)}(?:{between}{re.escape(HOLE)})+")


def tidy_holes(text: str, several: re.Pattern[str], most: int) -> str:
    """Return a pattern with one hole for `several`, without holes at its beginning, of at most `most` characters."""
    return shorten(_LEADING.sub("", several.sub(HOLE, text)), most)


def shorten(text: str, most: int) -> str:
    """Return a text of at most `most` characters that ends where a word ends; a hole is no part of a word."""
    text = text.strip()
    return text if len(text) <= most else text[: max((t.end for t in tokens(text) if t.end <= most), default=0)]


def is_within_word(text: str, at: int) -> bool:
    """Tell whether the character at `at` goes on a word: the number of `rank3` or `c10d` belongs to a name."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_")
