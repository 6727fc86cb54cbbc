"""Most wanted: errors that were asked for again and again and have no entry yet."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.api import list_schemas
from app.api.cursor import CursorQuery, Cursors, refuse
from app.api.json_response import Json
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.asking import unanswered
from app.asking.unanswered import PAGE, Missing
from app.errors import BadInput, TooMany, Unavailable, UnknownCursor
from app.people.permissions import PROGRAM_READ, requires
from app.store.columns import LARGEST_NUMBER
from app.store.unanswered import Place
from app.web import dependencies
from app.web.authorization import PRIVATE
from app.web.dependencies import MaybeWho, Reading, SettingsDep
from app.web.services import services_of

router = APIRouter(tags=["wanted"], route_class=StrictRoute)


@router.get(
    "/wanted",
    summary="List the errors that have no entry yet",
    response_class=Json,
    responses=responses(list_schemas.WantedList, BadInput, UnknownCursor, TooMany, Unavailable),
)
@requires(PROGRAM_READ)
def list_wanted(
    *,
    request: Request,
    session: Reading,
    settings: SettingsDep,
    who: MaybeWho,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
    cursor: CursorQuery = None,
) -> Response:
    """Return masked errors that found no entry, those asked most first; to reviewers those that wait for them, too.

    One that an entry answers by now is left out, so that a page may be short or empty and still have a `next`.
    """
    dependencies.limit(request, "match", settings.rate_match)
    services = services_of(request)
    # The counter is written first, so that an error which was asked about a moment ago is in the list.
    services.counter.write()
    cursors = Cursors("wanted")
    place = _place(cursors.position(cursor))
    found, following = unanswered.most_after(session, services.questions, place, who, limit)
    told = cursors.at([following.asked, following.last.isoformat(), following.fingerprint]) if following else None
    # Reviewers are shown more than others, so that no cache may give one answer to both.
    return Json({"items": [_shown(one) for one in found], "next": told}, headers={"cache-control": PRIVATE})


def _place(position: Any) -> Place | None:
    if position is None:
        return None
    try:
        asked, last, fingerprint = position
        place = Place(int(asked), datetime.fromisoformat(last), str(fingerprint))
    except (TypeError, ValueError):
        refuse()
    if place.last.tzinfo is None or not 0 < place.asked <= LARGEST_NUMBER or not place.fingerprint.isalnum():
        refuse()
    return place


def _shown(one: Missing) -> dict[str, Any]:
    return {
        "fingerprint": one.fingerprint,
        "pattern": one.pattern,
        "asked": one.asked,
        "first": one.first.isoformat(),
        "last": one.last.isoformat(),
        "released": one.released,
    }
