"""A paste in, a half-filled entry out: what the form begins with when nothing is known."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.api import proposal_schemas
from app.api.body import pasted, received, takes
from app.api.json_response import Json
from app.api.match import LangQuery
from app.api.problems import BODY_ERRORS, responses
from app.api.proposal_schemas import Paste
from app.api.strict_route import StrictRoute
from app.asking import entry_draft
from app.asking.answer_json import answered_json
from app.asking.deadline import Ask
from app.asking.entry_draft import Draft
from app.content.headings import sections_of
from app.errors import BadInput, TooMany, TooSlow, Unavailable
from app.i18n import Lang
from app.people.permissions import PROGRAM_SUBMIT, requires
from app.store.columns import now
from app.web import dependencies
from app.web.services import services_of

router = APIRouter(tags=["submissions"], route_class=StrictRoute)

# entries that are named because they answer the paste already
_ANSWERS = 3


@router.post(
    "/draft",
    summary="Begin an entry from a paste",
    response_class=Json,
    responses=responses(proposal_schemas.DraftShown, *BODY_ERRORS, BadInput, TooMany, TooSlow, Unavailable),
    openapi_extra=takes(Paste, plain_text=True),
)
@requires(PROGRAM_SUBMIT)
async def draft_entry(*, request: Request, lang: LangQuery = None) -> Response:
    """Return what a paste tells for a new entry, and the entries that answer it already. Nothing of it is stored.

    What is `missing` is for somebody to write; then it can be proposed. The example is the paste, verbatim: take out
    what is secret.
    """
    services = services_of(request)
    dependencies.limit(request, "match", services.settings.rate_match)
    language = dependencies.language(request, lang)
    body = await received(request)

    def drafted(put: Ask) -> Response:
        asked = pasted(Paste, body, {"lang": language}, services.settings.max_paste)
        answer = services.answers.ask(asked.text, asked.lang, _ANSWERS, put=put)
        draft = entry_draft.from_report(answer.report, asked.text, services.questions.projects(), answer.names)
        base = dependencies.base_url(request)
        shown = _entry(draft, asked.lang) | {
            "answered": [answered_json(match, asked.lang, base) for match in answer.matches]
        }
        return Json(shown, headers={"cache-control": "no-store", "content-language": asked.lang})

    return await services.questions.awaited(drafted, len(body.content))


def _entry(draft: Draft, lang: Lang) -> dict[str, Any]:
    needed = [section.heading(lang) for section in sections_of("error") if section.needed]
    slug = f"{draft.project}/{draft.name}" if draft.project and draft.name else ""
    text = {"title": draft.title, "body": "\n\n".join(f"## {heading}" for heading in needed)}
    entry = {
        "slug": slug,
        "updated": now().date().isoformat(),
        "components": list(draft.components),
        "tags": list(draft.tags),
        "signatures": [{"pattern": pattern} for pattern in draft.signatures],
        lang: text,
        "examples": [draft.example] if draft.example else [],
    }
    missing = [name for name, is_there in (("slug", slug), (f"{lang}.title", draft.title)) if not is_there]
    if not draft.signatures:
        missing.append("signatures")
    return {"entry": entry, "missing": [*missing, f"{lang}.body"]}
