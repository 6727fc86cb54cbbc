"""The usual sections of a text, and a body put together from them."""

from collections.abc import Mapping

from app.content.headings import SECTIONS, sections_of
from app.i18n import Lang
from app.web import markdown


def names() -> tuple[str, ...]:
    """Return the names of the sections, the same for every kind of entry."""
    return tuple(dict.fromkeys(section.name for section in SECTIONS))


def join(parts: Mapping[str, str], lang: Lang, kind: str) -> str:
    """Return the body with a heading over each part that is not empty."""
    headed = [(section.heading(lang), parts[section.name]) for section in sections_of(kind)]
    return "\n\n".join(f"## {heading}\n{text}" for heading, text in headed if text) + "\n"


def split(body: str, lang: Lang, kind: str) -> dict[str, str] | None:
    """Return the parts of a body by name, or None when it has other headings than the usual ones in their order."""
    usual = sections_of(kind)
    headings = [section.heading(lang) for section in usual]
    found = markdown.sections(body.replace("\r\n", "\n"))
    places = [headings.index(heading) if heading in headings else -1 for heading, _ in found]
    if -1 in places or places != sorted(set(places)):
        return None
    parts = dict.fromkeys(names(), "")
    return parts | {usual[place].name: text.strip() for place, (_, text) in zip(places, found, strict=True)}
