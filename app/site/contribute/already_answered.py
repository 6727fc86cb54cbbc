"""Which entries answer the title and the examples of a form already, also while they are being typed."""

from contextlib import suppress
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.asking.question_service import Match
from app.errors import TooSlow
from app.i18n import Lang
from app.people.permissions import PROGRAM_SUBMIT
from app.site.contribute import entry_form
from app.site.contribute.entry_form import EntryForm
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, limited, poster, render_page
from app.web.services import services_of

router = APIRouter()
post = poster(router)
# of one form: examples that are asked, and entries that are shown
ASKED, SHOWN = 2, 3
# characters of an example that are asked: each change of it is asked anew
LONGEST = 20_000


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
    examples = [row[0] for row in form.rows.of_list.get("examples", ())][:ASKED]
    texts = (text.strip()[:LONGEST] for text in (*examples, form.own.title, form.other.title))
    best: dict[str, Match] = {}
    for text in dict.fromkeys(text for text in texts if text):
        # a form is shown also where its question takes too long
        with suppress(TooSlow):
            for match in services_of(request).answers.ask(text, lang).matches:
                if match.slug != form.slug and (match.slug not in best or best[match.slug].score < match.score):
                    best[match.slug] = match
    return tuple(sorted(best.values(), key=lambda match: (-match.score, match.slug))[:SHOWN])
