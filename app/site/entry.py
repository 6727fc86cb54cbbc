"""The page of one entry: a plate in the guide."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from sqlmodel import Session

from app import wiki
from app.content.schema import SLUG, EntryDocument, Signature, Text
from app.errors import NotFound
from app.i18n import Lang
from app.models import Entry
from app.site.page import Language, getter, render_page
from app.store import entries
from app.store.entries import Head
from app.web import Reading

router = APIRouter()
get = getter(router)


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Context of `entry.html`; `text_lang` is the language of `text`, which may not be that of the page."""

    document: EntryDocument
    revision: int
    text: Text
    text_lang: Lang
    marks: tuple[Signature, ...]
    also: tuple[Head, ...]
    related: tuple[Head, ...]


@get("/{lang}/e/{project}/{name}.md")
def entry_markdown(lang: Language, project: str, name: str, session: Reading) -> Response:
    """Return the text of an entry as markdown."""
    found = find(session, f"{project}/{name}")
    if isinstance(found, str):
        return RedirectResponse(f"/{lang}/e/{found}.md", 301)
    _, text = found[1].text(lang)
    return PlainTextResponse(f"# {text.title}\n\n{text.body.strip()}\n", media_type="text/markdown")


@get("/{lang}/e/{project}/{name}")
def entry(request: Request, lang: Language, project: str, name: str, session: Reading) -> Response:
    """Show an entry."""
    found = find(session, f"{project}/{name}")
    if isinstance(found, str):
        return RedirectResponse(f"/{lang}/e/{found}", 301)
    row, document = found
    return render_page(request, "entry.html", plate(session, lang, document, row.revision))


def find(session: Session, slug: str) -> tuple[Entry, EntryDocument] | str:
    """Return the entry with this slug, or the slug that it has now. Raises `NotFound`."""
    if not SLUG.fullmatch(slug):
        raise NotFound(what=slug[:200])
    try:
        return wiki.published(session, slug)
    except NotFound:
        moved = entries.moved_to(session, slug)
        if moved is None or moved == slug:
            raise
        return moved


def plate(session: Session, lang: Lang, document: EntryDocument, revision: int) -> EntryPage:
    """Return what the page of an entry shows for a document; look-alikes that are not in the guide are left out."""
    text_lang, text = document.text(lang)
    heads = {head.slug: head for head in entries.heads(session, slugs=[*document.also, *document.related])}
    return EntryPage(
        document=document,
        revision=revision,
        text=text,
        text_lang=text_lang,
        marks=marks(document),
        also=tuple(heads[slug] for slug in document.also if slug in heads),
        related=tuple(heads[slug] for slug in document.related if slug in heads and slug not in document.also),
    )


def marks(document: EntryDocument) -> tuple[Signature, ...]:
    """Return the signatures, the telling ones first."""
    return tuple(sorted(document.signatures, key=lambda one: (one.weak, one.frame is not None)))
