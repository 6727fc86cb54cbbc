"""Text to tokens: what message patterns and pastes are compared by."""

import re
from functools import lru_cache
from typing import NamedTuple

# Digits are cut off words, so that `rank3`, `step_1200` and `layer.12` meet whatever the number is;
# \b and \w would glue a Chinese character to a digit, so the classes are spelled out. NumPy from 2 on prints a number
# with its type around it, which says no more.
_TOKEN = re.compile(
    r"(?:np\.(?:float|int)\d+\(-?)?"
    r"(0[xX][0-9a-fA-F]+|[A-Za-z_]+|[0-9]+(?:\.[0-9]+)*|[\u3400-\u4dbf\u4e00-\u9fff]|[\u00c0-\u024f\u0370-\u1fff]+)"
)
# A run of capitals is a word of its own, up to the capital that begins the next word, as in `NCCLError`.
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
# A number is only a number, whatever its value; but zero often is what an error is about (a reward, a loss, a count).
NUMBER, ZERO = "1", "0"
# Two ranks that print at once give `KeyErrorKeyError`. Shorter doubled words exist in languages.
_SHORTEST_DOUBLED = 4
_ENDINGS = ("ization", "ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "e")
# Longer words are not cached, for they are hardly seen twice and would take much memory.
_REMEMBERED_LENGTH = 48


class Token(NamedTuple):
    """A lower-cased word, identifier, number or Chinese character, and where it stands in its text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text in order; a number is the token `1`, or `0` for zero."""
    return [Token(word, *span) for word, span in zip(words(text), places(text), strict=True)]


def places(text: str) -> list[tuple[int, int]]:
    """Return where each token of a text begins and ends, in order."""
    return [match.span(1) for match in _TOKEN.finditer(text)]


def words(text: str) -> list[str]:
    """Return only the texts of the tokens, in order."""
    found = _TOKEN.findall(text)
    return [_known(word) if len(word) <= _REMEMBERED_LENGTH else _text(word) for word in found]


def _text(word: str) -> str:
    if word[0] in "0123456789":
        return NUMBER if word.strip("0.") else ZERO
    half = len(word) // 2
    if half >= _SHORTEST_DOUBLED and word[:half] == word[half:]:
        word = word[:half]
    return word.lower()


_known = lru_cache(maxsize=65_536)(_text)


def parts(text: str) -> list[str]:
    """Return the Latin words of a text in lower case, those of identifiers one by one: `maxLen` is `max` and `len`."""
    return [part.lower() for part in _PART.findall(text)]


def han_count(text: str) -> int:
    """Return the number of Chinese characters in a text."""
    return len(_HAN.findall(text))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return an English word without its ending, so that forms of a word meet; at least four letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
