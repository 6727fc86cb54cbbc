"""Reading entries and their revisions."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from app.api import schemas
from app.api.answers import Json, page_of
from app.api.match import LangQuery
from app.api.problems import Responses, responses
from app.content.schema import NAME, SLUG, EntryDocument
from app.errors import BadInput, NotFound, Unavailable
from app.store import entries
from app.store.tables import Revision
from app.web import dependencies
from app.web.dependencies import Reading
from app.wiki import publishing

router = APIRouter(tags=["entries"])

MOST_LISTED = 200
_WORD = {"pattern": f"^{NAME}$"}
_LARGEST = 2**31 - 1

Number = Annotated[int, Path(ge=1, le=_LARGEST, description="The number of a revision.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED)]
_MOVED: Responses = {308: {"description": "The entry has another slug now: see Location."}}


def _place(
    request: Request,
    session: Reading,
    project: Annotated[str, Path(json_schema_extra=_WORD, description="The part of the slug before the slash.")],
    name: Annotated[str, Path(json_schema_extra=_WORD, description="The part of the slug after the slash.")],
) -> str | RedirectResponse:
    """Return the slug of a published entry, or the way to its present one. Raises `NotFound`."""
    slug = f"{project}/{name}"
    if not SLUG.fullmatch(slug):
        raise NotFound(what=slug[:200])
    entry = entries.by_slug(session, slug)
    if entry is not None and entry.status == "published":
        return slug
    present = entries.moved_to(session, slug) if entry is None else None
    if present is None:
        raise NotFound(what=slug)
    path = request.url.path.replace(f"/entries/{slug}", f"/entries/{present}", 1)
    return RedirectResponse(str(request.url.replace(scheme="", netloc="", path=path)), 308)


Place = Annotated[str | RedirectResponse, Depends(_place)]


@router.get(
    "/entries",
    summary="List entries",
    response_class=Json,
    responses=responses(schemas.EntryList, BadInput, Unavailable),
)
def list_entries(
    request: Request,
    session: Reading,
    *,
    project: Annotated[str | None, Query(pattern=f"^{NAME}$")] = None,
    lang: LangQuery = "en",
    limit: Limit = 50,
    cursor: Annotated[str | None, Query(pattern=f"^{NAME}/{NAME}$", description="`next` of the page before.")] = None,
) -> Response:
    """Return the published entries in the order of their slugs."""
    found = entries.heads(session, project=project or "", after=cursor or "", limit=limit + 1)
    base = dependencies.base_url(request)
    items = [_head(head, lang, base) for head in found[:limit]]
    return Json({"items": items, "next": items[-1]["slug"] if len(found) > limit else None})


@router.get(
    "/entries/{project}/{name}",
    summary="Read an entry",
    response_class=Json,
    responses=_MOVED | responses(schemas.EntryShown, BadInput, NotFound, Unavailable),
)
def read_entry(request: Request, session: Reading, slug: Place, lang: LangQuery = "en") -> Response:
    """Return a published entry in both languages. An earlier slug redirects to the present one."""
    if isinstance(slug, Response):
        return slug
    row, document = publishing.published(session, slug)
    return Json(
        document.plain() | {"revision": row.revision, "url": page_of(dependencies.base_url(request), lang, slug)}
    )


@router.get(
    "/entries/{project}/{name}/revisions",
    summary="List the revisions of an entry",
    response_class=Json,
    responses=_MOVED | responses(schemas.RevisionList, BadInput, NotFound, Unavailable),
)
def list_revisions(
    session: Reading,
    slug: Place,
    limit: Limit = 50,
    cursor: Annotated[int | None, Query(ge=1, le=_LARGEST, description="`next` of the page before.")] = None,
) -> Response:
    """Return what was published under this slug, newest first."""
    if isinstance(slug, Response):
        return slug
    found = entries.revisions(session, slug, limit + 1, before=cursor)
    items = [_revision(row) for row in found[:limit]]
    return Json({"items": items, "next": str(items[-1]["number"]) if len(found) > limit else None})


@router.get(
    "/entries/{project}/{name}/revisions/{number}",
    summary="Read a revision",
    response_class=Json,
    responses=_MOVED | responses(schemas.RevisionShown, BadInput, NotFound, Unavailable),
)
def read_revision(session: Reading, slug: Place, number: Number) -> Response:
    """Return one published version as it was."""
    if isinstance(slug, Response):
        return slug
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
        "url": page_of(base, lang, head.slug),
    }


def _revision(row: Revision) -> dict[str, Any]:
    return {
        "number": row.number,
        "at": row.at.isoformat(),
        "actor": row.actor,
        "note": row.note,
        "digest": row.digest,
    }
