"""An answer as the command line shows it, and as the JSON of `POST /api/v1/match`."""

from typing import Any

from rich.text import Text

from app import i18n
from app.asking.question_service import Answer, Match
from app.cli.output import plain as clean
from app.cli.output import say
from app.i18n import Lang
from app.matching.model import Message, Reason, Report

MOST_ERRORS = 50
_STYLES = {"high": "bold green", "likely": "bold yellow", "low": "dim"}


def worded(lang: Lang, reason: Reason) -> str:
    """Return a reason as a sentence."""
    return i18n.text(lang, f"reason.{reason.key}", **dict(reason.params))


def plain(answer: Answer, lang: Lang, base_url: str) -> dict[str, Any]:
    """Return an answer as JSON values, in the shape of the API."""
    return {
        "matches": [plain_match(match, lang, base_url) for match in answer.matches],
        "related": [plain_match(match, lang, base_url) for match in answer.related],
        "report": _plain_report(answer.report),
    }


def plain_match(match: Match, lang: Lang, base_url: str) -> dict[str, Any]:
    """Return a scored entry as JSON values; its address is relative when no base URL is set."""
    return {
        "slug": match.slug,
        "title": match.title,
        "lang": match.lang,
        "url": f"{base_url}/{lang}/e/{match.slug}",
        "score": match.score,
        "confidence": match.confidence,
        "reasons": [
            {
                "key": reason.key,
                "text": worded(lang, reason),
                "contribution": reason.contribution,
                "spans": [list(span) for span in reason.spans],
            }
            for reason in match.reasons
        ],
        "why_not": worded(lang, match.why_not) if match.why_not else None,
        "actions": match.actions,
    }


def _plain_report(report: Report) -> dict[str, Any]:
    errors = [
        {
            "type": error.type,
            "message": error.text,
            "role": error.role,
            "incident": error.incident,
            "line": error.line,
            "span": list(error.span),
        }
        for error in report.errors[:MOST_ERRORS]
    ]
    return {"errors": errors, "lines": report.lines, "truncated": report.truncated}


def show(answer: Answer, lang: Lang, *, explain: bool) -> None:
    """Print an answer: what was read as the first cause, then the entries with the reasons for them."""
    _show_report(answer.report, lang, explain)
    if not answer.matches:
        say("No known entry." if lang == "en" else "还没有对应的条目。")
    for match in answer.matches:
        _show_match(match, lang, explain)
    if answer.related:
        say()
        say("Related, not an answer:" if lang == "en" else "相关，但不是答案：")
    for match in answer.related:
        _show_match(match, lang, explain)


def _show_report(report: Report, lang: Lang, explain: bool) -> None:
    cause = report.cause
    shown = report.errors[:MOST_ERRORS] if explain else (cause,) if cause else ()
    for message in shown:
        say(_error_line(message, lang))


def _error_line(message: Message, lang: Lang) -> Text:
    role = i18n.text(lang, f"role.{message.role}")
    first = clean(message.text.splitlines()[0] if message.text else "")
    return Text.assemble((f"{role}: ", "bold"), first[:300], (f"  [{message.line}]", "dim"))


def _show_match(match: Match, lang: Lang, explain: bool) -> None:
    say()
    sure = i18n.text(lang, f"confidence.{match.confidence}")
    say(Text.assemble((clean(match.title), "bold"), "  ", (f"{sure} {match.score:g}", _STYLES[match.confidence])))
    say(f"  {match.slug}")
    if match.why_not is not None:
        say(f"  - {worded(lang, match.why_not)}")
    for reason in match.reasons:
        points = f"{reason.contribution:+g} " if explain else ""
        say(f"  - {points}{worded(lang, reason)}")
