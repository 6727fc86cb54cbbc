"""Which entries answer the title and the examples of a form already, also while they are being typed."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.asking import already_answered
from app.asking.question_service import Match
from app.i18n import Lang
from app.people.permissions import PROGRAM_SUBMIT
from app.site.contribute import entry_form
from app.site.contribute.entry_form import EntryForm
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, limited, poster, render_page
from app.web.services import services_of

router = APIRouter()
post = poster(router)


@dataclass(frozen=True, slots=True)
class AnsweredPage:
    """Context of `answered.html`: the entries that answer already what is being written."""

    answered: tuple[Match, ...]


@post("/{lang}/submit/answered", PROGRAM_SUBMIT, limited("match", "rate_match"))
def answered(request: Request, lang: Language, fields: FormFields) -> HTMLResponse:
    """Return the part of the form that names them."""
    form = entry_form.from_fields(fields)
    return render_page(request, "answered.html", AnsweredPage(answered_by(request, lang, form)))


def answered_by(request: Request, lang: Lang, form: EntryForm) -> tuple[Match, ...]:
    """Return the entries that answer the title or an example of a form, its own entry aside; the best first."""
    examples = [row[0] for row in form.rows.of_list.get("examples", ())]
    titles = (form.own.title, form.other.title)
    return already_answered.answered_by(services_of(request).questions, lang, examples, titles, form.slug)
