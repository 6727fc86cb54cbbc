"""The entries of a project, in the order of their slugs."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from sqlmodel import Session

from app.content.schema import SLUG
from app.errors import NotFound
from app.people.permissions import PAGE_READ
from app.site.frame.page import Language, getter, render_page
from app.store import entries
from app.store.entries import Head
from app.web.dependencies import Reading

router = APIRouter()
get = getter(router)
PAGE = 100


@dataclass(frozen=True, slots=True)
class ProjectPage:
    """Context of `project.html`; `next` is the slug after which the next page begins, empty on the last."""

    project: str
    count: int
    heads: tuple[Head, ...]
    next: str


@get("/{lang}/p/{project}", PAGE_READ)
def project(request: Request, lang: Language, project: str, session: Reading, after: str = "") -> HTMLResponse:
    """List the entries of a project."""
    return render_page(request, "project.html", _project_page(session, project, after))


def _project_page(session: Session, key: str, after: str) -> ProjectPage:
    count = entries.counts(session).get(key, 0)
    if not count:
        raise NotFound(what=key[:200])
    start = after if SLUG.fullmatch(after) else ""
    heads = entries.heads(session, project=key, after=start, limit=PAGE + 1)
    return ProjectPage(key, count, tuple(heads[:PAGE]), heads[PAGE - 1].slug if len(heads) > PAGE else "")
