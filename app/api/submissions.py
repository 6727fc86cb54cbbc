"""Proposing entries, and asking what became of a proposal."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlmodel import Session

from app.api import schemas
from app.api.body import Body, BodyDep, validated
from app.api.json_response import Json
from app.api.problems import BODY_ERRORS, responses
from app.api.schemas import Proposed
from app.api.strict_route import StrictRoute
from app.content.schema import EntryDocument
from app.errors import (
    BadInput,
    NotFound,
    TooLarge,
    TooMany,
    Unavailable,
    UnsupportedMedia,
)
from app.people.permissions import OPEN, PROGRAM_SUBMIT, requires
from app.store import entries
from app.store.tables import Review
from app.web import dependencies
from app.web.authorization import may_read
from app.web.dependencies import MaybeWho, Reading, SettingsDep, Writing
from app.wiki import proposals

router = APIRouter(tags=["submissions"], route_class=StrictRoute)

# This is more than ten times the longest entry of the shipped corpus. A whole log belongs to /api/v1/match.
LARGEST = 1024 * 1024
_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Proposed"}}},
    }
}


@router.post(
    "/submissions",
    status_code=201,
    summary="Propose an entry or a change",
    response_class=Json,
    responses=responses(
        schemas.Received,
        *BODY_ERRORS,
        BadInput,
        TooMany,
        Unavailable,
        status=201,
    ),
    openapi_extra=_BODY,
)
@requires(PROGRAM_SUBMIT)
def submit(request: Request, settings: SettingsDep, body: BodyDep, session: Writing, who: MaybeWho) -> Response:
    """Put an entry into the queue; a reviewer decides on it."""
    dependencies.limit(request, "submit", settings.rate_submit)
    proposed = _proposed(body)
    _must_change(session, proposed.entry)
    row, token = proposals.submit(
        session,
        proposed.entry,
        lang=proposed.lang,
        submitter=proposed.submitter,
        note=proposed.note,
        origin="api",
        by=who.id if who else None,
    )
    url = _page(request, row.lang, token)
    received = {"id": row.id, "slug": row.slug, "state": row.state, "token": token, "url": url}
    return Json(received, 201, headers={"location": f"{request.url.path}/{token}", "cache-control": "no-store"})


@router.get(
    "/submissions/{token}",
    summary="Ask what became of a submission",
    response_class=Json,
    responses=responses(schemas.SubmissionShown, NotFound, Unavailable, is_guarded=False),
)
@requires(OPEN)
def read_submission(request: Request, session: Reading, _who: MaybeWho, token: str) -> Response:
    """Return the state of a submission and what its reviewer wrote. Only who has the token can ask.

    Where only members read, nobody else is told what the reviewer wrote.
    """
    found = proposals.proposal_by_token(session, token)
    shown = {
        "id": found.row.id,
        "slug": found.row.slug,
        "state": found.row.state,
        "at": found.row.at.isoformat(),
        "reviews": [_decision(review) for review in found.reviews] if may_read(request) else [],
        "url": _page(request, found.row.lang, token),
    }
    return Json(shown, headers={"cache-control": "no-store"})


def _proposed(body: Body) -> Proposed:
    if body.media_type != "application/json":
        raise UnsupportedMedia(detail="send application/json")
    if len(body.content) > LARGEST:
        raise TooLarge(limit=LARGEST)
    return validated(Proposed, body.json())


def _must_change(session: Session, document: EntryDocument) -> None:
    entry = entries.by_slug(session, document.slug)
    if entry is not None and entry.digest == document.digest():
        raise BadInput(detail=f"this is what {document.slug} says already", fields={"entry": "nothing was changed"})


def _page(request: Request, lang: str, token: str) -> str:
    return f"{dependencies.base_url(request)}/{lang}/s/{token}"


def _decision(review: Review) -> dict[str, Any]:
    return {
        "decision": review.decision,
        "actor": review.actor,
        "reason": review.reason,
        "at": review.at.isoformat(),
    }
