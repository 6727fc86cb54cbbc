"""Several texts in, an answer for each."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.api import batch_schemas
from app.api.batch_schemas import Batch
from app.api.body import received, takes, validated
from app.api.json_response import Json, whole_characters
from app.api.match import IncludeQuery, LangQuery, LimitQuery, answer_to
from app.api.problems import BODY_ERRORS, problem_json, responses
from app.api.schemas import Question
from app.api.strict_route import StrictRoute
from app.errors import BadInput, ErrdexError, TooLarge, TooMany, Unavailable, UnsupportedMedia
from app.i18n import Lang
from app.people.permissions import PROGRAM_READ, requires
from app.web import dependencies
from app.web.services import services_of

router = APIRouter(tags=["match"], route_class=StrictRoute)


@router.post(
    "/match/batch",
    summary="Ask for several texts at once",
    response_class=Json,
    responses=responses(batch_schemas.BatchAnswered, *BODY_ERRORS, BadInput, TooMany, Unavailable),
    openapi_extra=takes(Batch),
)
@requires(PROGRAM_READ)
async def match_batch(
    *,
    request: Request,
    lang: LangQuery = None,
    limit: LimitQuery = 5,
    include: IncludeQuery = None,
) -> Response:
    """Answer up to 50 texts, each as `/api/v1/match` answers it, in their order. Each counts as a request of the rates.

    Together they may be as large as one. One that takes too long, or fails, has a problem in place of its answer, and
    the others have theirs.
    """
    services = services_of(request)
    settings = services.settings
    quota = dependencies.limit(request, "match", settings.rate_match)
    language = dependencies.language(request, lang)
    body = await received(request)
    if body.media_type != "application/json":
        raise UnsupportedMedia(detail="send application/json")
    plain = body.json()
    if isinstance(plain, dict):
        plain = {"lang": language, "limit": limit, "include": include} | plain
    asked = validated(Batch, plain)
    texts = [whole_characters(text) for text in asked.texts]
    if sum(len(text.encode()) for text in texts) > settings.max_paste:
        raise TooLarge(limit=settings.max_paste)
    if len(texts) > quota:
        raise BadInput(detail=f"texts: at most {quota} at once here", fields={"texts": f"at most {quota} at once here"})
    if len(texts) > 1:
        dependencies.limit(request, "match", settings.rate_match, len(texts) - 1)
    questions = [
        Question.model_construct(text=text, lang=asked.lang, limit=asked.limit, include=asked.include) for text in texts
    ]
    fix = asked.include == "fix"
    # The same text is asked once.
    works = {one.text: partial(answer_to, request, one, fix=fix) for one in questions}
    found = await services.questions.each(list(works.values()))
    by_text = dict(zip(works, found, strict=True))
    answers = [_shown(request, by_text[text], asked.lang) for text in texts]
    return Json({"answers": answers}, headers={"cache-control": "no-store", "content-language": asked.lang})


def _shown(request: Request, found: dict[str, Any] | ErrdexError, lang: Lang) -> dict[str, Any]:
    if isinstance(found, ErrdexError):
        return {"answer": None, "problem": problem_json(request, found, lang)}
    return {"answer": found, "problem": None}
