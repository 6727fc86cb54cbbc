"""Did this fix it? Said by programs, counted as what people say on the page of an entry."""

import hashlib
import hmac
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from app.api import schemas
from app.api.body import BodyDep, sent_as_json, takes
from app.api.json_response import Json
from app.api.problems import BODY_ERRORS, responses
from app.api.strict_route import StrictRoute
from app.content.schema import NAME
from app.errors import BadInput, NotFound, TooMany, Unavailable
from app.network.addresses import address_group, client_address
from app.people.permissions import PROGRAM_READ, requires
from app.web import dependencies
from app.web.dependencies import MaybeWho, SettingsDep, Writing
from app.web.services import services_of
from app.wiki import feedback

router = APIRouter(tags=["entries"], route_class=StrictRoute)

LARGEST = 64 * 1024
Part = Annotated[str, Path(json_schema_extra={"pattern": f"^{NAME}$"}, description="A part of the slug.")]


@router.post(
    "/entries/{project}/{name}/feedback",
    summary="Say whether an entry helped",
    response_class=Json,
    responses=responses(schemas.FeedbackNoted, *BODY_ERRORS, BadInput, NotFound, TooMany, Unavailable),
    openapi_extra=takes(schemas.FeedbackGiven),
)
@requires(PROGRAM_READ)
def give_feedback(
    *,
    request: Request,
    settings: SettingsDep,
    project: Part,
    name: Part,
    body: BodyDep,
    who: MaybeWho,
    session: Writing,
) -> Response:
    """Count what a caller says of an entry; a later word of the same address on it replaces the earlier one."""
    dependencies.limit(request, "feedback", settings.rate_feedback)
    given = sent_as_json(schemas.FeedbackGiven, body, LARGEST)
    slug = f"{project}/{name}"
    # Of the address only this digest is kept, which tells nothing to anybody who does not have the key.
    said_by = f"{address_group(client_address(request))}\n{slug}".encode()
    token = hmac.new(services_of(request).key().encode(), said_by, hashlib.sha256).hexdigest()
    present = feedback.say(session, slug, feedback.voter(who, token), given.said, note=given.note, lang=given.lang)
    return Json({"slug": present, "said": given.said}, headers={"cache-control": "no-store"})
