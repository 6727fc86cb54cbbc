"""A line is only tried on an expression where it holds a text that stands in all that the expression finds."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.matching.parsing import error_lines
from app.matching.parsing.error_lines import ErrorLine, find, names_a_cause, type_endings
from app.matching.text import rules
from app.matching.text.needles import Needles, alternatives, needles_of, one_of
from app.matching.text.rules import FOLDER, is_unlisted, listed

APP = Path(error_lines.__file__).parents[2]
LISTS = sorted(
    {name for path in APP.rglob("*.py") for name in re.findall(r'listed\("(.+?)"\)', path.read_text("utf-8"))}
)
ROWS = [
    (name, row)
    for name in LISTS
    for row in (FOLDER / name).read_text("utf-8").splitlines()
    if row and not row.startswith("#")
]
ERROR_LINES = [row for row in error_lines.error_lines() if row.pattern is not None]
FOUND = [
    ("Broken pipe$", {"Broken pipe"}, set()),
    (r"could not|cannot", {"could not", "cannot"}, set()),
    (r"^\[?Errno 32\]?", {"Errno 32"}, set()),
    (r"^(?:a\.)?(?:RayError|ActorError)", {"RayError", "ActorError"}, set()),
    (r"process \d+ was (?:killed|ended)", {"process "}, set()),
    (r"\*{3} ab+c?d", {" ab"}, set()),
    (r"x{0,3}yy{2}[z]q", {"yy"}, set()),
    (r"{} is empty", {"{} is empty"}, set()),
    (r"(?<!not )found(?=: x)(?!y)", {"found"}, set()),
    (r"\b(?i:Exit|shut ?down)\b", set(), {"exit", "shut"}),
    (r"(?P<name>abc)\.", {"abc"}, set()),
]
NONE = [r"\d+", r"a|\w", r"(?:a)?", r"", r"(?i)abc", r"\u0061b", r"(a)\1", r"(?>ab)", r"(?i:ſ)"]


@pytest.mark.parametrize(("expression", "cased", "folded"), FOUND)
def test_the_needles_of_an_expression_are_told(expression: str, cased: set[str], folded: set[str]) -> None:
    assert needles_of(expression) == Needles(frozenset(cased), frozenset(folded))


@pytest.mark.parametrize("expression", NONE)
def test_an_expression_without_a_needle_has_none(expression: str) -> None:
    assert needles_of(expression) is None


@pytest.mark.parametrize(("name", "row"), ROWS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_a_row_of_a_list_finds_is_found_behind_its_needles(name: str, row: str, data: st.DataObject) -> None:
    text = data.draw(st.text(max_size=3)) + data.draw(st.from_regex(row)) + data.draw(st.text(max_size=3))
    assert needles_of(row) is not None
    assert listed(name).fits(text) or not re.search(row, text)
    assert not is_unlisted(text) or not listed(name).fits(text)


def test_every_list_that_is_asked_is_among_those_asked_together() -> None:
    assert sorted(rules.LISTS) == LISTS


@pytest.mark.parametrize("row", ERROR_LINES, ids=lambda row: row.name)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_a_row_of_the_error_lines_fits_is_found(row: ErrorLine, data: st.DataObject) -> None:
    assert row.pattern is not None
    text = data.draw(st.from_regex(row.pattern))
    if row.fits(text) and not re.search(r"Warning\w*(?:\(\w+\))?(?:\s*:|$)", text):
        assert find(text, "", False) is not None
        assert names_a_cause(text) or not row.names_a_cause


@pytest.mark.parametrize("ending", type_endings())
def test_a_type_with_a_telling_ending_is_found(ending: str) -> None:
    assert find(f"some.module.A{ending}: text", "", False) == (f"A{ending}", 0)


@given(st.lists(st.text("eax(中", min_size=1, max_size=5)), st.text("eax(中", max_size=12), st.integers(0, 12))
def test_one_of_several_texts_is_sought_from_a_place_on(texts: list[str], text: str, begin: int) -> None:
    # frequent letters and rare ones, so that some texts are sought from their middle on
    assert (one_of(texts).search(text, begin) is not None) >= any(one in text[begin:] for one in texts)
    lines = f"{text}\n{text}"
    behind = one_of(texts).search(lines, len(text) + 1)
    assert (behind is not None) == any(one in text for one in texts)


@given(st.lists(st.text("ab ", min_size=1, max_size=4)), st.text("ab ", max_size=9))
def test_one_of_several_texts_is_found_wherever_one_stands(texts: list[str], text: str) -> None:
    assert (one_of(texts).search(text) is not None) == any(one in text for one in texts)
    begins = re.match(alternatives(texts), text) is not None
    assert begins == text.startswith(tuple(texts))
