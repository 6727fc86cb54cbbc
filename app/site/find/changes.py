"""What changed, newest first, by day."""

from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.people.permissions import PAGE_READ
from app.site.frame.page import Language, getter, render_page
from app.web.dependencies import Reading
from app.wiki import changes
from app.wiki.changes import Change

router = APIRouter()
get = getter(router)
PAGE = 50


@dataclass(frozen=True, slots=True)
class ChangesOfDay:
    """A day (UTC) and its changes, the latest first."""

    date: date
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Context of `changes.html`; `next` is the id before which the next page begins, 0 on the last."""

    days: tuple[ChangesOfDay, ...]
    next: int


@get("/{lang}/changes", PAGE_READ)
def show(request: Request, lang: Language, session: Reading, before: str = "") -> HTMLResponse:
    """List what changed in the guide."""
    number = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else 0
    found = changes.recent(session, PAGE + 1, number)
    days = tuple(ChangesOfDay(at.date(), tuple(some)) for at, some in changes.by_day(found[:PAGE]))
    return render_page(request, "changes.html", ChangesPage(days, found[PAGE - 1].id if len(found) > PAGE else 0))
