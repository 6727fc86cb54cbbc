"""The page of one entry: a plate in the guide."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from sqlmodel import Session

from app.content.schema import EntryDocument, Signature, Text
from app.content.translations import Pair, pairs, stale
from app.i18n import Lang
from app.people.permissions import PAGE_READ
from app.site.entry import feedback
from app.site.entry.entry_text import EntryText, entry_text
from app.site.entry.feedback import FeedbackShown
from app.site.frame.page import Language, getter, render_page
from app.store import entries
from app.store.entries import Credit, Head
from app.web.dependencies import Reading
from app.wiki import publishing

router = APIRouter()
get = getter(router)
# The day on which one language went ahead of the other is looked for in so many revisions.
LOOKED_BACK = 30


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Context of `entry.html`.

    `text_lang` is the language of `text`, which may not be that of the page; `read` is what is read of it. `credit` and
    `feedback` are of the present revision only.
    """

    document: EntryDocument
    revision: int
    text: Text
    text_lang: Lang
    read: EntryText
    marks: tuple[Signature, ...]
    also: tuple[Head, ...]
    related: tuple[Head, ...]
    feedback: FeedbackShown | None = None
    credit: Credit | None = None


@get("/{lang}/e/{project}/{name}.md", PAGE_READ)
def entry_markdown(lang: Language, project: str, name: str, session: Reading) -> Response:
    """Return the text of an entry as markdown."""
    _, document = publishing.named(session, f"{project}/{name}")
    _, text = document.text(lang)
    return PlainTextResponse(f"# {text.title}\n\n{text.body.strip()}\n", media_type="text/markdown")


@get("/{lang}/e/{project}/{name}", PAGE_READ)
def entry(request: Request, lang: Language, project: str, name: str, session: Reading) -> Response:
    """Show an entry."""
    row, document = publishing.named(session, f"{project}/{name}")
    said = feedback.shown(request, session, document, row.revision)
    credit = entries.credit(session, row.slug, row.revision)
    page = replace(plate(session, lang, document, row.revision), feedback=said, credit=credit)
    return render_page(request, "entry.html", page)


def plate(session: Session, lang: Lang, document: EntryDocument, revision: int) -> EntryPage:
    """Return what the page of an entry shows for a document; look-alikes that are not in the guide are left out."""
    text_lang, text = document.text(lang)
    heads = {head.slug: head for head in entries.heads(session, slugs=[*document.also, *document.related])}
    return EntryPage(
        document=document,
        revision=revision,
        text=text,
        text_lang=text_lang,
        read=entry_text(document, lang, _behind(session, document, text_lang)),
        marks=marks(document),
        also=tuple(heads[slug] for slug in document.also if slug in heads),
        related=tuple(heads[slug] for slug in document.related if slug in heads and slug not in document.also),
    )


def _behind(session: Session, document: EntryDocument, lang: Lang) -> Mapping[str, datetime | None]:
    """Return the headings in `lang` whose section changed in the other language only, and when it did if known."""
    lagging = [pair for pair in stale(document) if pair.lang == lang]
    if not lagging:
        return {}
    rows = entries.revisions(session, document.slug, LOOKED_BACK)
    earlier = [(row.at, list(pairs(EntryDocument.model_validate_json(row.document)))) for row in rows]
    return {pair.heading.text: _since(pair, earlier) for pair in lagging}


def _since(pair: Pair, earlier: list[tuple[datetime, list[Pair]]]) -> datetime | None:
    """Return when the counterpart of a section got its present text; None when that is too long ago to tell."""
    since = None
    for at, then in earlier:
        if not any((one.lang, one.other.text, one.hash) == (pair.lang, pair.other.text, pair.hash) for one in then):
            return since
        since = at
    return since if len(earlier) < LOOKED_BACK else None


def marks(document: EntryDocument) -> tuple[Signature, ...]:
    """Return the signatures, the telling ones first."""
    return tuple(sorted(document.signatures, key=lambda one: (one.weak, one.frame is not None)))
