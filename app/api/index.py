"""What the API has: the addresses that a program starts from."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.api import schemas
from app.api.json_response import Json
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.people.permissions import PROGRAM_OPEN, requires
from app.web import dependencies

router = APIRouter(tags=["index"], route_class=StrictRoute)

_LISTED = [name for name in schemas.Index.model_fields if name not in ("version", "openapi")]


@router.get(
    "/",
    summary="Where things are",
    response_class=Json,
    responses=responses(schemas.Index, is_guarded=False),
)
@requires(PROGRAM_OPEN)
def read_index(request: Request) -> Response:
    """Return the address of each list and of what takes a text. Nothing of the content is in it."""
    base = dependencies.base_url(request)
    found = {"version": request.app.version, "openapi": f"{base}/openapi.json"}
    return Json(found | {name: f"{base}/api/v1/{name}" for name in _LISTED})
