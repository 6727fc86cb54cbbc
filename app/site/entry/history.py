"""The revisions of an entry: the list, one of them with what it changed, and bringing it back."""

import re
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from sqlmodel import Session

from app import sync
from app.content.schema import SLUG, EntryDocument
from app.errors import Conflict, NotFound
from app.i18n import Lang
from app.people.accounts import Who
from app.people.permissions import PAGE_READ, REVIEW
from app.site.entry.differences import FileDifference, differences
from app.site.entry.entry_page import EntryPage, plate
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.store import entries
from app.store.entry_tables import Entry, Revision
from app.web import dependencies
from app.web.dependencies import EngineDep, MaybeWho, Reading, SettingsDep, SignedIn, Writing
from app.wiki import publishing

router = APIRouter()
get = getter(router)
post = poster(router)
PAGE = 50
_NUMBER = re.compile("[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Version:
    """A line of the list; `same_as` is the number of an earlier revision with the same text, 0 for none."""

    row: Revision
    withdrawn: bool
    same_as: int


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Context of `history.html`; `next` is the number before which the next page begins, 0 on the last.

    `title_lang` is the language of `title`, which may not be that of the page.
    """

    current: Entry
    title: str
    title_lang: Lang
    versions: tuple[Version, ...]
    next: int


@dataclass(frozen=True, slots=True)
class RevisionPage:
    """Context of `revision.html`.

    `differences` are those to the revision before. `typed_note` is what the reviewer had typed; `conflict` names who
    published while they read, and is empty when nobody did.
    """

    shown: EntryPage
    row: Revision
    current: Entry
    differences: tuple[FileDifference, ...]
    typed_note: str
    conflict: str


@get("/{lang}/e/{project}/{name}/history", PAGE_READ)
def history(
    *,
    request: Request,
    lang: Language,
    project: str,
    name: str,
    who: MaybeWho,
    session: Reading,
    before: str = "",
) -> Response:
    """List the revisions of an entry, newest first."""
    entry = _find(session, f"{project}/{name}", who)
    return render_page(request, "history.html", _history_page(session, lang, entry, _number(before)))


@get("/{lang}/e/{project}/{name}/history/{number}", PAGE_READ)
def revision(
    *, request: Request, lang: Language, project: str, name: str, number: str, who: MaybeWho, session: Reading
) -> Response:
    """Show a revision as its page looked, and what it changed."""
    entry = _find(session, f"{project}/{name}", who)
    return render_page(request, "revision.html", _revision_page(session, lang, entry, _number(number)))


@post("/{lang}/e/{project}/{name}/history/{number}/restore", REVIEW)
def restore(
    *,
    request: Request,
    lang: Language,
    project: str,
    name: str,
    number: str,
    who: SignedIn,
    fields: FormFields,
    session: Writing,
    engine: EngineDep,
    settings: SettingsDep,
) -> Response:
    """Publish the text of a revision anew and lead to the list, where it stands first."""
    slug, note = f"{project}/{name}", fields.one("note")
    entry = _find(session, slug, who)
    try:
        publishing.restore(session, slug, _number(number), _number(fields.one("revision")), who, note=note)
    except Conflict as conflict:
        # The rollback also has the entry read anew.
        session.rollback()
        page = _revision_page(session, lang, entry, _number(number), note=note, conflict=True)
        return render_page(request, "revision.html", page, conflict.status)
    written = dependencies.afterwards(request, sync.write_out_later, engine, settings.mirror_folder, [slug])
    return RedirectResponse(_address(lang, slug), 303, background=written)


def _address(lang: Lang, slug: str) -> str:
    return f"/{lang}/e/{slug}/history"


def _number(text: str) -> int:
    return int(text) if _NUMBER.fullmatch(text) else 0


def _find(session: Session, slug: str, who: Who | None) -> Entry:
    """Return the entry with this slug, a withdrawn one to reviewers only. Raises `Moved`, `NotFound`."""
    try:
        return publishing.named(session, slug)[0]
    except NotFound:
        entry = entries.by_slug(session, slug) if SLUG.fullmatch(slug) else None
        if entry is None or who is None or not who.may_review:
            raise
        return entry


def _history_page(session: Session, lang: Lang, entry: Entry, before: int) -> HistoryPage:
    rows = entries.revisions(session, entry.slug, PAGE + 1, before=before or None)
    alike = entries.numbers_by_digest(session, entry.slug, {row.digest for row in rows})
    title_lang, text = EntryDocument.model_validate_json(entry.document).text(lang)
    return HistoryPage(
        current=entry,
        title=text.title,
        title_lang=title_lang,
        versions=tuple(_version(row, alike[row.digest]) for row in rows[:PAGE]),
        next=rows[PAGE - 1].number if len(rows) > PAGE else 0,
    )


def _version(row: Revision, alike: list[int]) -> Version:
    document = EntryDocument.model_validate_json(row.document)
    same = next((number for number in alike if number < row.number), 0)
    return Version(row, document.status == "withdrawn", same)


def _revision_page(
    session: Session, lang: Lang, entry: Entry, number: int, *, note: str = "", conflict: bool = False
) -> RevisionPage:
    rows = entries.revisions(session, entry.slug, 2, before=number + 1)
    if not rows or rows[0].number != number:
        raise NotFound(what=f"{entry.slug} {number}")
    document, *earlier = (EntryDocument.model_validate_json(row.document) for row in rows)
    return RevisionPage(
        shown=plate(session, lang, document, number),
        row=rows[0],
        current=entry,
        differences=differences(earlier[0], document) if earlier else (),
        typed_note=note,
        conflict=entries.revisions(session, entry.slug, 1)[0].actor if conflict else "",
    )
