"""What the rules of `errdex check` find in a submission: a page of its own, since it takes a while."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.content.bundle import Finding
from app.people.accounts import reviewer
from app.people.permissions import REVIEW
from app.quality import proposal_check
from app.site.frame.page import Language, getter, render_page
from app.store import entries, team_names
from app.store.session import reading
from app.store.tables import row_number
from app.web.dependencies import SignedIn
from app.web.services import services_of
from app.wiki import links, proposals

router = APIRouter()
get = getter(router)


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Context of `rules.html`; `is_whole` says whether everything was checked in the time there was."""

    submission_number: int
    slug: str
    findings: tuple[Finding, ...]
    is_whole: bool


@get("/{lang}/review/{number}/rules", REVIEW)
def rules(request: Request, lang: Language, number: int, who: SignedIn) -> HTMLResponse:
    """Hold a submission against the rules, outside any transaction, and show what was found."""
    reviewer(who)
    engine = services_of(request).engine
    with reading(engine) as session:
        found = proposals.proposal(session, row_number(number))
        document, named = found.document, team_names.everything(session)
        wanted = [*document.also, *document.related, *links.linked(document)]
        known = {head.slug for head in entries.heads(session, slugs=wanted, limit=len(wanted))} if wanted else set()
    beside = proposal_check.neighbours(engine, document)
    names = {
        kind: {**rows, **{one.key: one.row for one in found.names if one.kind == kind}} for kind, rows in named.items()
    }
    held = proposal_check.hold_against_rules(document, beside, known | {document.slug}, names=names)
    return render_page(request, "rules.html", RulesPage(number, document.slug, held.findings, held.is_whole))
