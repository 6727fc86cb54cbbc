"""What pastes are answered, whole: a change of ranking shows as a difference of these files.

Each `pastes/NAME.txt` has its report in `pastes/NAME.golden`. After a change that is meant, rewrite them with
`ERRDEX_REWRITE_GOLDEN=1 python -m pytest tests/golden` and read the difference before it is committed.
What is right stands in `EXPECTED.md`, which is written by hand: a rewritten report cannot hide a wrong answer.
"""

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from app.asking.question_service import Answer, Match, Questions
from app.matching.model import Reason

FOLDER = Path(__file__).parent
PASTES = sorted((FOLDER / "pastes").glob("*.txt"))


class Expected(NamedTuple):
    """A row of `EXPECTED.md`: the lines that name the first cause, any of which is right, and the entries alike."""

    paste: str
    lines: tuple[int, ...]
    entries: tuple[str, ...]


def expected() -> list[Expected]:
    """The rows of `EXPECTED.md`; where none is the answer, `entries` is empty."""
    table = (FOLDER / "EXPECTED.md").read_text(encoding="utf-8").partition("|---|")[2].splitlines()[1:]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in table if line.startswith("|")]
    return [
        Expected(paste, tuple(map(int, lines.split(" or "))), () if entries == "none" else tuple(entries.split(" or ")))
        for paste, lines, entries in rows
    ]


def read(path: Path) -> str:
    """The text of a paste with its own line ends."""
    return path.read_bytes().decode()


def test_every_paste_has_one_row_of_what_is_expected() -> None:
    assert sorted(row.paste for row in expected()) == [path.stem for path in PASTES]


@pytest.mark.parametrize("row", expected(), ids=lambda row: row.paste)
def test_the_first_cause_is_the_line_that_an_engineer_names(row: Expected, questions: Questions) -> None:
    cause = questions.ask(read(FOLDER / "pastes" / f"{row.paste}.txt")).report.cause
    assert cause is not None
    assert cause.line in row.lines, cause.text


@pytest.mark.parametrize("row", expected(), ids=lambda row: row.paste)
def test_the_answer_is_the_entry_that_an_engineer_expects(row: Expected, questions: Questions) -> None:
    first = [match.slug for match in questions.ask(read(FOLDER / "pastes" / f"{row.paste}.txt")).matches[:1]]
    assert first in ([[slug] for slug in row.entries] or [[]])


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_a_paste_is_answered_as_it_was(path: Path, questions: Questions) -> None:
    text = read(path)
    shown = golden(text, questions.ask(text, "en", 3))
    kept = path.with_suffix(".golden")
    if os.environ.get("ERRDEX_REWRITE_GOLDEN"):
        kept.write_text(shown, encoding="utf-8")
    assert shown == kept.read_text(encoding="utf-8")


def golden(text: str, answer: Answer) -> str:
    """The report and the answer as lines that a person can read."""
    report = answer.report
    lines = [f"{report.lines} lines, {len(report.frames)} frames"]
    for message in report.errors:
        times = f" ×{message.times}" if message.times > 1 else ""
        first = message.text.partition("\n")[0][:110]
        lines.append(f"  {message.role:<11} {message.line:>4}{times}  {first}")
    for title, matches in (("answers", answer.matches), ("related", answer.related)):
        lines.append(title)
        for match in matches:
            lines += _match(text, match)
    return "\n".join(lines) + "\n"


def _match(text: str, match: Match) -> list[str]:
    why_not = f"  not an answer: {match.why_not.key}" if match.why_not else ""
    return [f"  {match.score:5.1f} {match.confidence:<6} {match.slug}{why_not}"] + [
        f"        {reason.contribution:+6.1f} {reason.key} {_told(text, reason)}".rstrip() for reason in match.reasons
    ]


def _told(text: str, reason: Reason) -> str:
    shown = " … ".join(text[span.start : span.end].replace("\n", "⏎") for span in reason.spans[:4])
    return shown[:110]
