"""The form in which a reviewer changes a submission before it is decided on."""

from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.asking.question_service import Match
from app.content.schema import EntryDocument
from app.errors import BadInput, Conflict
from app.i18n import Lang
from app.people.accounts import reviewer
from app.people.permissions import REVIEW
from app.site.contribute import entry_form, new_names
from app.site.contribute.already_answered import answered_by
from app.site.contribute.entry_form import EntryForm
from app.site.contribute.form_preview import FormPreview, form_preview, preview_response
from app.site.contribute.held_form import hold_document, hold_form
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.store import entries
from app.store.columns import now, row_number
from app.store.session import reading
from app.web.dependencies import RENDERING, Reading, SignedIn, Writing
from app.web.services import services_of
from app.wiki import proposals
from app.wiki.proposals import Proposal

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class AmendPage:
    """Context of `amend.html`; `version` is the one of the submission that the text was made from.

    `answered` are the entries that answer what is written already; `preview` is the page that it makes, if that was
    asked for.
    """

    form: EntryForm
    submission_number: int
    version: int
    known_projects: tuple[str, ...]
    action: str
    answered: tuple[Match, ...]
    preview: FormPreview | None


@get("/{lang}/review/{number}/amend", REVIEW)
def amend_form(request: Request, lang: Language, number: int, who: SignedIn, rules: str = "") -> HTMLResponse:
    """Show the form for changing a submission before it is decided on; with `rules`, beside what they find in it."""
    reviewer(who)
    engine = services_of(request).engine
    with reading(engine) as session:
        found = proposals.proposal(session, row_number(number))
    form = replace(entry_form.from_document(found.document, lang, 0), new_names=new_names.of_suggested(found.names))
    form = _fixed(found, form)
    if rules:
        form = hold_document(engine, form, found.document, lang, found.names)
    with reading(engine) as session:
        return _amend_page(request, lang, session, found, form)


@post("/{lang}/review/{number}/amend", REVIEW)
def amend(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Replace the text of a submission and lead back to it."""
    reviewer(who)
    found = proposals.proposal(session, row_number(number))
    form = _fixed(found, entry_form.from_fields(fields))
    try:
        if found.row.version != fields.whole("version"):
            # This comes before the text is read, for its problems are to be mended in what is there now.
            raise Conflict(what=str(number))
        if taken := new_names.taken(session, form.new_names, entry_form.using_new_names(form).project):
            raise BadInput(detail="it has a name", fields=taken)
        document = _document(form, lang, found)
        names = form.new_names.suggested(document)
        proposals.amend(session, number, found.row.version, document, who, names=names)
    except BadInput as wrong:
        form = replace(form, problems=wrong.fields)
        return _amend_page(request, lang, session, found, form, status=wrong.status)
    except Conflict as conflict:
        session.rollback()
        form = replace(form, problems={"form": "review.conflict"})
        found = proposals.proposal(session, number)
        return _amend_page(request, lang, session, found, form, status=conflict.status)
    return RedirectResponse(f"/{lang}/review/{number}", 303)


@post("/{lang}/review/{number}/amend/switch", REVIEW)
def amend_switched(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Reading
) -> HTMLResponse:
    """Show the form in this language with what was typed into the one of the other language."""
    reviewer(who)
    found = proposals.proposal(session, row_number(number))
    form = _fixed(found, entry_form.in_other_language(entry_form.from_fields(fields)))
    return _amend_page(request, lang, session, found, form, version=fields.whole("version"))


@post("/{lang}/review/{number}/amend/rows", REVIEW)
def amend_with_row(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Reading
) -> HTMLResponse:
    """Show the form with what was typed and one more row to type into."""
    reviewer(who)
    found = proposals.proposal(session, row_number(number))
    form = _fixed(found, entry_form.with_row(entry_form.from_fields(fields), fields.one("add")))
    return _amend_page(request, lang, session, found, form, version=fields.whole("version"))


@post("/{lang}/review/{number}/amend/check", REVIEW)
def amend_checked(request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields) -> HTMLResponse:
    """Show the form with what was typed, and what the rules find in it beside each field."""
    reviewer(who)
    engine = services_of(request).engine
    with reading(engine) as session:
        found = proposals.proposal(session, row_number(number))
    form = _fixed(found, entry_form.from_fields(fields))
    held = hold_form(engine, form, lang, lambda: _document(form, lang, found))
    with reading(engine) as session:
        status = 422 if held.problems else 200
        return _amend_page(request, lang, session, found, held, version=fields.whole("version"), status=status)


@post("/{lang}/review/{number}/amend/preview", REVIEW, RENDERING)
def amend_preview(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Reading
) -> HTMLResponse:
    """Show the page that the form makes: the part alone to a script, else above the form."""
    reviewer(who)
    found = proposals.proposal(session, row_number(number))
    form = _fixed(found, entry_form.from_fields(fields))
    shown = form_preview(session, form, lang, found.document)
    if answer := preview_response(request, shown):
        return answer
    return _amend_page(request, lang, session, found, form, version=fields.whole("version"), preview=shown)


@get("/{lang}/review/{number}/amend/rows", REVIEW)
@get("/{lang}/review/{number}/amend/switch", REVIEW)
@get("/{lang}/review/{number}/amend/check", REVIEW)
@get("/{lang}/review/{number}/amend/preview", REVIEW)
def nothing_to_switch(lang: Language, number: int) -> RedirectResponse:
    """Lead someone who opens the address of a form that was switched, given a row or looked over to the form."""
    return RedirectResponse(f"/{lang}/review/{number}/amend", 303)


def _fixed(found: Proposal, form: EntryForm) -> EntryForm:
    """Return the form with the slug that may not change: a change belongs to its entry, a new entry may be renamed."""
    return replace(form, slug=found.document.slug if found.row.base_revision else "")


def _document(form: EntryForm, lang: Lang, found: Proposal) -> EntryDocument:
    """Return the document of the form; the one that was proposed where only names were changed. Raises `BadInput`."""
    try:
        return entry_form.to_document(form, lang, found.document, now().date())
    except BadInput as wrong:
        if wrong.fields != entry_form.UNCHANGED or form.new_names.suggested(found.document) == found.names:
            raise
        return found.document


def _amend_page(
    request: Request,
    lang: Lang,
    session: Session,
    found: Proposal,
    form: EntryForm,
    *,
    version: int | None = None,
    status: int = 200,
    preview: FormPreview | None = None,
) -> HTMLResponse:
    number = found.row.id or 0
    page = AmendPage(
        form=entry_form.with_sources(session, form, lang, found.document),
        submission_number=number,
        version=found.row.version if version is None else version,
        known_projects=tuple(entries.counts(session)),
        action=f"/{lang}/review/{number}/amend",
        answered=answered_by(request, lang, form) if status == 200 else (),
        preview=preview,
    )
    return render_page(request, "amend.html", page, status)
