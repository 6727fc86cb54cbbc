"""Text in, answer out."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.api import schemas
from app.api.answers import Json, answer_of, whole_characters
from app.api.body import Body, received, validated
from app.api.problems import BODY_ERRORS, responses
from app.api.schemas import MOST, Question
from app.asking import unanswered
from app.asking.deadline import Ask, TimedQuestions
from app.asking.question_service import Questions
from app.asking.unanswered_counter import Tally
from app.errors import (
    BadInput,
    TooLarge,
    TooMany,
    TooSlow,
    Unavailable,
    UnsupportedMedia,
)
from app.i18n import Lang
from app.network.addresses import client_address
from app.web import dependencies, metrics

router = APIRouter(tags=["match"])

_ADVICE = "send application/json or text/plain (with curl: -H 'content-type: text/plain' --data-binary @FILE)"
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Question"}},
            "text/plain": {"schema": {"type": "string"}},
        },
    }
}
LangQuery = Annotated[Lang, Query(description="The language of titles and reasons.")]
LimitQuery = Annotated[int, Query(ge=1, le=MOST, description="Most matches, and most related.")]


@router.post(
    "/match",
    summary="Ask which entry explains a text",
    response_class=Json,
    responses=responses(
        schemas.Answer,
        *BODY_ERRORS,
        BadInput,
        TooMany,
        TooSlow,
        Unavailable,
    ),
    openapi_extra=_BODY,
)
async def match(
    *,
    request: Request,
    lang: LangQuery = "en",
    limit: LimitQuery = 5,
) -> Response:
    """Answer a paste or a question. Nothing of it is stored; one without an entry is counted by its masked error.

    The language and the limit may be in the address for either kind of body; what the JSON says goes first.
    """
    # by hand, not as dependencies: handing these in takes FastAPI as long as finding an answer that it remembers
    settings = dependencies.settings_of(request)
    dependencies.limit(request, "match", settings.rate_match)
    body = await received(request)
    tally: Tally = request.app.state.tally

    def answered(ask: Ask) -> Response:
        asked = _question(body, {"lang": lang, "limit": limit}, settings.max_paste)
        answer = ask(asked.text, asked.lang, asked.limit)
        metrics.answered(answer)
        if settings.wanted and not answer.matches and (pattern := unanswered.pattern_of(answer.report)):
            tally.count(pattern, client_address(request))
        return Json(
            answer_of(answer, asked.lang, dependencies.base_url(request)), headers={"cache-control": "no-store"}
        )

    service: TimedQuestions = request.app.state.questions
    return await service.awaited(answered, len(body.content))


def questions(request: Request) -> Questions:
    """Return the question service of the application."""
    service: Questions = request.app.state.questions
    return service


def _question(body: Body, query: dict[str, Any], most: int) -> Question:
    if body.media_type == "text/plain":
        return Question(text=whole_characters(body.text(most)), **query)
    if body.media_type != "application/json":
        raise UnsupportedMedia(detail=_ADVICE)
    plain = body.json()
    if isinstance(plain, dict):
        if isinstance(text := plain.get("text"), str):
            _within(text, most)
            plain["text"] = whole_characters(text)
        plain = query | plain
    return validated(Question, plain)


def _within(text: str, most: int) -> None:
    # a character has at most four bytes, so that most texts need not be encoded to be measured
    if len(text) * 4 > most and len(text.encode("utf-8", "surrogatepass")) > most:
        raise TooLarge(limit=most)
