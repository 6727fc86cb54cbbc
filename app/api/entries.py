"""Reading entries and their revisions."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from app.api import schemas
from app.api.cursor import CursorQuery, Cursors
from app.api.filters import FiltersDep
from app.api.json_response import Json, one_page
from app.api.match import LangQuery
from app.api.problems import Responses, responses
from app.api.strict_route import StrictRoute
from app.asking.answer_json import entry_url
from app.content.schema import NAME, EntryDocument
from app.content.search_terms import facet
from app.errors import BadInput, Moved, NotFound, Unavailable, UnknownCursor
from app.people.permissions import PROGRAM_READ, requires
from app.store import entries
from app.store.columns import LARGEST_NUMBER
from app.store.entry_tables import Entry, Revision
from app.web import dependencies
from app.web.dependencies import Reading
from app.wiki import publishing
from app.wiki.changes import is_self_approved

router = APIRouter(tags=["entries"], route_class=StrictRoute)

MOST_LISTED = 200
_WORD = {"pattern": f"^{NAME}$"}

Number = Annotated[int, Path(ge=1, le=LARGEST_NUMBER, description="The number of a revision.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED)]
_MOVED: Responses = {308: {"description": "The entry has another slug now: see Location."}}


def _named(
    session: Reading,
    project: Annotated[str, Path(json_schema_extra=_WORD, description="The part of the slug before the slash.")],
    name: Annotated[str, Path(json_schema_extra=_WORD, description="The part of the slug after the slash.")],
) -> tuple[Entry, EntryDocument]:
    """Return a published entry and its document. Raises `Moved`, `NotFound`."""
    return publishing.named(session, f"{project}/{name}")


Named = Annotated[tuple[Entry, EntryDocument], Depends(_named)]


def moved_response(request: Request, moved: Moved) -> Response:
    """Lead to the same address below the present slug of an entry."""
    path = request.url.path.replace(f"/entries/{moved.former}", f"/entries/{moved.slug}", 1)
    return RedirectResponse(str(request.url.replace(scheme="", netloc="", path=path)), 308)


@router.get(
    "/entries",
    summary="List entries",
    response_class=Json,
    responses=responses(schemas.EntryList, BadInput, UnknownCursor, Unavailable),
)
@requires(PROGRAM_READ)
def list_entries(
    request: Request,
    session: Reading,
    filters: FiltersDep,
    *,
    lang: LangQuery = None,
    limit: Limit = 50,
    cursor: CursorQuery = None,
) -> Response:
    """Return the published entries in the order of their slugs, those that have all that is asked for."""
    cursors = Cursors("entries", filters)
    facets = [facet(kind, key) for kind, key in filters.chosen()]
    found = entries.heads(session, facets=facets, since=filters.since, after=cursors.text(cursor), limit=limit + 1)
    base, language = dependencies.base_url(request), dependencies.language(request, lang)
    return Json(one_page(found, limit, lambda head: _head(head, language, base), lambda last: cursors.at(last.slug)))


@router.get(
    "/entries/{project}/{name}",
    summary="Read an entry",
    response_class=Json,
    responses=_MOVED | responses(schemas.EntryShown, BadInput, NotFound, Unavailable),
)
@requires(PROGRAM_READ)
def read_entry(request: Request, named: Named, lang: LangQuery = None) -> Response:
    """Return a published entry in both languages. An earlier slug redirects to the present one."""
    row, document = named
    url = entry_url(dependencies.base_url(request), dependencies.language(request, lang), row.slug)
    return Json(document.plain() | {"revision": row.revision, "url": url})


@router.get(
    "/entries/{project}/{name}/revisions",
    summary="List the revisions of an entry",
    response_class=Json,
    responses=_MOVED | responses(schemas.RevisionList, BadInput, NotFound, Unavailable),
)
@requires(PROGRAM_READ)
def list_revisions(
    session: Reading,
    named: Named,
    limit: Limit = 50,
    cursor: Annotated[int | None, Query(ge=1, le=LARGEST_NUMBER, description="`next` of the page before.")] = None,
) -> Response:
    """Return what was published under this slug, newest first."""
    found = entries.revisions(session, named[0].slug, limit + 1, before=cursor)
    return Json(one_page(found, limit, _revision, lambda last: str(last.number)))


@router.get(
    "/entries/{project}/{name}/revisions/{number}",
    summary="Read a revision",
    response_class=Json,
    responses=_MOVED | responses(schemas.RevisionShown, BadInput, NotFound, Unavailable),
)
@requires(PROGRAM_READ)
def read_revision(session: Reading, named: Named, number: Number) -> Response:
    """Return one published version as it was."""
    slug = named[0].slug
    row = next(iter(entries.revisions(session, slug, 1, before=number + 1)), None)
    if row is None or row.number != number:
        raise NotFound(what=f"{slug}, revision {number}")
    document = EntryDocument.model_validate_json(row.document)
    return Json(_revision(row) | {"entry": document.plain()})


def _head(head: entries.Head, lang: str, base: str) -> dict[str, Any]:
    other = "en" if lang == "zh" else "zh"
    has_own = head.title_zh if lang == "zh" else head.title_en
    return {
        "slug": head.slug,
        "project": head.project,
        "kind": head.kind,
        "title": head.title(lang),
        "lang": lang if has_own else other,
        "url": entry_url(base, lang, head.slug),
        "revision": head.revision,
        "digest": head.digest,
    }


def _revision(row: Revision) -> dict[str, Any]:
    return {
        "number": row.number,
        "at": row.at.isoformat(),
        "actor": row.actor,
        "author": row.author,
        "self_approved": is_self_approved(row.author, row.actor),
        "note": row.note,
        "digest": row.digest,
    }
