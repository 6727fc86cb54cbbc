"""The page that a form makes, as it will look: made by what makes the page of an entry."""

from dataclasses import dataclass, replace

from fastapi import Request
from fastapi.responses import HTMLResponse
from sqlmodel import Session

from app.content.schema import EntryDocument
from app.errors import BadInput
from app.i18n import Lang
from app.site.contribute import entry_form
from app.site.contribute.entry_form import EntryForm
from app.site.contribute.fact_fields import TypedFacts
from app.site.contribute.row_fields import TypedRows
from app.site.contribute.text_fields import TextForm
from app.site.contribute.version_lines import VersionLines
from app.site.entry.entry_page import EntryPage, plate
from app.site.frame.page import render_page
from app.store.columns import now

# what stands where nothing was written yet
NOTHING = "…"


@dataclass(frozen=True, slots=True)
class FormPreview:
    """Context of `preview.html`: the page, and whether it shows all; facts are left out while a field is wrong.

    There is no page while even the text alone makes none.
    """

    shown: EntryPage | None
    is_whole: bool


def form_preview(session: Session, form: EntryForm, lang: Lang, base: EntryDocument | None) -> FormPreview:
    """Return the page that a form makes in `lang`; `base` is the document that it changes."""
    for is_whole, one in ((True, form), (False, _text_alone(form))):
        if document := _document(one, lang, base if is_whole else None):
            return FormPreview(plate(session, lang, document, form.revision), is_whole)
    return FormPreview(None, is_whole=False)


def preview_response(request: Request, shown: FormPreview) -> HTMLResponse | None:
    """Return the part of the page for a script that asked for it; None for a person."""
    return render_page(request, "preview.html", shown) if request.headers.get("hx-request") else None


def _document(form: EntryForm, lang: Lang, base: EntryDocument | None) -> EntryDocument | None:
    try:
        return entry_form.to_document(form, lang, base, now().date())
    except BadInput as wrong:
        return base if wrong.fields == entry_form.UNCHANGED else None


def _text_alone(form: EntryForm) -> EntryForm:
    """Return a new form with the text that is there, and nothing else that could be wrong."""
    own = form.other if form.own.is_empty and not form.other.is_empty else form.own
    own = replace(own, title=own.title or NOTHING, symptom=own.symptom if own.has_body else NOTHING, titles="")
    empty = TypedFacts.empty()
    facts = replace(empty, chosen={**empty.chosen, "kind": form.kind})
    return EntryForm(
        project="entry",
        facts=facts,
        rows=TypedRows({}),
        versions=VersionLines(),
        own=own,
        other=TextForm(),
    )
