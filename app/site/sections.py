"""The usual sections of a text, and a body put together from them."""

from collections.abc import Mapping

from app import render
from app.i18n import Lang

NAMES = ("symptom", "cause", "fix", "check")
_HEADINGS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("en", "error"): ("Symptom", "Cause", "Fix", "Check"),
    ("zh", "error"): ("现象", "原因", "修复", "验证"),
    ("en", "question"): ("Question", "Background", "Answer", "Check"),
    ("zh", "question"): ("问题", "背景", "回答", "验证"),
}


def join(parts: Mapping[str, str], lang: Lang, kind: str) -> str:
    """Return the body with a heading over each part that is not empty."""
    headed = zip(NAMES, _HEADINGS[lang, kind], strict=True)
    return "\n\n".join(f"## {heading}\n{parts[name]}" for name, heading in headed if parts[name]) + "\n"


def split(body: str, lang: Lang, kind: str) -> dict[str, str] | None:
    """Return the parts of a body by name, or None when it has other headings than the usual ones in their order."""
    headings = _HEADINGS[lang, kind]
    found = render.sections(body.replace("\r\n", "\n"))
    places = [headings.index(heading) if heading in headings else -1 for heading, _ in found]
    if -1 in places or places != sorted(set(places)):
        return None
    parts = dict.fromkeys(NAMES, "")
    return parts | {NAMES[place]: text.strip() for place, (_, text) in zip(places, found, strict=True)}
