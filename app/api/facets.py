"""What entries are about: projects, components and tags, each with its name and the number of its entries."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.api import list_schemas
from app.api.cursor import CursorQuery, Cursors
from app.api.entries import Limit
from app.api.json_response import Json, one_page
from app.api.match import LangQuery
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.content.names import KIND_OF
from app.content.search_terms import Facet
from app.errors import BadInput, Unavailable, UnknownCursor
from app.i18n import Lang
from app.people.permissions import PROGRAM_READ, requires
from app.web import dependencies
from app.web.services import services_of

router = APIRouter(tags=["entries"], route_class=StrictRoute)

_ANSWERS = responses(list_schemas.FacetList, BadInput, UnknownCursor, Unavailable)


@router.get("/projects", summary="List projects", response_class=Json, responses=_ANSWERS)
@requires(PROGRAM_READ)
def list_projects(request: Request, lang: LangQuery = None, limit: Limit = 200, cursor: CursorQuery = None) -> Response:
    """Return the projects that have published entries, in the order of their keys."""
    return _listed(request, "project", lang, limit, cursor)


@router.get("/components", summary="List components", response_class=Json, responses=_ANSWERS)
@requires(PROGRAM_READ)
def list_components(
    request: Request, lang: LangQuery = None, limit: Limit = 200, cursor: CursorQuery = None
) -> Response:
    """Return the components that published entries are about, in the order of their keys."""
    return _listed(request, "component", lang, limit, cursor)


@router.get("/tags", summary="List tags", response_class=Json, responses=_ANSWERS)
@requires(PROGRAM_READ)
def list_tags(request: Request, lang: LangQuery = None, limit: Limit = 200, cursor: CursorQuery = None) -> Response:
    """Return the tags of published entries, in the order of their keys."""
    return _listed(request, "tag", lang, limit, cursor)


def _listed(request: Request, kind: Facet, lang: Lang | None, limit: int, cursor: str | None) -> Response:
    language = dependencies.language(request, lang)
    cursors = Cursors("facets", kind)
    after = cursors.text(cursor)
    counts: dict[tuple[Facet, str], int] = services_of(request).lookup.facets()
    found = sorted((key, count) for (one, key), count in counts.items() if one == kind and count and key > after)

    names = services_of(request).names.now()

    def shown(row: tuple[str, int]) -> dict[str, Any]:
        return {"key": row[0], "name": names.name(KIND_OF[kind], row[0], language), "entries": row[1]}

    return Json(one_page(found[: limit + 1], limit, shown, lambda last: cursors.at(last[0])))
