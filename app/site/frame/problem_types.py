"""Pages of the problem types of the API: whoever follows the `type` of an error reads what it means."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app import i18n
from app.errors import NotFound
from app.people.permissions import OPEN
from app.site.frame.page import Language, getter, render_page
from app.web.problem_types import PREFIX, ProblemType, problem_type, problem_types
from app.web.routes import told_path

router = APIRouter()
get = getter(router)


@dataclass(frozen=True, slots=True)
class ProblemPage:
    """Context of `problem.html`; `is_whole` says that it lists all problem types, not one."""

    kinds: tuple[ProblemType, ...]
    is_whole: bool


@get("/problems/{key}", OPEN)
def choose_language(request: Request, key: str) -> RedirectResponse:
    """Send whoever follows the `type` of a problem to its page in their language."""
    _known(request, key)
    lang = i18n.negotiate(request.cookies.get(i18n.COOKIE), request.headers.get("accept-language", ""))
    return RedirectResponse(f"/{lang}{PREFIX}{key}", 303, {"vary": "accept-language, cookie"})


@get("/{lang}/problems", OPEN)
def all_types(request: Request, lang: Language) -> HTMLResponse:
    """List all problem types."""
    return render_page(request, "problem.html", ProblemPage(problem_types(), is_whole=True))


@get("/{lang}/problems/{key}", OPEN)
def one_type(request: Request, lang: Language, key: str) -> HTMLResponse:
    """Say what a problem type means and what to do."""
    return render_page(request, "problem.html", ProblemPage((_known(request, key),), is_whole=False))


def _known(request: Request, key: str) -> ProblemType:
    found = problem_type(key)
    if found is None:
        raise NotFound(what=told_path(request.url.path))
    return found
