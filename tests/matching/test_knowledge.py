"""The knowledge files of the engine keep to the rules that stand at their top."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.matching.ranking.terms import prose_terms
from app.matching.text import rules
from app.matching.text.rules import BrokenRule, listed

LISTS = ("noise.txt", "wrappers.txt", "consequences.txt", "peers.txt", "endings.txt", "progress.txt")


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


@pytest.mark.parametrize("name", LISTS)
def test_each_row_is_an_expression_of_its_own(name: str) -> None:
    """Two halves of one would become a third expression where they are joined."""
    path = rules.FOLDER / name
    for row in path.read_text(encoding="utf-8").splitlines():
        re.compile(row)


@pytest.mark.parametrize(
    ("name", "text", "line", "why"),
    [
        ("noise.txt", "# why\n\n^fine\nfine(?:ly)?\n(?:never closed\nfine\n", 5, "missing )"),
        ("noise.txt", "^fine\n^[z-a]\n", 2, "bad character range"),
        ("noise.txt", "fine\nfi*+?*ne\n", 2, "multiple repeat"),
        ("noise.txt", "(?P<a>fine)\n# comment\n(?P<a>again)\n", 3, "redefinition of group name"),
        ("noise.txt", "fine\n(?i)not at the start\n", 2, "global flags not at the start"),
        ("words.tsv", "# head\nfine\t0.5\nlonely\n", 3, "no word, tab and number"),
        ("words.tsv", "fine\t0.5\nword\thalf\n", 2, "no word, tab and number"),
        ("words.tsv", "fine\t1.5\n", 1, "not from 0 to 1"),
        ("words.tsv", "fine\tnan\n", 1, "not from 0 to 1"),
        ("weights.toml", "[answer]\nlikely = 58\nhigh = \n", 3, "Invalid value"),
        ("symptoms.toml", "[repeated]\nwords = 'a'\nwords = 'b'\n", 3, "Cannot overwrite a value"),
        ("subjects.toml", "programs = ['a']\nprograms = ['b']\n", 2, "Cannot overwrite a value"),
    ],
)
def test_a_rule_that_is_broken_is_named_by_file_and_line(
    tmp_path: Path, name: str, text: str, line: int, why: str
) -> None:
    read: dict[str, Any] = {
        "noise.txt": lambda: rules.listed(name, tmp_path),
        "words.tsv": lambda: rules.word_table(name, tmp_path),
        "weights.toml": lambda: rules.weights(tmp_path),
        "symptoms.toml": lambda: rules.signs(tmp_path),
        "subjects.toml": lambda: rules.subjects(tmp_path),
    }
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BrokenRule) as caught:
        read[name]()
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / name}:")
    assert f":{line}: " in said or f"at line {line}," in said
    assert why in said


def test_every_name_and_word_of_a_subject_can_be_met() -> None:
    known = rules.subjects()
    rows = [*known["programs"], *known["platforms"], *known["kinds"].values(), *known["rivals"]]
    assert [form for row in rows for form in row.split("; ") if not prose_terms(form)] == []


def test_each_of_the_rivals_is_a_name() -> None:
    known = rules.subjects()
    names = {form for row in (*known["programs"], *known["platforms"]) for form in row.split("; ")}
    assert [one for row in known["rivals"] for one in row.split("; ") if one not in names] == []
