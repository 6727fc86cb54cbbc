"""What errors are known by: the signatures of the entries, and the families of entries that one message can mean."""

import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.api import list_schemas
from app.api.cursor import CursorQuery, Cursors
from app.api.entries import Limit
from app.api.filters import FiltersDep
from app.api.json_response import Json, one_page
from app.api.match import LangQuery
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.content.search_terms import facet
from app.errors import BadInput, Unavailable, UnknownCursor
from app.people.permissions import PROGRAM_READ, requires
from app.store import entries
from app.web import dependencies
from app.web.dependencies import Reading
from app.web.services import services_of

router = APIRouter(tags=["entries"], route_class=StrictRoute)


@router.get(
    "/signatures",
    summary="List the signatures of entries",
    response_class=Json,
    responses=responses(list_schemas.SignatureList, BadInput, UnknownCursor, Unavailable),
)
@requires(PROGRAM_READ)
def list_signatures(session: Reading, filters: FiltersDep, limit: Limit = 50, cursor: CursorQuery = None) -> Response:
    """Return the published entries in the order of their slugs, each with what identifies its error.

    An entry without a signature has an empty list.
    """
    cursors = Cursors("signatures", filters)
    facets = [facet(kind, key) for kind, key in filters.chosen()]
    after = cursors.text(cursor)
    found = entries.heads(session, facets=facets, since=filters.since, after=after, limit=limit + 1)
    documents = entries.documents_of(session, [head.slug for head in found[:limit]])

    def shown(head: entries.Head) -> dict[str, Any]:
        document = json.loads(documents.get(head.slug, "{}"))
        return {"slug": head.slug, "revision": head.revision, "signatures": document.get("signatures", [])}

    return Json(one_page(found, limit, shown, lambda last: cursors.at(last.slug)))


@router.get(
    "/families",
    summary="List the families of entries",
    response_class=Json,
    responses=responses(list_schemas.FamilyList, BadInput, Unavailable),
)
@requires(PROGRAM_READ)
def list_families(request: Request, session: Reading, lang: LangQuery = None) -> Response:
    """Return the questions that tell apart what one message can mean, with the published entries that answer them."""
    language = dependencies.language(request, lang)
    families = services_of(request).names.now().families
    slugs = sorted({slug for family in families for slug in family.look})
    present = entries.present(session, slugs)
    items = []
    for family in families:
        members = [{"slug": slug, "look": look[language]} for slug, look in family.look.items() if slug in present]
        if members:
            items.append({"key": family.key, "question": family.question[language], "members": members})
    return Json({"items": items, "next": None})
