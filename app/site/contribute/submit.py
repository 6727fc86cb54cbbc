"""Proposing an entry or a change, and the submitter's page."""

from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.asking import entry_draft
from app.asking.question_service import Match
from app.content.schema import EntryDocument
from app.errors import BadInput, Conflict, NotFound
from app.i18n import Lang
from app.people.permissions import OPEN, PAGE_SUBMIT
from app.site.contribute import entry_form, new_names
from app.site.contribute.after_publishing import led_to_entry
from app.site.contribute.already_answered import answered_by
from app.site.contribute.entry_form import EntryForm
from app.site.contribute.form_preview import FormPreview, form_preview, preview_response
from app.site.contribute.held_form import hold_form
from app.site.contribute.preview import Preview, previews
from app.site.frame.forms import PASTE, FormFields
from app.site.frame.page import Language, getter, limited, poster, render_page
from app.store import entries
from app.store.columns import now
from app.store.entry_tables import Entry
from app.store.session import reading
from app.store.submission_tables import Review
from app.store.team_names import Suggested
from app.web.authorization import may_read
from app.web.dependencies import RENDERING, MaybeWho, Reading, Writing, token_maker
from app.web.services import services_of
from app.wiki import links, proposals, publishing

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class SubmitPage:
    """Context of `submit.html`: `action` is where the form goes; `drafted` says that it was filled from a paste.

    `answered` are the entries that answer what is written already; `preview` is the page that it makes, if that was
    asked for.
    """

    form: EntryForm
    action: str
    known_projects: tuple[str, ...]
    drafted: bool
    answered: tuple[Match, ...]
    preview: FormPreview | None


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Context of `submission.html`: the submitter's own view; `dead_links` are slugs that no entry has.
    `names` are those that it proposes and that are none yet.

    Somebody who may not read the guide sees only their own text and its state; `is_whole` is then false.
    """

    submission_number: int
    slug: str
    state: str
    is_change: bool
    reviews: tuple[Review, ...]
    is_whole: bool
    previews: tuple[Preview, ...]
    dead_links: tuple[str, ...]
    names: tuple[Suggested, ...]


@get("/{lang}/submit", PAGE_SUBMIT)
def empty_form(request: Request, lang: Language, session: Reading) -> HTMLResponse:
    """Show the empty form."""
    return _form(request, lang, session, EntryForm())


@post("/{lang}/submit/draft", PAGE_SUBMIT, limited("match", "rate_match"))
def draft(request: Request, lang: Language, fields: FormFields, session: Reading) -> HTMLResponse:
    """Show the form, half filled from a paste."""
    text = fields.raw(PASTE)
    if not text.strip():
        return _form(request, lang, session, EntryForm())
    services = services_of(request)
    answer = services.answers.ask(text, lang)
    found = entry_draft.from_report(answer.report, text, services.questions.projects(), answer.names)
    return _form(request, lang, session, entry_form.from_draft(found), drafted=True)


@get("/{lang}/e/{project}/{name}/edit", PAGE_SUBMIT)
def edit(request: Request, lang: Language, project: str, name: str, session: Reading) -> Response:
    """Show the form for a change to an entry."""
    row, document = publishing.named(session, f"{project}/{name}")
    return _form(request, lang, session, entry_form.from_document(document, lang, row.revision))


@post("/{lang}/submit/switch", PAGE_SUBMIT)
def switched(request: Request, lang: Language, fields: FormFields, session: Reading) -> HTMLResponse:
    """Show the form in this language with what was typed into the one of the other language."""
    return _form(request, lang, session, entry_form.in_other_language(entry_form.from_fields(fields)))


@post("/{lang}/submit/rows", PAGE_SUBMIT)
def with_row(request: Request, lang: Language, fields: FormFields, session: Reading) -> HTMLResponse:
    """Show the form with what was typed and one more row to type into."""
    form = entry_form.with_row(entry_form.from_fields(fields), fields.one("add"))
    return _form(request, lang, session, form)


@post("/{lang}/submit/check", PAGE_SUBMIT, limited("check", "rate_submit"))
def checked(request: Request, lang: Language, fields: FormFields) -> HTMLResponse:
    """Show the form with what was typed, and what the rules find in it beside each field."""
    engine = services_of(request).engine
    form = entry_form.from_fields(fields)

    def document() -> EntryDocument:
        with reading(engine) as session:
            return _document(session, form, lang, may_read=may_read(request))

    held = hold_form(engine, form, lang, document)
    with reading(engine) as session:
        return _form(request, lang, session, held, status=422 if held.problems else 200)


@post("/{lang}/submit/preview", PAGE_SUBMIT, limited("preview", "rate_match"), RENDERING)
def previewed(request: Request, lang: Language, fields: FormFields, session: Reading) -> HTMLResponse:
    """Show the page that the form makes: the part alone to a script, else above the form."""
    form = entry_form.from_fields(fields)
    try:
        base = publishing.published(session, form.slug)[1] if form.slug else None
    except NotFound:
        base = None
    shown = form_preview(session, form, lang, base)
    return preview_response(request, shown) or _form(request, lang, session, form, preview=shown)


@get("/{lang}/submit/draft", PAGE_SUBMIT)
@get("/{lang}/submit/switch", PAGE_SUBMIT)
@get("/{lang}/submit/rows", PAGE_SUBMIT)
@get("/{lang}/submit/check", PAGE_SUBMIT)
@get("/{lang}/submit/preview", PAGE_SUBMIT)
def nothing_was_sent(lang: Language) -> RedirectResponse:
    """Lead someone who opens the address of a form that is filled, switched, longer or looked over to the empty one."""
    return RedirectResponse(f"/{lang}/submit", 303)


@post("/{lang}/submit", PAGE_SUBMIT, limited("submit", "rate_submit"))
def submit(
    *,
    request: Request,
    lang: Language,
    fields: FormFields,
    session: Writing,
    who: MaybeWho,
) -> Response:
    """Put what was typed into the queue, and lead to the submitter's page; a reviewer may publish it at once."""
    form = entry_form.from_fields(fields)
    by = who.id if who else None
    try:
        document = _document(session, form, lang, may_read=may_read(request))
        names = form.new_names.suggested(document)
        if form.answers:
            proposals.answer(session, form.answers, document, note=form.note, by=by, names=names)
            return RedirectResponse(f"/{lang}/s/{form.answers}", 303)
    except BadInput as wrong:
        return _form(request, lang, session, _with_problems(session, form, wrong.fields), status=wrong.status)
    except Conflict as conflict:
        session.rollback()
        form = _with_problems(session, form, {"form": "field.answered"})
        return _form(request, lang, session, form, status=conflict.status)
    # People who have signed in need not type their name.
    submitter = form.submitter or (who.name if who else "")
    tokens = token_maker(request, who)
    sent = proposals.submit_once(
        session, document, tokens, lang=lang, submitter=submitter, note=form.note, by=by, names=names
    )
    if who is not None and who.may_review and fields.one("publish"):
        slug = proposals.approve(session, sent.row.id or 0, sent.row.version, who, form.note)
        return led_to_entry(request, lang, session, slug)
    if not sent.token:
        return _form(request, lang, session, _with_problems(session, form, {"form": "field.waits"}), status=409)
    return RedirectResponse(f"/{lang}/s/{sent.token}", 303)


@get("/{lang}/s/{token}", OPEN, dependencies=[RENDERING])
def submission(request: Request, lang: Language, token: str, session: Reading) -> HTMLResponse:
    """Show the submitter what became of their proposal."""
    found = proposals.proposal_by_token(session, token)
    is_whole = may_read(request)
    page = SubmissionPage(
        submission_number=found.row.id or 0,
        slug=found.document.slug,
        state=found.row.state,
        is_change=found.row.base_revision > 0,
        reviews=found.reviews if is_whole else (),
        is_whole=is_whole,
        previews=previews(found.document, lang),
        dead_links=links.dead_links(session, found.document) if is_whole else (),
        names=found.names if found.row.state != "approved" else (),
    )
    return render_page(request, "submission.html", page)


@get("/{lang}/s/{token}/again", PAGE_SUBMIT)
def again(request: Request, lang: Language, token: str, session: Reading) -> HTMLResponse:
    """Show the form with what somebody proposed, to send it again: as a new submission, once that one is decided on."""
    found = proposals.proposal_by_token(session, token)
    form = entry_form.from_document(found.document, lang, found.row.base_revision)
    form = replace(
        form,
        # A proposal for a new entry has no published entry that it changes, so the form has no slug.
        slug=form.slug if found.row.base_revision else "",
        submitter=found.row.submitter,
        new_names=new_names.of_suggested(found.names),
        answers=token if found.row.state == proposals.RETURNED else "",
    )
    return _form(request, lang, session, form)


def _form(
    request: Request,
    lang: Lang,
    session: Session,
    form: EntryForm,
    *,
    drafted: bool = False,
    status: int = 200,
    preview: FormPreview | None = None,
) -> HTMLResponse:
    row = entries.by_slug(session, form.slug) if form.slug else None
    page = SubmitPage(
        form=entry_form.with_sources(session, form, lang, _document_of(row)),
        action=f"/{lang}/submit",
        known_projects=tuple(entries.counts(session)),
        drafted=drafted,
        # nothing is asked for an entry as it is, nor while there is a transaction for writing
        answered=answered_by(request, lang, form) if request.method == "POST" and status == 200 else (),
        preview=preview,
    )
    return render_page(request, "submit.html", page, status)


def _document_of(row: Entry | None) -> EntryDocument | None:
    # of one that was withdrawn only reviewers see what it said
    return EntryDocument.model_validate_json(row.document) if row and row.status == "published" else None


def _document(session: Session, form: EntryForm, lang: Lang, *, may_read: bool) -> EntryDocument:
    project = entry_form.using_new_names(form).project
    if taken := new_names.taken(session, form.new_names, project, may_read=may_read):
        raise BadInput(detail="it has a name", fields=taken)
    today = now().date()
    if form.slug:
        row, base = publishing.published(session, form.slug)
        if row.revision != form.revision:
            raise BadInput(detail="the entry has changed", fields={"form": "field.outdated"})
        return entry_form.to_document(form, lang, base, today)
    document = entry_form.to_document(form, lang, None, today)
    if entries.by_slug(session, document.slug):
        raise BadInput(detail="there is such an entry", fields={"name": "field.name.taken"})
    return document


def _with_problems(session: Session, form: EntryForm, problems: dict[str, str]) -> EntryForm:
    """Return the form with what is wrong; sending an outdated change again is a change to the present revision."""
    row = entries.by_slug(session, form.slug) if form.slug else None
    return replace(form, problems=problems, revision=row.revision if row else 0)
