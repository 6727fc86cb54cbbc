"""What changed since: enough to follow the guide without reading it anew."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from app.api import schemas
from app.api.entries import Limit
from app.api.json_response import Json, one_page
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.errors import BadInput, Unavailable
from app.people.permissions import PROGRAM_READ, requires
from app.store.columns import LARGEST_NUMBER
from app.web.dependencies import Reading
from app.wiki import changes
from app.wiki.changes import Change

router = APIRouter(tags=["entries"], route_class=StrictRoute)


@router.get(
    "/changes",
    summary="List what changed",
    response_class=Json,
    responses=responses(schemas.ChangeList, BadInput, Unavailable),
)
@requires(PROGRAM_READ)
def list_changes(
    session: Reading,
    *,
    since: Annotated[
        int, Query(ge=0, le=LARGEST_NUMBER, description="The id of the last change that was seen; 0: none.")
    ] = 0,
    limit: Limit = 50,
) -> Response:
    """Return what was published after a change, oldest first.

    A follower asks for each slug that it is told, keeps the entry where the answer is 200, and forgets the slug where
    it is 404 or leads elsewhere; the former slugs likewise. Then it asks with the id of the last change.
    """
    found = changes.since(session, since, limit + 1)
    return Json(one_page(found, limit, _change, lambda last: str(last.id)))


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "slug": change.slug,
        "number": change.number,
        "what": change.what,
        "former": list(change.former),
        "digest": change.digest,
        "at": change.at.isoformat(),
    }
