"""Did this fix it? The form of an entry, and what reviewers read of the answers."""

import re
from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.content.schema import EntryDocument
from app.people.permissions import PAGE_READ, REVIEW
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, limited, poster, render_page, same_page
from app.store import entries
from app.store.asked_tables import Feedback
from app.store.columns import row_number
from app.store.entries import Head
from app.web.dependencies import MaybeWho, Reading, SettingsDep, SignedIn, Writing
from app.wiki import feedback
from app.wiki.feedback import SAID, Counts

router = APIRouter()
get = getter(router)
post = poster(router)

COOKIE = "errdex_voter"
_TWO_YEARS = 2 * 365 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class FeedbackShown:
    """What the form says of an entry: what people said of it, of `revision` alone, and what somebody said just now;
    `noted` says that they sent a note with it; `solved_on` is the last day on which it helped somebody.
    """

    slug: str
    kind: str
    revision: int
    counts: Counts
    here: Counts
    said: str = ""
    noted: bool = False
    solved_on: date | None = None


@dataclass(frozen=True, slots=True)
class NotesPage:
    """Context of `review_feedback.html`; `next` is the number of the next page, 0 on the last."""

    rows: tuple[Feedback, ...]
    heads: dict[str, Head]
    unseen: int
    next: int


def shown(request: Request, session: Session, document: EntryDocument, revision: int) -> FeedbackShown:
    """Return what the form shows for an entry; `?said=` of the address is what was said a moment ago."""
    said = request.query_params.get("said", "")
    counts = feedback.counts(session, document)
    here = feedback.counts(session, document, revision) if _may_review(request) else Counts()
    known, noted = said if said in SAID else "", "noted" in request.query_params
    solved_on = feedback.last_solved(session, document) if counts.solved else None
    return FeedbackShown(document.slug, document.kind, revision, counts, here, known, noted, solved_on)


def _may_review(request: Request) -> bool:
    who = getattr(request.state, "who", None)
    return bool(who and who.may_review)


@post("/{lang}/e/{project}/{name}/feedback", PAGE_READ, limited("feedback", "rate_feedback"))
def say(
    *,
    request: Request,
    lang: Language,
    project: str,
    name: str,
    who: MaybeWho,
    fields: FormFields,
    session: Writing,
    settings: SettingsDep,
) -> Response:
    """Count what somebody says of an entry, and lead back to it with a word of thanks."""
    known = request.cookies.get(COOKIE, "")
    token = known if _TOKEN.fullmatch(known) else feedback.new_token()
    said = fields.one("vote")
    voter = feedback.voter(who, token)
    note = fields.one("note").strip()
    slug = feedback.say(session, f"{project}/{name}", voter, said, note=note, lang=lang)
    noted = "&noted=1" if note and said != "solved" else ""
    response = RedirectResponse(f"/{lang}/e/{slug}?said={said}{noted}#feedback", 303)
    if who is None and token != known:
        response.set_cookie(COOKIE, token, max_age=_TWO_YEARS, httponly=True, samesite="lax", secure=settings.secure)
    return response


@get("/{lang}/e/{project}/{name}/feedback", PAGE_READ)
def no_feedback(lang: Language, project: str, name: str) -> RedirectResponse:
    """Lead someone who opens the address of the form to the entry."""
    return RedirectResponse(f"/{lang}/e/{project}/{name}#feedback", 303)


@get("/{lang}/review/feedback", REVIEW)
def notes(request: Request, lang: Language, who: SignedIn, session: Reading, page: int = 0) -> HTMLResponse:
    """List what people wrote to the reviewers, newest first."""
    number = min(max(0, page), _MOST_PAGES)
    rows, more = feedback.notes(session, who, number)
    heads = {head.slug: head for head in entries.heads(session, slugs=list({row.slug for row in rows}))}
    shown = NotesPage(tuple(rows), heads, feedback.unseen(session), number + 1 if more else 0)
    return render_page(request, "review_feedback.html", shown)


@post("/{lang}/review/feedback/{number}/seen", REVIEW)
def seen(
    *, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing, page: int = 0
) -> Response:
    """Mark a note as seen and lead back to the page of the list that it stands on."""
    feedback.see(session, who, row_number(number), fields.one("noted"))
    return RedirectResponse(f"/{lang}/review/feedback{same_page(page)}", 303)
