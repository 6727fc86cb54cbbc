"""Logs with several errors: the line that names the first cause, and what is answered.

Each file of `several/` holds twelve pastes of one kind. `=== name | entries` begins one (`a or b`: either is right;
`none`: there must be no answer), and `» ` stands before the line that names its first cause. Both were decided before
the engine was asked, and are not changed to suit it; an entry of its own that a message got later is right too.
`crowded/` holds logs of the same kinds at the length that they have in earnest, 19 to 96 lines, written by somebody who
saw the titles of the entries and nothing else.
"""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.asking.question_service import Questions

FOLDER = Path(__file__).parent / "several"
CROWDED = Path(__file__).parent / "crowded"
MARK = "» "
# What the engine does not do yet. A paste that it learns to answer must leave this list.
BEHIND = {
    "yaml-tab",
    "ci-with-marks",
}


class Case(NamedTuple):
    """A paste, the number of the line that names its first cause, and the entries any of which should come first."""

    name: str
    text: str
    line: int
    entries: tuple[str, ...]


def cases() -> list[Case]:
    """The pastes of all files."""
    paths = [*sorted(FOLDER.glob("*.txt")), *sorted(CROWDED.glob("*.txt"))]
    return [_case(block) for path in paths for block in _blocks(path.read_text("utf-8"))]


def _blocks(text: str) -> list[str]:
    return text.removeprefix("=== ").split("\n=== ")


def _case(block: str) -> Case:
    head, _, marked = block.partition("\n")
    name, _, entries = head.partition(" | ")
    lines = marked.split("\n")
    line = next(number for number, line in enumerate(lines, 1) if line.startswith(MARK))
    return Case(name, marked.replace(MARK, "", 1), line, tuple(entries.split(" or ")))


@pytest.mark.parametrize("folder", [FOLDER, CROWDED])
def test_the_kinds_are_equally_many(folder: Path) -> None:
    kinds = [_blocks(path.read_text("utf-8")) for path in folder.glob("*.txt")]
    assert [len(blocks) for blocks in kinds] == [12] * 5
    assert {block.count("\n" + MARK) for blocks in kinds for block in blocks} == {1}


def _marked(case: Case) -> Any:
    behind = [pytest.mark.xfail(strict=True, reason="not yet")] if case.name in BEHIND else []
    return pytest.param(case, id=case.name, marks=behind)


@pytest.mark.parametrize("case", [_marked(case) for case in cases()])
def test_the_first_cause_is_named_and_answered(case: Case, questions: Questions) -> None:
    answer = questions.ask(case.text)
    assert answer.report.cause is not None
    assert answer.report.cause.line == case.line, answer.report.cause.text
    assert (answer.matches[0].slug if answer.matches else "none") in case.entries
