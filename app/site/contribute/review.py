"""Deciding on one submission."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.asking.question_service import Match, Questions
from app.content.schema import EntryDocument, Signature
from app.errors import BadInput, Conflict
from app.i18n import Lang
from app.people.accounts import Who, reviewer
from app.people.permissions import REVIEW
from app.site.contribute.after_publishing import led_to_entry
from app.site.contribute.preview import Preview, previews
from app.site.contribute.suspects import Suspect, suspects
from app.site.entry.differences import FileDifference, differences
from app.site.entry.entry_page import marks
from app.site.frame.forms import Fields, FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.store import entries
from app.store.columns import row_number
from app.store.entry_tables import Entry
from app.web.dependencies import RENDERING, Reading, SignedIn, Writing
from app.web.services import services_of
from app.wiki import links, proposals
from app.wiki.proposals import Proposal

router = APIRouter()
get = getter(router)
post = poster(router)
EXAMPLES_ASKED = 3
TITLE_ANSWERS = 3
Decide = Callable[[Session, int, int, Who, str], None]


@dataclass(frozen=True, slots=True)
class ExampleAsked:
    """An example paste, and whether anything answers it today."""

    text: str
    is_answered: bool


@dataclass(frozen=True, slots=True)
class AnswersToday:
    """An entry that answers a proposal today: whether its title, and which of its examples, by their numbers.

    `match` is the best of them.
    """

    match: Match
    by_title: bool
    examples: tuple[int, ...]


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

    `answered` are the entries that answer its title or an example today.
    `suspects` are characters that may look like something else than they are; there are `more_suspects` more.
    `dead_links` are slugs that the texts link to and no entry has. `can_return` says that somebody has a link that
    takes another text; `is_in_conflict`, that publishing would undo what was published since this was written. Then
    `since` is what was published since, and `differences` are those to the text that both were made from, where it is
    there.
    """

    proposal: Proposal
    previews: tuple[Preview, ...]
    marks: tuple[Signature, ...]
    examples: tuple[ExampleAsked, ...]
    answered: tuple[AnswersToday, ...]
    more_examples: int
    current: Entry | None
    differences: tuple[FileDifference, ...]
    since: tuple[FileDifference, ...]
    suspects: tuple[Suspect, ...]
    more_suspects: int
    dead_links: tuple[str, ...]
    typed: ReviewDraft
    can_return: bool
    is_in_conflict: bool


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
) -> Response:
    """Publish a submission and lead to the entry."""
    note = fields.one("note")
    try:
        slug = proposals.approve(session, row_number(number), fields.whole("version"), who, note)
    except Conflict as conflict:
        # What was written before the conflict was found must not be committed with the page that reports it.
        session.rollback()
        # If entry and submission are still as the reviewer saw them, the conflict is older than the form, and the page
        # tells of it anyway.
        seen = _same(session, number, fields)
        typed = ReviewDraft(note=note, message="" if seen else "review.conflict")
        return _show(request, lang, session, number, typed=typed, status=conflict.status)
    return led_to_entry(request, lang, session, slug)


@post("/{lang}/review/{number}/reject", REVIEW)
def reject(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Decline a submission with a reason and lead to the queue."""
    sent = _Sent(request, lang, number, fields, who)
    return _sent_back(sent, session, proposals.reject)


@post("/{lang}/review/{number}/return", REVIEW)
def ask_for_changes(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Give a submission back to its submitter, with what to change, and lead to the queue."""
    sent = _Sent(request, lang, number, fields, who)
    return _sent_back(sent, session, proposals.ask_for_changes)


class _Sent(NamedTuple):
    """A decision as it was sent."""

    request: Request
    lang: Lang
    number: int
    fields: Fields
    who: Who


def _sent_back(sent: _Sent, session: Session, decide: Decide) -> Response:
    reason, lang = sent.fields.one("reason"), sent.lang
    try:
        decide(session, row_number(sent.number), sent.fields.whole("version"), sent.who, reason)
    except Conflict as conflict:
        session.rollback()
        typed = ReviewDraft(reason=reason, message="review.conflict")
        return _show(sent.request, lang, session, sent.number, typed=typed, status=conflict.status)
    except BadInput as wrong:
        typed = ReviewDraft(reason=reason, problem="field.reason.nobody" if reason else "field.reason.needed")
        return _show(sent.request, lang, session, sent.number, typed=typed, status=wrong.status)
    return RedirectResponse(f"/{lang}/review", 303)


def _same(session: Session, number: int, fields: Fields) -> bool:
    """Tell whether submission and entry are as they were when the form was opened."""
    row = proposals.proposal(session, row_number(number)).row
    current = entries.by_slug(session, row.slug)
    at = current.revision if current else 0
    return row.state == "open" and row.version == fields.whole("version") and at == fields.whole("current")


def _show(
    request: Request, lang: Lang, session: Session, number: int, *, typed: ReviewDraft | None = None, status: int = 200
) -> HTMLResponse:
    found = proposals.proposal(session, row_number(number))
    current = entries.by_slug(session, found.document.slug)
    document = found.document
    suspected, more_suspected = suspects(document)
    published = EntryDocument.model_validate_json(current.document) if current else None
    is_in_conflict = found.row.state == "open" and (current.revision if current else 0) != found.row.base_revision
    base = _revision(session, document.slug, found.row.base_revision) if is_in_conflict else None
    before = base or published
    for_title, for_examples = _asked(services_of(request).questions, document, lang)
    page = ReviewPage(
        proposal=found,
        previews=previews(document, lang),
        marks=marks(document),
        examples=tuple(
            ExampleAsked(text, bool(matches)) for text, matches in zip(document.examples, for_examples, strict=False)
        ),
        answered=answers_today(for_title, for_examples),
        more_examples=max(0, len(document.examples) - EXAMPLES_ASKED),
        current=current,
        differences=_differences(before, document) if before else (),
        since=_differences(base, published) if base and published else (),
        suspects=suspected,
        more_suspects=more_suspected,
        dead_links=links.dead_links(session, document),
        typed=typed or ReviewDraft(),
        can_return=found.row.origin in proposals.BY_PEOPLE,
        is_in_conflict=is_in_conflict,
    )
    return render_page(request, "review.html", page, status)


def _revision(session: Session, slug: str, number: int) -> EntryDocument | None:
    rows = entries.revisions(session, slug, 1, before=number + 1)
    return EntryDocument.model_validate_json(rows[0].document) if rows and rows[0].number == number else None


def _differences(before: EntryDocument, after: EntryDocument) -> tuple[FileDifference, ...]:
    """Return what a person decides on; how level the languages are, and the day, are kept by themselves."""
    kept = {"level": {}, "updated": after.updated}
    return differences(*(one.model_copy(update=kept) for one in (before, after)))


def _asked(
    service: Questions, document: EntryDocument, lang: Lang
) -> tuple[tuple[Match, ...], list[tuple[Match, ...]]]:
    """Return what answers the title, other entries only, and what answers each of the first examples."""
    by_title = service.ask(document.text(lang)[1].title, lang, TITLE_ANSWERS).matches
    for_title = tuple(match for match in by_title if match.slug != document.slug)
    return for_title, [service.ask(text, lang).matches for text in document.examples[:EXAMPLES_ASKED]]


def answers_today(for_title: Sequence[Match], for_examples: Sequence[Sequence[Match]]) -> tuple[AnswersToday, ...]:
    """Return each entry once, the best first, with what it answers; examples count from 1."""
    best: dict[str, Match] = {}
    for match in (*for_title, *(match for matches in for_examples for match in matches)):
        if match.slug not in best or best[match.slug].score < match.score:
            best[match.slug] = match
    titles = {match.slug for match in for_title}
    numbers = {
        slug: tuple(at for at, matches in enumerate(for_examples, 1) if slug in {match.slug for match in matches})
        for slug in best
    }
    found = (AnswersToday(match, slug in titles, numbers[slug]) for slug, match in best.items())
    return tuple(sorted(found, key=lambda one: (-one.match.score, one.match.slug)))
