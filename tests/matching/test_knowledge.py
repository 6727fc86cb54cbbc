"""The knowledge files of the engine keep to the rules that stand at their top."""

import re

import pytest

from app.matching.knowledge import listed

LISTS = ("noise.txt", "wrappers.txt", "consequences.txt", "peers.txt", "endings.txt")


def alternatives(expression: str) -> list[str]:
    """The top-level alternatives of an expression."""
    found, depth, in_class, at = [""], 0, False, 0
    while at < len(expression):
        letter = expression[at : at + 2] if expression[at] == "\\" else expression[at]
        in_class = letter == "[" or (in_class and letter != "]")
        depth += 0 if in_class else (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0 and not in_class:
            found.append("")
        else:
            found[-1] += letter
        at += len(letter)
    return found


@pytest.mark.parametrize("name", LISTS)
def test_expressions_for_the_beginning_of_a_text_stand_alone(name: str) -> None:
    kinds = listed(name)
    assert all(part.startswith("^") for part in alternatives(kinds.beginning.pattern) if part != "(?!)")
    assert not any(part.startswith("^") for part in alternatives(kinds.anywhere.pattern))


@pytest.mark.parametrize("name", LISTS)
def test_no_expression_fits_an_empty_text(name: str) -> None:
    assert not listed(name).fits("")


def test_an_expression_without_alternatives_at_the_top_is_one() -> None:
    assert alternatives(r"^a(?:b|c)[|]\|d") == [r"^a(?:b|c)[|]\|d"]
    assert alternatives("a|^b") == ["a", "^b"]
    assert re.compile(r"(?!)").search("anything") is None
