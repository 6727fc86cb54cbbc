"""Words in, entries out."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.api import schemas
from app.api.cursor import CursorQuery, Cursors, numbers, steps
from app.api.filters import FiltersDep
from app.api.json_response import Json
from app.api.match import LangQuery
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.asking.answer_json import match_json
from app.asking.question_service import MOST
from app.errors import BadInput, TooMany, TooSlow, Unavailable, UnknownCursor
from app.people.permissions import PROGRAM_READ, requires
from app.web import dependencies
from app.web.dependencies import SettingsDep
from app.web.services import services_of

router = APIRouter(tags=["match"], route_class=StrictRoute)


@router.get(
    "/search",
    summary="Search entries",
    response_class=Json,
    responses=responses(schemas.MatchList, BadInput, UnknownCursor, TooMany, TooSlow, Unavailable),
)
@requires(PROGRAM_READ)
def search(
    *,
    request: Request,
    settings: SettingsDep,
    filters: FiltersDep,
    q: Annotated[str, Query(max_length=2000, description="Words; paste whole logs to /api/v1/match instead.")],
    lang: LangQuery = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 20,
    cursor: CursorQuery = None,
) -> Response:
    """Return entries for words, best first, answers and related alike. Addresses get logged: do not paste here.

    Page by page each entry comes once, whatever is published meanwhile; words find 1,000 entries at most.
    """
    dependencies.limit(request, "match", settings.rate_match)
    base, language = dependencies.base_url(request), dependencies.language(request, lang)
    cursors = Cursors("search", q, filters)
    seen = numbers(cursors.position(cursor))
    found = services_of(request).questions.search_on(q, language, limit, filters, seen)
    following = cursors.at(steps((*seen, *found.ids))) if found.more else None
    return Json({"items": [match_json(match, language, base) for match in found.matches], "next": following})
