"""Routes for monitoring: whether the service is alive, whether it can answer, and its figures."""

from fastapi import APIRouter
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError

from app.api import schemas
from app.api.json_response import Json
from app.api.problems import responses
from app.errors import Unavailable
from app.people.permissions import OPEN, PROGRAM_METRICS, requires
from app.store import entries
from app.store.session import reading
from app.web import metrics
from app.web.dependencies import EngineDep

router = APIRouter(tags=["health"])


@router.get(
    "/healthz", summary="Does it live", response_class=Json, responses=responses(schemas.Health, is_guarded=False)
)
@requires(OPEN)
async def alive() -> Response:
    """Answer, and nothing else: a failure here means that the process should be restarted."""
    return Json({"status": "ok"}, headers={"cache-control": "no-store"})


@router.get(
    "/readyz",
    summary="Can it answer",
    response_class=Json,
    responses=responses(schemas.Health, Unavailable, is_guarded=False),
)
@requires(OPEN)
def ready(engine: EngineDep) -> Response:
    """Answer when the database does: a failure here means that no requests should be sent for now."""
    try:
        with reading(engine) as session:
            entries.heads(session, limit=1)
    except SQLAlchemyError as error:
        raise Unavailable from error
    return Json({"status": "ok"}, headers={"cache-control": "no-store"})


@router.get("/metrics", include_in_schema=False)
@requires(PROGRAM_METRICS)
def figures(engine: EngineDep) -> Response:
    """Show what is counted, in the text format of Prometheus."""
    return Response(metrics.exposition(engine), media_type=CONTENT_TYPE_LATEST, headers={"cache-control": "no-store"})
