"""The text of the other language beside the one that is written, section by section, with what changed in it since."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from app.content.headings import SECTIONS
from app.content.schema import EntryDocument
from app.content.translations import Pair, pairs, section_texts, stale
from app.i18n import Lang
from app.site.contribute import sections
from app.site.contribute.text_fields import BODY, TextForm
from app.site.entry.differences import FileDifference, text_difference
from app.store import entries

# The revision with which a section was last level is looked for in so many.
LOOKED_BACK = 30


@dataclass(frozen=True, slots=True)
class SourceSection:
    """What the other language says in the place of a box.

    `is_behind` says that it was changed since the own text was last level with it; `changed` tells how, by heading, as
    far as the revision that it was level with is known.
    """

    text: str
    is_behind: bool = False
    changed: tuple[FileDifference, ...] = ()


Sources = Mapping[str, SourceSection]


def translation_sources(
    session: Session, document: EntryDocument | None, lang: Lang, other: TextForm, *, kind: str, own_is_free: bool
) -> Sources:
    """Return the sections of the other language by the box of the own one, as they are typed.

    `document` is the entry or proposal that is written on; None for a new one.
    """
    texts = _texts(own_is_free, other, kind, lang)
    behind: dict[str, list[FileDifference | None]] = {}
    for pair, change in _behind(session, document, lang) if document else ():
        box = "body" if own_is_free else _box(pair.heading.text, lang)
        behind.setdefault(box if box in texts else next(iter(texts), ""), []).append(change)
    return {
        box: SourceSection(text, box in behind, tuple(one for one in behind.get(box, ()) if one))
        for box, text in texts.items()
    }


def _texts(own_is_free: bool, other: TextForm, kind: str, lang: Lang) -> dict[str, str]:
    parts = {name: getattr(other, name) for name in BODY}
    if own_is_free and not other.body:
        parts = {"body": sections.join(parts, "en" if lang == "zh" else "zh", kind).strip()}
    elif other.body:
        parts = {"body" if own_is_free else "symptom": other.body}
    return {name: text for name, text in ({"title": other.title} | parts).items() if text}


def _box(heading: str, lang: Lang) -> str:
    return next((section.name for section in SECTIONS if section.heading(lang) == heading), "")


def _behind(session: Session, document: EntryDocument, lang: Lang) -> Iterator[tuple[Pair, FileDifference | None]]:
    """Yield each own section that was left behind, with what changed in its counterpart if that is known."""
    lagging = [pair for pair in stale(document) if pair.lang == lang]
    if not lagging:
        return
    rows = entries.revisions(session, document.slug, LOOKED_BACK)
    earlier = [EntryDocument.model_validate_json(row.document) for row in rows]
    other: Lang = "en" if lang == "zh" else "zh"
    now = section_texts(document, other)
    for pair in lagging:
        level = document.level.get(lang, {}).get(pair.heading.text)
        found = next((one for one in earlier if _holds(one, pair, level)), None)
        heading = pair.other.text
        before = section_texts(found, other).get(heading) if found else None
        yield pair, None if before is None else text_difference(heading, before, now.get(heading, ""))


def _holds(document: EntryDocument, pair: Pair, level: str | None) -> bool:
    return any((one.lang, one.other.text, one.hash) == (pair.lang, pair.other.text, level) for one in pairs(document))
