"""For admins: who did what, newest first, with filters."""

from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.people import audit
from app.people.audit import ACTS
from app.people.permissions import ADMIN
from app.site.frame.page import Language, getter, render_page
from app.store import audit as records
from app.store import people
from app.store.audit import AuditFilter
from app.store.people_tables import AuditRecord, Person
from app.web.dependencies import Reading

router = APIRouter()
get = getter(router)
PAGE = 100


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Context of `audit.html`.

    `names` are people by number, `chosen` is the number of the one who is looked for, `next` the number before which
    the next page begins; 0 where there is none.
    """

    rows: tuple[AuditRecord, ...]
    names: dict[int, str]
    everyone: tuple[Person, ...]
    acts: tuple[str, ...]
    act: str
    chosen: int
    since: str
    next: int


@get("/{lang}/audit", ADMIN)
def show(
    *,
    request: Request,
    lang: Language,
    session: Reading,
    act: str = "",
    actor: str = "",
    since: str = "",
    before: str = "",
) -> HTMLResponse:
    """List who did what."""
    known = act if act in ACTS else ""
    person, day = _number(actor), _day(since)
    wanted = AuditFilter(known, person or None, day)
    rows = records.newest(session, wanted, PAGE + 1, _number(before))
    page = AuditPage(
        rows=tuple(rows[:PAGE]),
        names=people.names(session, audit.mentioned(rows)),
        everyone=tuple(people.all_of_them(session)),
        acts=ACTS,
        act=known,
        chosen=person,
        since=day.date().isoformat() if day else "",
        next=rows[PAGE - 1].id or 0 if len(rows) > PAGE else 0,
    )
    return render_page(request, "audit.html", page)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
