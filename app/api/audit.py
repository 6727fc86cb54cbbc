"""Who did what, for programs of admins."""

from datetime import UTC, date, datetime, time
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BeforeValidator

from app.api import schemas
from app.api.entries import Limit
from app.api.json_response import Json, one_page
from app.api.problems import responses
from app.api.strict_route import StrictRoute
from app.content.schema import calendar_day
from app.errors import BadInput, Unavailable
from app.people import audit
from app.people.audit import Act
from app.people.permissions import PROGRAM_ADMIN, requires
from app.store import audit as records
from app.store import people
from app.store.audit import AuditFilter
from app.store.columns import LARGEST_NUMBER
from app.web.dependencies import Reading

router = APIRouter(tags=["audit"], route_class=StrictRoute)


@router.get(
    "/audit",
    summary="List who did what",
    response_class=Json,
    responses=responses(schemas.AuditList, BadInput, Unavailable),
)
@requires(PROGRAM_ADMIN)
def list_audit(
    session: Reading,
    *,
    act: Annotated[Act | None, Query(description="Only this.")] = None,
    actor: Annotated[
        int | None, Query(ge=1, le=LARGEST_NUMBER, description="Only what the person of this number did.")
    ] = None,
    since: Annotated[
        Annotated[date, BeforeValidator(calendar_day)] | None, Query(description="Only from this day (UTC) on.")
    ] = None,
    limit: Limit = 50,
    cursor: Annotated[int | None, Query(ge=1, le=LARGEST_NUMBER, description="`next` of the page before.")] = None,
) -> Response:
    """Return what people did, newest first. For admins, and tokens of the scope admin."""
    begin = datetime.combine(since, time.min, UTC) if since else None
    found = records.newest(session, AuditFilter(act or "", actor, begin), limit + 1, cursor or 0)
    names = people.names(session, [row.actor for row in found if row.actor])
    shown = one_page(
        found, limit, lambda row: audit.record_json(row, names.get(row.actor or 0, "")), lambda last: str(last.id)
    )
    return Json(shown, headers={"cache-control": "no-store"})
