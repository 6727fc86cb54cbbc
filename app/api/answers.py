"""Answers as plain JSON values."""

import json
import re
from typing import Any

from fastapi.responses import JSONResponse

from app import i18n
from app.api.schemas import MOST
from app.asking.question_service import Answer, Match
from app.i18n import Lang
from app.matching.model import Message, Reason, Report

_SURROGATE = re.compile("[\ud800-\udfff]")


class Json(JSONResponse):
    """JSON in UTF-8 without validation; half of a surrogate pair, which no encoding can carry, becomes U+FFFD."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return whole_characters(text).encode()


def whole_characters(text: str) -> str:
    """Return `text` with every half of a surrogate pair replaced; its length in code points stays."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def answer_of(answer: Answer, lang: Lang, base: str) -> dict[str, Any]:
    """Return an answer with its reasons worded in `lang`; `base` is the address of the site."""
    return {
        "matches": [match_of(match, lang, base) for match in answer.matches],
        "related": [match_of(match, lang, base) for match in answer.related],
        "report": _report(answer.report),
    }


def match_of(match: Match, lang: Lang, base: str) -> dict[str, Any]:
    """Return a match with its reasons worded in `lang`."""
    return {
        "slug": match.slug,
        "title": match.title,
        "lang": match.lang,
        "url": page_of(base, lang, match.slug),
        "score": match.score,
        "confidence": match.confidence,
        "reasons": [_reason(reason, lang) for reason in match.reasons],
        "why_not": _worded(match.why_not, lang) if match.why_not else None,
        "actions": match.actions,
    }


def page_of(base: str, lang: str, slug: str) -> str:
    """Return the address of an entry's page."""
    return f"{base}/{lang}/e/{slug}"


def _reason(reason: Reason, lang: Lang) -> dict[str, Any]:
    return {
        "key": reason.key,
        "text": _worded(reason, lang),
        "contribution": reason.contribution,
        "spans": reason.spans,
    }


def _worded(reason: Reason, lang: Lang) -> str:
    return i18n.text(lang, f"reason.{reason.key}", **dict(reason.params))


def _report(report: Report) -> dict[str, Any]:
    return {
        "errors": [_error(message) for message in report.errors[:MOST]],
        "lines": report.lines,
        "truncated": report.truncated,
    }


def _error(message: Message) -> dict[str, Any]:
    return {
        "type": message.type,
        "message": message.text,
        "role": message.role,
        "incident": message.incident,
        "line": message.line,
        "span": message.span,
    }
