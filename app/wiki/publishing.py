"""Submit, review, publish, revise: how what people know becomes an entry."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import ValidationError
from sqlmodel import Session

from app.content.schema import SLUG, EntryDocument
from app.errors import BadInput, Conflict, Moved, NotFound
from app.people.accounts import Who, digest, reviewer
from app.store import entries, entry_index, submissions
from app.store.tables import Entry, Review, Revision, Submission, now

# names that an entry may have had one after another
MOST_NAMES = 5


@dataclass(frozen=True, slots=True)
class Proposal:
    """A submission with its document and the decisions on it."""

    row: Submission
    document: EntryDocument
    reviews: tuple[Review, ...]


def published(session: Session, slug: str) -> tuple[Entry, EntryDocument]:
    """Return an entry and its document. Raises `NotFound` when there is none or it was withdrawn."""
    entry = entries.by_slug(session, slug)
    if entry is None or entry.status != "published":
        raise NotFound(what=slug)
    return entry, EntryDocument.model_validate_json(entry.document)


def present(session: Session, slug: str) -> tuple[Entry, EntryDocument]:
    """Return the entry that has this slug, or had it earlier, and its document. Raises `NotFound`."""
    if not SLUG.fullmatch(slug):
        raise NotFound(what=slug[:200])
    wanted = slug
    # two withdrawn entries can each bear the other's earlier name
    for _ in range(MOST_NAMES):
        try:
            return published(session, wanted)
        except NotFound:
            moved = entries.moved_to(session, wanted)
            if moved is None or moved == wanted:
                break
            wanted = moved
    raise NotFound(what=slug)


def named(session: Session, slug: str) -> tuple[Entry, EntryDocument]:
    """Return the entry that has this slug and its document. Raises `Moved` when it had it earlier, `NotFound`."""
    entry, document = present(session, slug)
    if entry.slug != slug:
        raise Moved(slug, entry.slug)
    return entry, document


def publish(
    session: Session, document: EntryDocument, *, actor: str, note: str = "", expected: int | None = None
) -> int:
    """Make `document` the published state of its slug and return the revision number.

    `expected` is the revision that the change was made from (0: new); None takes whatever is there now.
    Raises `Conflict` when the entry is at another revision. The same document again changes nothing.
    """
    entries.one_publisher(session)
    entry = entries.by_slug(session, document.slug)
    current = entry.revision if entry else 0
    if entry and entry.digest == document.digest():
        return current
    if expected is not None and expected != current:
        raise Conflict(what=document.slug)
    number = current + 1
    stored, head = entry_index.stored(document), {"revision": number, "changed": now()}
    if entry is None:
        entries.insert(session, [(stored, head)])
    elif entries.write(session, entry.id or 0, stored, current, head):
        session.expire(entry)
    else:
        raise Conflict(what=document.slug)
    session.add(
        Revision(
            slug=document.slug, number=number, digest=stored.digest, document=stored.columns["document"],
            actor=actor, note=note[:2000],
        )
    )  # fmt: skip
    entries.redirect(session, document.former, document.slug)
    return number


def restore(session: Session, slug: str, number: int, expected: int, who: Who, *, note: str = "") -> int:
    """Publish an earlier revision anew, its document unchanged, and return the number of the new revision.

    `expected` is the revision that the reviewer saw as the present one. Raises `Conflict` when somebody has published
    since, `Forbidden` when the person may not review, `NotFound` when there is no such revision.
    """
    reviewer(who)
    found = next(iter(entries.revisions(session, slug, 1, before=number + 1)), None)
    if found is None or found.number != number:
        raise NotFound(what=f"{slug} {number}")
    entry = entries.by_slug(session, slug)
    # publishing what is published already is no conflict, but here somebody else's note would be taken for this one
    if entry is None or entry.revision != expected:
        raise Conflict(what=slug)
    document = EntryDocument.model_validate_json(found.document)
    return publish(session, document, actor=who.name, note=note.strip(), expected=expected)


def submit(
    session: Session, document: EntryDocument, *, lang: str, submitter: str = "", note: str = "", origin: str = "form"
) -> tuple[Submission, str]:
    """Put a proposed entry or change into the queue; return it with the token of the submitter's link."""
    token = secrets.token_urlsafe(24)
    entry = entries.by_slug(session, document.slug)
    row = Submission(
        token_digest=digest(token),
        slug=document.slug,
        base_revision=entry.revision if entry else 0,
        digest=document.digest(),
        document=document.canonical(),
        submitter=submitter.strip()[:120],
        note=note.strip()[:5000],
        lang="zh" if lang == "zh" else "en",
        origin=origin,
    )
    session.add(row)
    session.flush()
    return row, token


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
    return Proposal(row, document, tuple(submissions.reviews(session, row.id)))


def amend(session: Session, number: int, version: int, document: EntryDocument, who: Who) -> None:
    """Replace the text of an open submission before it is decided on. Raises `Conflict`, `Forbidden`, `NotFound`."""
    _decidable(session, number, version, who)
    entry = entries.by_slug(session, document.slug)
    values: dict[str, object] = {
        "document": document.canonical(),
        "digest": document.digest(),
        "slug": document.slug,
        "base_revision": entry.revision if entry else 0,
    }
    if not submissions.replace(session, number, version, values):
        raise Conflict(what=str(number))


def approve(session: Session, number: int, version: int, who: Who, reason: str = "") -> str:
    """Publish a submission and return the slug.

    `version` is the one the reviewer saw. Raises `Conflict` when the submission or the entry has changed since,
    `Forbidden` when the person may not review, `NotFound`.
    """
    found = _decidable(session, number, version, who)
    if not submissions.replace(session, number, version, {"state": "approved"}):
        raise Conflict(what=str(number))
    publish(session, found.document, actor=who.name, note=reason, expected=found.row.base_revision)
    session.add(Review(submission=number, decision="approved", actor=who.name, reason=reason.strip()[:5000]))
    return found.document.slug


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


def _decidable(session: Session, number: int, version: int, who: Who) -> Proposal:
    reviewer(who)
    found = proposal(session, number)
    if found.row.state != "open" or found.row.version != version:
        raise Conflict(what=str(number))
    return found


def document_from(build: Callable[[], EntryDocument]) -> EntryDocument:
    """Call `build`, turning what the schema finds into `BadInput` whose `fields` name each place."""
    try:
        return build()
    except ValidationError as error:
        places = {".".join(str(part) for part in item["loc"]) or "entry": item["msg"] for item in error.errors()}
        detail = "; ".join(f"{place}: {message}" for place, message in places.items())
        raise BadInput(detail=detail[:2000], fields=places) from error
