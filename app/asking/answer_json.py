"""An answer as JSON values: what the API sends and the command line prints. `app.api.schemas` describes them."""

from typing import Any

from app import i18n
from app.asking.question_service import MOST, Answer, Match
from app.asking.version_words import verdicts_json
from app.asking.way_on import way_on
from app.i18n import Lang
from app.matching.model import Message, Reason, Report


def answer_json(answer: Answer, lang: Lang, base_url: str) -> dict[str, Any]:
    """Return an answer with its reasons worded in `lang`, and at most 50 of the errors that were seen.

    `base_url` is the address of the site, without a slash at its end; addresses are relative when it is empty.
    """
    return {
        "matches": [match_json(match, lang, base_url) for match in answer.matches],
        "related": [match_json(match, lang, base_url) for match in answer.related],
        "report": _report(answer.report),
        "next": None if answer.matches else _way_on(answer, lang),
    }


def match_json(match: Match, lang: Lang, base_url: str) -> dict[str, Any]:
    """Return an entry that was compared with the text, its reasons worded in `lang`."""
    return {
        "slug": match.slug,
        "title": match.title,
        "lang": match.lang,
        "url": entry_url(base_url, lang, match.slug),
        "score": match.score,
        "confidence": match.confidence,
        "reasons": [_reason(reason, lang) for reason in match.reasons],
        "why_not": reason_text(match.why_not, lang) if match.why_not else None,
        "actions": match.actions,
        "versions": verdicts_json(match.versions, lang),
    }


def answered_json(match: Match, lang: Lang, base_url: str) -> dict[str, Any]:
    """Return an entry that answers what is being written, without the reasons, whose places are in no text at hand."""
    shown = match_json(match, lang, base_url)
    return {name: shown[name] for name in ("slug", "title", "lang", "url", "score", "confidence")}


def entry_url(base_url: str, lang: str, slug: str) -> str:
    """Return the address of an entry's page."""
    return f"{base_url}/{lang}/e/{slug}"


def reason_text(reason: Reason, lang: Lang) -> str:
    """Return a reason as a sentence in `lang`."""
    return i18n.text(lang, f"reason.{reason.key}", **dict(reason.params))


def _reason(reason: Reason, lang: Lang) -> dict[str, Any]:
    return {
        "key": reason.key,
        "text": reason_text(reason, lang),
        "contribution": reason.contribution,
        "spans": reason.spans,
    }


def _report(report: Report) -> dict[str, Any]:
    return {
        "errors": [_error(message) for message in report.errors[:MOST]],
        "versions": [seen._asdict() for seen in report.versions],
        "lines": report.lines,
        "truncated": report.truncated,
    }


def _way_on(answer: Answer, lang: Lang) -> dict[str, Any] | None:
    found = way_on(answer.report, lang, answer.names)
    return {"tracker": found.tracker, "url": found.url, "asks": found.asks} if found else None


def _error(message: Message) -> dict[str, Any]:
    return {
        "type": message.type,
        "message": message.text,
        "role": message.role,
        "incident": message.incident,
        "line": message.line,
        "span": message.span,
    }
