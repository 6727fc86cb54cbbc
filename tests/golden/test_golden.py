"""What pastes are answered, whole: a change of ranking shows as a difference of these files.

Each `pastes/NAME.txt` has its report in `pastes/NAME.golden`. After a change that is meant, rewrite them with
`ERRDEX_REWRITE_GOLDEN=1 python -m pytest tests/golden` and read the difference before it is committed.
"""

import os
from pathlib import Path

import pytest

from app.matching.types import Reason
from app.search import Answer, Match, Questions

PASTES = sorted((Path(__file__).parent / "pastes").glob("*.txt"))


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_a_paste_is_answered_as_it_was(path: Path, questions: Questions) -> None:
    text = path.read_text(encoding="utf-8")
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
        times = f" ×{message.count}" if message.count > 1 else ""
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
