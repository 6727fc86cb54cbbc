"""What a soak's clients were told, against what the database holds."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Engine, func
from sqlmodel import Session, col, select

from app.content.schema import EntryDocument
from app.people.accounts import digest
from app.store.entry_tables import Entry, Posting, Revision, Term
from app.store.session import reading
from app.store.submission_tables import Review, Submission
from bench.soak_clients import PROJECT, Proposed

KINDS = ("submit", "amend", "approve")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Acknowledged, lost and duplicated writes by kind; `broken` names what no database may hold, however it came."""

    acknowledged: Counter[str]
    lost: Counter[str]
    duplicated: Counter[str]
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Held:
    """What the database holds of the soak."""

    submissions: dict[int, Submission]
    notes: Counter[str]
    reviews: Counter[int]
    revisions: Counter[tuple[str, int, str]]
    entries: dict[str, Entry]


def check(engine: Engine, proposed: Iterable[Proposed]) -> Verdict:
    """Compare what clients were told with what is there."""
    found = Verdict(Counter(), Counter(), Counter(), ())
    with reading(engine) as session:
        held = _held(session)
        for sent in proposed:
            _one(found, held, sent)
        return Verdict(found.acknowledged, found.lost, found.duplicated, tuple(_broken(session, held)))


def _held(session: Session) -> _Held:
    rows = session.exec(select(Submission).where(col(Submission.slug).startswith(f"{PROJECT}/"))).all()
    revisions = session.exec(select(Revision).where(col(Revision.slug).startswith(f"{PROJECT}/"))).all()
    return _Held(
        {row.id or 0: row for row in rows},
        Counter(row.note for row in rows),
        Counter(session.exec(select(Review.submission)).all()),
        Counter((row.slug, row.number, row.digest) for row in revisions),
        {row.slug: row for row in session.exec(select(Entry).where(col(Entry.project) == PROJECT)).all()},
    )


def _one(found: Verdict, held: _Held, sent: Proposed) -> None:
    found.duplicated["submit"] += max(0, held.notes[sent.note] - 1)
    if not sent.token:
        return
    row = held.submissions.get(sent.number)
    known = row is not None and row.token_digest == digest(sent.token) and row.note == sent.note
    _count(found, "submit", known)
    if sent.amended:
        title = EntryDocument.model_validate_json(row.document).text("en")[1].title if row else ""
        _count(found, "amend", title == sent.title)
    if sent.approved:
        entry = held.entries.get(sent.slug)
        made = held.revisions[sent.slug, sent.revision, row.digest if row else ""]
        there = row is not None and row.state == "approved" and entry is not None and entry.revision >= sent.revision
        _count(found, "approve", there and made > 0 and held.reviews[sent.number] > 0)
        found.duplicated["approve"] += max(0, held.reviews[sent.number] - 1)


def _count(found: Verdict, kind: str, there: bool) -> None:
    found.acknowledged[kind] += 1
    found.lost[kind] += not there


def _broken(session: Session, held: _Held) -> Iterable[str]:
    approved = Counter(row.slug for row in held.submissions.values() if row.state == "approved")
    revisions = Counter(slug for slug, _, _ in held.revisions.elements())
    for slug in {*approved, *revisions, *held.entries}:
        entry = held.entries.get(slug)
        numbers = (approved[slug], revisions[slug], entry.revision if entry else 0)
        if len(set(numbers)) > 1:
            yield f"{slug}: {numbers[0]} approved, {numbers[1]} revisions, at revision {numbers[2]}"
    posted = select(func.count()).select_from(Posting).where(col(Posting.term) == col(Term.id)).scalar_subquery()
    wrong = session.exec(select(func.count()).select_from(Term).where(col(Term.entries) != posted)).one()
    if wrong:
        yield f"{wrong} terms of the index are counted wrongly"
