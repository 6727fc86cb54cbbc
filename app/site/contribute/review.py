"""The queue, and deciding on one submission."""

from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app import sync
from app.asking import unanswered
from app.asking.question_service import Match, Questions
from app.content.schema import EntryDocument, Signature
from app.errors import BadInput, Conflict
from app.i18n import Lang
from app.people.accounts import reviewer
from app.people.permissions import REVIEW
from app.site.contribute import entry_form
from app.site.contribute.entry_form import EntryForm
from app.site.contribute.preview import Preview, previews
from app.site.contribute.suspects import Suspect, suspects
from app.site.entry.differences import FileDifference, differences
from app.site.entry.entry_page import marks
from app.site.frame.forms import Fields, FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.store import entries, submissions
from app.store.tables import Entry, Submission, now
from app.web import dependencies
from app.web.dependencies import RENDERING, EngineDep, Reading, SettingsDep, SignedIn, Writing
from app.web.services import services_of
from app.wiki import links, proposals
from app.wiki.proposals import Proposal

router = APIRouter()
get = getter(router)
post = poster(router)
PAGE = 50
EXAMPLES_ASKED = 3


@dataclass(frozen=True, slots=True)
class QueuePage:
    """Context of `review_queue.html`; `next` is the number after which the next page begins, 0 on the last.

    `unreleased` is how many errors without an entry only reviewers see.
    """

    rows: tuple[Submission, ...]
    titles: dict[int, str]
    waiting: int
    unreleased: int
    next: int


@dataclass(frozen=True, slots=True)
class ExampleAsked:
    """An example paste and what it answers today."""

    text: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """What the reviewer had typed; `problem` is a text key for the field, `message` one for the page."""

    reason: str = ""
    note: str = ""
    problem: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Context of `review.html`. `differences` are those to the published text, none for a new entry.

    `suspects` are characters that may look like something else than they are; there are `more_suspects` more.
    `dead_links` are slugs that the texts link to and no entry has.
    """

    proposal: Proposal
    previews: tuple[Preview, ...]
    marks: tuple[Signature, ...]
    examples: tuple[ExampleAsked, ...]
    more_examples: int
    current: Entry | None
    differences: tuple[FileDifference, ...]
    suspects: tuple[Suspect, ...]
    more_suspects: int
    dead_links: tuple[str, ...]
    typed: ReviewDraft


@dataclass(frozen=True, slots=True)
class AmendPage:
    """Context of `amend.html`; `version` is the one of the submission that the text was made from."""

    form: EntryForm
    submission_number: int
    version: int
    known_projects: tuple[str, ...]
    action: str


@get("/{lang}/review", REVIEW)
def queue(request: Request, lang: Language, who: SignedIn, session: Reading, after: int = 0) -> HTMLResponse:
    """List what waits for a decision, oldest first."""
    reviewer(who)
    rows = submissions.queue(session, after=min(max(0, after), 2**31 - 1), limit=PAGE + 1)
    titles = {row.id or 0: _title(row, lang) for row in rows[:PAGE]}
    following = rows[PAGE - 1].id or 0 if len(rows) > PAGE else 0
    page = QueuePage(
        tuple(rows[:PAGE]), titles, submissions.waiting(session), unanswered.unreleased(session), following
    )
    return render_page(request, "review_queue.html", page)


def _title(row: Submission, lang: Lang) -> str:
    return EntryDocument.model_validate_json(row.document).text(lang)[1].title


@get("/{lang}/review/{number}", REVIEW, dependencies=[RENDERING])
def review(request: Request, lang: Language, number: int, who: SignedIn, session: Reading) -> HTMLResponse:
    """Show a submission as its page would look, and what speaks for and against it."""
    reviewer(who)
    return _show(request, lang, session, number)


@post("/{lang}/review/{number}/approve", REVIEW)
def approve(
    *,
    request: Request,
    lang: Language,
    number: int,
    who: SignedIn,
    fields: FormFields,
    session: Writing,
    engine: EngineDep,
    settings: SettingsDep,
) -> Response:
    """Publish a submission and lead to the entry."""
    note = fields.one("note")
    try:
        slug = proposals.approve(session, _number(number), _version(fields), who, note)
    except Conflict as conflict:
        # What was written before the conflict was found must not be committed with the page that reports it.
        session.rollback()
        # If entry and submission are still as the reviewer saw them, the conflict is older than the form, and the page
        # tells of it anyway.
        seen = _same(session, number, fields)
        typed = ReviewDraft(note=note, message="" if seen else "review.conflict")
        return _show(request, lang, session, number, typed=typed, status=conflict.status)
    written = dependencies.afterwards(request, sync.write_out_later, engine, settings.mirror_folder, [slug])
    # an entry that was withdrawn has no page but its history
    row = entries.by_slug(session, slug)
    page = "" if row and row.status == "published" else "/history"
    return RedirectResponse(f"/{lang}/e/{slug}{page}", 303, background=written)


@post("/{lang}/review/{number}/reject", REVIEW)
def reject(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Decline a submission with a reason and lead to the queue."""
    reason = fields.one("reason")
    try:
        proposals.reject(session, _number(number), _version(fields), who, reason)
    except Conflict as conflict:
        session.rollback()
        typed = ReviewDraft(reason=reason, message="review.conflict")
        return _show(request, lang, session, number, typed=typed, status=conflict.status)
    except BadInput as wrong:
        typed = ReviewDraft(problem="field.reason.needed")
        return _show(request, lang, session, number, typed=typed, status=wrong.status)
    return RedirectResponse(f"/{lang}/review", 303)


@get("/{lang}/review/{number}/amend", REVIEW)
def amend_form(request: Request, lang: Language, number: int, who: SignedIn, session: Reading) -> HTMLResponse:
    """Show the form for changing a submission before it is decided on."""
    reviewer(who)
    found = proposals.proposal(session, _number(number))
    return _amend_page(request, lang, session, found, _fixed(found, entry_form.from_document(found.document, lang, 0)))


@post("/{lang}/review/{number}/amend", REVIEW)
def amend(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Replace the text of a submission and lead back to it."""
    reviewer(who)
    found = proposals.proposal(session, _number(number))
    form = _fixed(found, entry_form.from_fields(fields))
    try:
        if found.row.version != _version(fields):
            # This comes before the text is read, for its problems are to be mended in what is there now.
            raise Conflict(what=str(number))
        document = entry_form.to_document(form, lang, found.document, now().date())
        proposals.amend(session, number, found.row.version, document, who)
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
    found = proposals.proposal(session, _number(number))
    form = _fixed(found, entry_form.in_other_language(entry_form.from_fields(fields)))
    return _amend_page(request, lang, session, found, form, version=_version(fields))


@post("/{lang}/review/{number}/amend/rows", REVIEW)
def amend_with_row(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Reading
) -> HTMLResponse:
    """Show the form with what was typed and one more row to type into."""
    reviewer(who)
    found = proposals.proposal(session, _number(number))
    form = _fixed(found, entry_form.with_row(entry_form.from_fields(fields), fields.one("add")))
    return _amend_page(request, lang, session, found, form, version=_version(fields))


@get("/{lang}/review/{number}/amend/rows", REVIEW)
@get("/{lang}/review/{number}/amend/switch", REVIEW)
def nothing_to_switch(lang: Language, number: int) -> RedirectResponse:
    """Lead someone who opens the address of a form that was switched or given a row to the form."""
    return RedirectResponse(f"/{lang}/review/{number}/amend", 303)


def _fixed(found: Proposal, form: EntryForm) -> EntryForm:
    """Return the form with the slug that may not change: a change belongs to its entry, a new entry may be renamed."""
    return replace(form, slug=found.document.slug if found.row.base_revision else "")


def _number(number: int) -> int:
    # Larger numbers do not fit into the column, and none of them was ever given out.
    return number if 0 < number < 2**31 else 0


def _version(fields: Fields) -> int:
    return _whole(fields.one("version"))


def _whole(typed: str) -> int:
    return int(typed) if typed.isdecimal() and len(typed) < 10 else 0


def _same(session: Session, number: int, fields: Fields) -> bool:
    """Tell whether submission and entry are as they were when the form was opened."""
    row = proposals.proposal(session, _number(number)).row
    current = entries.by_slug(session, row.slug)
    at = current.revision if current else 0
    return row.state == "open" and row.version == _version(fields) and at == _whole(fields.one("current") or "-")


def _show(
    request: Request, lang: Lang, session: Session, number: int, *, typed: ReviewDraft | None = None, status: int = 200
) -> HTMLResponse:
    found = proposals.proposal(session, _number(number))
    current = entries.by_slug(session, found.document.slug)
    document = found.document
    suspected, more_suspected = suspects(document)
    page = ReviewPage(
        proposal=found,
        previews=previews(document, lang),
        marks=marks(document),
        examples=_asked(services_of(request).questions, document, lang),
        more_examples=max(0, len(document.examples) - EXAMPLES_ASKED),
        current=current,
        differences=differences(EntryDocument.model_validate_json(current.document), document) if current else (),
        suspects=suspected,
        more_suspects=more_suspected,
        dead_links=links.dead_links(session, document),
        typed=typed or ReviewDraft(),
    )
    return render_page(request, "review.html", page, status)


def _asked(service: Questions, document: EntryDocument, lang: Lang) -> tuple[ExampleAsked, ...]:
    return tuple(ExampleAsked(text, service.ask(text, lang).matches) for text in document.examples[:EXAMPLES_ASKED])


def _amend_page(
    request: Request,
    lang: Lang,
    session: Session,
    found: Proposal,
    form: EntryForm,
    *,
    version: int | None = None,
    status: int = 200,
) -> HTMLResponse:
    number = found.row.id or 0
    made_from = found.row.version if version is None else version
    page = AmendPage(form, number, made_from, tuple(entries.counts(session)), f"/{lang}/review/{number}/amend")
    return render_page(request, "amend.html", page, status)
