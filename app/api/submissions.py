"""Proposing entries, and asking what became of a proposal."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from sqlmodel import Session

from app.api import proposal_schemas
from app.api.body import BodyDep, sent_as_json, takes
from app.api.json_response import Json
from app.api.problems import BODY_ERRORS, Responses, responses
from app.api.proposal_schemas import Proposed
from app.api.strict_route import StrictRoute
from app.asking.already_answered import answered_by
from app.asking.answer_json import answered_json
from app.asking.question_service import Match
from app.content.schema import EntryDocument
from app.errors import (
    BadInput,
    NotFound,
    TooMany,
    Unavailable,
)
from app.people.permissions import OPEN, PROGRAM_SUBMIT, requires
from app.store import entries
from app.store.submission_tables import Review
from app.web import dependencies
from app.web.authorization import may_read
from app.web.dependencies import MaybeWho, Reading, SettingsDep, Writing
from app.web.services import services_of
from app.wiki import proposals

router = APIRouter(tags=["submissions"], route_class=StrictRoute)

# This is more than ten times the longest entry of the shipped corpus. A whole log belongs to /api/v1/match.
LARGEST = 1024 * 1024
WAITS_ALREADY: Responses = {
    200: {"model": proposal_schemas.Received, "description": "The same entry waits there already."}
}


@dataclass(frozen=True, slots=True)
class Offer:
    """What was sent, and the entries that answer it already."""

    proposed: Proposed
    answered: tuple[Match, ...]


def _offer(request: Request, settings: SettingsDep, body: BodyDep) -> Offer:
    """Return what was sent. It is asked before a transaction is begun, since a question may take long."""
    dependencies.limit(request, "submit", settings.rate_submit)
    proposed = sent_as_json(Proposed, body, LARGEST)
    entry = proposed.entry
    titles = [text.title for text in (entry.en, entry.zh) if text]
    questions = services_of(request).questions
    return Offer(proposed, answered_by(questions, proposed.lang, entry.examples, titles, entry.slug))


@router.post(
    "/submissions",
    status_code=201,
    summary="Propose an entry or a change",
    response_class=Json,
    responses=WAITS_ALREADY
    | responses(
        proposal_schemas.Received,
        *BODY_ERRORS,
        BadInput,
        TooMany,
        Unavailable,
        status=201,
    ),
    openapi_extra=takes(Proposed),
)
@requires(PROGRAM_SUBMIT)
def submit(
    *, request: Request, offer: Annotated[Offer, Depends(_offer, scope="function")], session: Writing, who: MaybeWho
) -> Response:
    """Put an entry into the queue; a reviewer decides on it. `answered` names entries that answer it already.

    The same entry sent again while it waits is the same submission: 200, with its link if the same caller sent it.
    """
    proposed = offer.proposed
    _must_change(session, proposed.entry)
    sent = proposals.submit_once(
        session,
        proposed.entry,
        dependencies.token_maker(request, who),
        lang=proposed.lang,
        submitter=proposed.submitter,
        note=proposed.note,
        origin="api",
        by=who.id if who else None,
    )
    base, row = dependencies.base_url(request), sent.row
    received = {
        "id": row.id,
        "slug": row.slug,
        "state": row.state,
        "token": sent.token or None,
        "url": _page(request, row.lang, sent.token) if sent.token else None,
        "answered": [answered_json(match, proposed.lang, base) for match in offer.answered],
    }
    location = {"location": f"{request.url.path}/{sent.token}"} if sent.token else {}
    return Json(received, 201 if sent.is_new else 200, headers=location | {"cache-control": "no-store"})


@router.get(
    "/submissions/{token}",
    summary="Ask what became of a submission",
    response_class=Json,
    responses=responses(proposal_schemas.SubmissionShown, NotFound, Unavailable, is_guarded=False),
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
