"""Text to tokens: what message patterns and pastes are compared by."""

import re
from typing import NamedTuple

# \b and \w would glue a Chinese character to a digit, so the classes are spelled out
_TOKEN = re.compile(r"0[xX][0-9a-fA-F]+|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[\u3400-\u4dbf\u4e00-\u9fff]|[\u00c0-\u024f\u0370-\u1fff]+")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
NUMBER = "0"


class Token(NamedTuple):
    """A lower-cased word, identifier, number or Chinese character, and where it stands in its text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text in order; every number is the token `0`."""
    return [
        Token(NUMBER if (word := match.group())[0].isdigit() else word.lower(), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]


def words(text: str) -> list[str]:
    """Return only the texts of the tokens, in order."""
    return [NUMBER if word[0].isdigit() else word.lower() for word in _TOKEN.findall(text)]


def han_count(text: str) -> int:
    """Return the number of Chinese characters in a text."""
    return len(_HAN.findall(text))
