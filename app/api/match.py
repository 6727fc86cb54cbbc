"""Text in, answer out."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.api import schemas
from app.api.body import pasted, received, takes
from app.api.json_response import Json, whole_characters
from app.api.problems import BODY_ERRORS, responses
from app.api.schemas import Question
from app.api.strict_route import StrictRoute
from app.asking.answer_json import answer_json
from app.asking.answer_text import markdown, with_fix
from app.asking.ask import Asker
from app.asking.deadline import Ask
from app.asking.question_service import MOST
from app.errors import BadInput, TooMany, TooSlow, Unavailable
from app.i18n import Lang
from app.network.addresses import client_address
from app.people.permissions import PROGRAM_READ, requires
from app.web import dependencies
from app.web.services import services_of

router = APIRouter(tags=["match"], route_class=StrictRoute)

MARKDOWN = "text/markdown"
_ANSWERS = responses(schemas.AnswerShown, *BODY_ERRORS, BadInput, TooMany, TooSlow, Unavailable)
_ANSWERS[200]["content"] = {MARKDOWN: {"schema": {"type": "string"}}}
LangQuery = Annotated[
    Lang | None, Query(description="The language of titles and reasons; that of Accept-Language where it is not given.")
]
IncludeQuery = Annotated[Literal["fix"] | None, Query(description="`fix`: matches have cause and first steps, too.")]
LimitQuery = Annotated[int, Query(ge=1, le=MOST, description="Most matches, and most related.")]


@router.post(
    "/match",
    summary="Ask which entry explains a text",
    response_class=Json,
    responses=_ANSWERS,
    openapi_extra=takes(Question, plain_text=True),
)
@requires(PROGRAM_READ)
async def match(
    *,
    request: Request,
    lang: LangQuery = None,
    limit: LimitQuery = 5,
    include: IncludeQuery = None,
) -> Response:
    """Answer a paste or a question. Nothing of it is stored; one without an entry is counted by its masked error.

    Language, limit and what to include may be in the address for either kind of body; what the JSON says goes first.
    Who accepts `text/markdown` before JSON gets the same in words, always with the fix.
    """
    # These are read by hand, not as dependencies: FastAPI takes as long to hand them in as a remembered answer takes.
    services = services_of(request)
    dependencies.limit(request, "match", services.settings.rate_match)
    language = dependencies.language(request, lang)
    body, most = await received(request), services.settings.max_paste

    def answered(put: Ask) -> Response:
        asked = pasted(Question, body, {"lang": language, "limit": limit, "include": include}, most)
        in_words = _wants_markdown(request.headers.get("accept", ""))
        plain = answer_to(request, asked, put, fix=in_words or asked.include == "fix")
        headers = {"cache-control": "no-store", "vary": "accept", "content-language": asked.lang}
        if in_words:
            return Response(whole_characters(markdown(plain, asked.lang)), headers=headers, media_type=MARKDOWN)
        return Json(plain, headers=headers)

    return await services.questions.awaited(answered, len(body.content))


def answer_to(request: Request, asked: Question, put: Ask, *, fix: bool) -> dict[str, Any]:
    """Return the answer to a question as JSON values; an error without an entry is counted. Raises `Unavailable`."""
    services, asker = services_of(request), Asker(client_address(request))
    answer = services.answers.ask(asked.text, asked.lang, asked.limit, asker=asker, put=put)
    plain = answer_json(answer, asked.lang, dependencies.base_url(request))
    return with_fix(plain, services.engine) if fix else plain


def _wants_markdown(accept: str) -> bool:
    """Tell whether an Accept header names markdown, and not JSON before it."""
    named = [item.partition(";")[0].strip().lower() for item in accept[:500].split(",")]
    wanted = next((name for name in named if name in (MARKDOWN, "application/json", "*/*")), "")
    return wanted == MARKDOWN
