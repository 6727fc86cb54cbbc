"""What the rules of `errdex check` find in a submission: a page of its own, since it takes a while."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.people.accounts import reviewer
from app.people.permissions import REVIEW
from app.site.contribute import entry_form
from app.site.contribute.entry_form import EntryForm
from app.site.contribute.held_form import hold_document
from app.site.frame.page import Language, getter, render_page
from app.store.columns import row_number
from app.store.session import reading
from app.web.dependencies import SignedIn
from app.web.services import services_of
from app.wiki import proposals

router = APIRouter()
get = getter(router)


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Context of `rules.html`; `form` is the one in which the submission is amended, with what was found."""

    submission_number: int
    form: EntryForm


@get("/{lang}/review/{number}/rules", REVIEW)
def rules(request: Request, lang: Language, number: int, who: SignedIn) -> HTMLResponse:
    """Hold a submission against the rules, outside any transaction, and show what was found."""
    reviewer(who)
    engine = services_of(request).engine
    with reading(engine) as session:
        found = proposals.proposal(session, row_number(number))
    form = entry_form.from_document(found.document, lang, 0)
    form = hold_document(engine, form, found.document, lang, found.names)
    return render_page(request, "rules.html", RulesPage(number, form))
