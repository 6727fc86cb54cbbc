"""Proposals: what people submit, and what reviewers decide on it."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlmodel import Session

from app.content.schema import EntryDocument
from app.errors import BadInput, Conflict, NotFound
from app.people import audit
from app.people.accounts import Who, digest, reviewer
from app.store import entries, people, submissions, team_names
from app.store.submission_tables import Review, Submission
from app.store.team_names import Suggested
from app.wiki import names as naming
from app.wiki.publishing import publish

# A submission with one of these origins was sent by somebody; any other one comes from a folder.
BY_PEOPLE = ("form", "api")
# the state of a submission whose submitter was asked for changes, and the name of that decision
RETURNED: Literal["returned"] = "returned"
DECIDED = ("approved", "rejected")
# Somebody's tokens for one text are looked through for so many times that it was sent, and decided on, before.
MOST_TIMES = 50


@dataclass(frozen=True, slots=True)
class Proposal:
    """A submission with its document, the decisions on it, and the names that it proposes."""

    row: Submission
    document: EntryDocument
    reviews: tuple[Review, ...]
    names: tuple[Suggested, ...] = ()


def submit(
    session: Session,
    document: EntryDocument,
    *,
    lang: str,
    submitter: str = "",
    note: str = "",
    origin: str = "form",
    by: int | None = None,
    names: Sequence[Suggested] = (),
    token: str = "",
) -> tuple[Submission, str]:
    """Put a proposed entry or change into the queue; return it with the token of the submitter's link.

    `by` is the number of the person who sends it, None for a stranger. `names` become the team's when it is published.
    `token` is made here where none is given.
    """
    token = token or secrets.token_urlsafe(24)
    row = Submission(
        token_digest=digest(token),
        **_texts(session, document),
        submitter=submitter.strip()[:120],
        note=note.strip()[:5000],
        lang="zh" if lang == "zh" else "en",
        origin=origin,
        person=by,
    )
    session.add(row)
    session.flush()
    team_names.suggest(session, row.id or 0, names)
    if origin in BY_PEOPLE:
        audit.record(session, "submitted", by, ("submission", row.id))
    return row, token


@dataclass(frozen=True, slots=True)
class Sent:
    """A submission that waits for a reviewer, with the token of its submitter's link; `is_new` if it did not before.

    The token is empty for somebody who sends what somebody else has sent: the link is for that one alone.
    """

    row: Submission
    token: str
    is_new: bool


def submit_once(session: Session, document: EntryDocument, token_for: Callable[[str], str], **more: Any) -> Sent:
    """Put a proposal into the queue, unless the same document waits there already; `more` are words for `submit`.

    `token_for` makes a token of a text, the same for the same sender and text, that nobody else can make. So whoever
    sends the same twice, for the first answer was lost on its way, gets the same link twice.
    """
    submissions.one_submitter(session)
    about = f"{document.slug}\n{document.digest()}"
    waiting = submissions.open_one(session, document.slug, document.digest())
    for time in range(MOST_TIMES):
        token = token_for(f"{about}\n{time}")
        known = submissions.by_token(session, digest(token))
        if known is None:
            break
        if waiting is not None and known.id == waiting.id:
            return Sent(waiting, token, is_new=False)
    else:
        token = ""
    if waiting is not None:
        return Sent(waiting, "", is_new=False)
    row, token = submit(session, document, token=token, **more)
    return Sent(row, token, is_new=True)


def proposal(session: Session, number: int) -> Proposal:
    """Return a submission by number. Raises `NotFound`."""
    return _proposal(session, submissions.by_id(session, number), str(number))


def proposal_by_token(session: Session, token: str) -> Proposal:
    """Return a submission by the token of its submitter's link. Raises `NotFound`."""
    return _proposal(session, submissions.by_token(session, digest(token)), "submission")


def _proposal(session: Session, row: Submission | None, what: str) -> Proposal:
    if row is None or row.id is None:
        raise NotFound(what=what)
    document = EntryDocument.model_validate_json(row.document)
    return Proposal(row, document, tuple(submissions.reviews(session, row.id)), team_names.suggested(session, row.id))


def amend(
    session: Session,
    number: int,
    version: int,
    document: EntryDocument,
    who: Who,
    *,
    names: Sequence[Suggested] | None = None,
) -> None:
    """Replace the text of an open submission before it is decided on, and its names where some are given.

    Raises `Conflict`, `Forbidden`, `NotFound`.
    """
    _decidable(session, number, version, who)
    if not submissions.replace(session, number, version, _texts(session, document)):
        raise Conflict(what=str(number))
    if names is not None:
        team_names.suggest(session, number, names)
    audit.record(session, "amended", who.id, ("submission", number))


def approve(session: Session, number: int, version: int, who: Who, reason: str = "") -> str:
    """Publish a submission and return the slug.

    `version` is the one the reviewer saw. Raises `Conflict` when the submission or the entry has changed since,
    `Forbidden` when the person may not review, `NotFound`.
    """
    found = _decidable(session, number, version, who)
    if not submissions.replace(session, number, version, {"state": "approved"}):
        raise Conflict(what=str(number))
    author = _author(session, found.row)
    publish(session, found.document, actor=who.name, author=author, note=reason, expected=found.row.base_revision)
    naming.take_suggested(session, number, found.document, who.id)
    session.add(Review(submission=number, decision="approved", actor=who.name, reason=reason.strip()[:5000]))
    audit.record(session, "approved", who.id, ("submission", number), after="own" if found.row.person == who.id else "")
    return found.document.slug


def _author(session: Session, row: Submission) -> str:
    """Return the name to credit. A name that a stranger typed is for reviewers, and may be anybody's."""
    return people.names(session, [row.person]).get(row.person, "") if row.person else ""


def reject(session: Session, number: int, version: int, who: Who, reason: str) -> None:
    """Decline a submission; the reason is kept and shown to its submitter.

    Raises `BadInput` without a reason, `Conflict` when somebody else decided first, `Forbidden`, `NotFound`.
    """
    _decidable(session, number, version, who)
    if not reason.strip():
        raise BadInput(detail="a rejection needs a reason", fields={"reason": "field.reason.needed"})
    if not submissions.replace(session, number, version, {"state": "rejected"}):
        raise Conflict(what=str(number))
    session.add(Review(submission=number, decision="rejected", actor=who.name, reason=reason.strip()[:5000]))
    audit.record(session, "rejected", who.id, ("submission", number))


def ask_for_changes(session: Session, number: int, version: int, who: Who, reason: str) -> None:
    """Give a submission back to its submitter, whose link takes the new text.

    Raises `BadInput` without a reason, or where nobody holds a link; `Conflict`, `Forbidden`, `NotFound`.
    """
    found = _decidable(session, number, version, who)
    if not reason.strip():
        raise BadInput(detail="say what to change", fields={"reason": "field.reason.needed"})
    if found.row.origin not in BY_PEOPLE:
        raise BadInput(detail="a folder's text has no submitter", fields={"reason": "field.reason.nobody"})
    if not submissions.replace(session, number, version, {"state": RETURNED}):
        raise Conflict(what=str(number))
    session.add(Review(submission=number, decision=RETURNED, actor=who.name, reason=reason.strip()[:5000]))
    audit.record(session, RETURNED, who.id, ("submission", number))


def answer(
    session: Session,
    token: str,
    document: EntryDocument,
    *,
    note: str = "",
    by: int | None = None,
    names: Sequence[Suggested] = (),
) -> None:
    """Put the new text of a submission that was given back into the queue again, with the names that it proposes.

    Raises `Conflict` where it was not given back, or was answered already; `NotFound`.
    """
    row = proposal_by_token(session, token).row
    number = row.id or 0
    values = _texts(session, document) | {"state": "open", "note": note.strip()[:5000] or row.note}
    if row.state != RETURNED or not submissions.replace(session, number, row.version, values):
        raise Conflict(what=str(number))
    team_names.suggest(session, number, names)
    audit.record(session, "answered", by, ("submission", number))


def _texts(session: Session, document: EntryDocument) -> dict[str, Any]:
    entry = entries.by_slug(session, document.slug)
    return {
        "document": document.canonical(),
        "digest": document.digest(),
        "slug": document.slug,
        "base_revision": entry.revision if entry else 0,
    }


def _decidable(session: Session, number: int, version: int, who: Who) -> Proposal:
    reviewer(who)
    found = proposal(session, number)
    if found.row.state != "open" or found.row.version != version:
        raise Conflict(what=str(number))
    return found
