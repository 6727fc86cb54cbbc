"""An answer as the command line shows it."""

from rich.text import Text

from app import i18n
from app.asking.answer_json import reason_text
from app.asking.question_service import MOST, Answer, Match
from app.cli.output import plain as clean
from app.cli.output import say
from app.i18n import Lang
from app.matching.model import Message, Report

_STYLES = {"high": "bold green", "likely": "bold yellow", "low": "dim"}


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
    shown = report.errors[:MOST] if explain else (cause,) if cause else ()
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
        say(f"  - {reason_text(match.why_not, lang)}")
    for reason in match.reasons:
        points = f"{reason.contribution:+g} " if explain else ""
        say(f"  - {points}{reason_text(reason, lang)}")
