"""Queries on what people said of entries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from app.store.asked_tables import Feedback
from app.store.entry_tables import Entry
from app.store.upsert import upsert


@dataclass(frozen=True, slots=True)
class Vote:
    """What one person says of an entry at a revision; `note` may be empty."""

    slug: str
    revision: int
    voter: str
    vote: str
    note: str
    lang: str


def put(session: Session, said: Vote, at: datetime) -> None:
    """Write a vote in the place of the person's earlier one; a note stays until there is a new one."""
    changed: dict[str, object] = {"revision": said.revision, "vote": said.vote, "lang": said.lang, "at": at}
    if said.note:
        changed |= {"note": said.note, "noted": _later(session, said, at), "seen": False}
    new = {"slug": said.slug, "voter": said.voter, "note": "", "noted": None, "seen": False, **changed}
    upsert(session, Feedback, new, ("slug", "voter"), changed)


def _later(session: Session, said: Vote, at: datetime) -> datetime:
    """Return the moment of a new note, which is always later than that of the note it replaces, so that the two can be
    told apart.
    """
    query = select(col(Feedback.noted)).where(col(Feedback.slug) == said.slug, col(Feedback.voter) == said.voter)
    earlier = session.execute(query).scalar_one_or_none()
    return at if earlier is None else max(at, earlier + timedelta(seconds=1))


def counts(session: Session, slugs: Sequence[str], revision: int | None = None) -> dict[str, int]:
    """Return how many people gave each vote to an entry, under any of its slugs; to one revision if one is given."""
    query = select(col(Feedback.vote), func.count(func.distinct(col(Feedback.voter))))
    query = query.where(col(Feedback.slug).in_(slugs)).group_by(col(Feedback.vote))
    if revision is not None:
        query = query.where(col(Feedback.revision) == revision)
    return dict(session.execute(query).all())


def last(session: Session, slugs: Sequence[str], vote: str) -> datetime | None:
    """Return when somebody last gave a vote to an entry, under any of its slugs; None when nobody did."""
    query = select(func.max(col(Feedback.at))).where(col(Feedback.slug).in_(slugs), col(Feedback.vote) == vote)
    found: datetime | None = session.execute(query).scalar_one()
    return found


def most_given(session: Session, vote: str, limit: int) -> dict[str, int]:
    """Return the published entries whose present revision got a vote from most people, and from how many, by slug."""
    voters = func.count(func.distinct(col(Feedback.voter)))
    query = (
        select(col(Feedback.slug), voters)
        .join(Entry, (col(Entry.slug) == col(Feedback.slug)) & (col(Entry.revision) == col(Feedback.revision)))
        .where(col(Feedback.vote) == vote, col(Entry.status) == "published")
        .group_by(col(Feedback.slug))
        .order_by(voters.desc(), col(Feedback.slug))
    )
    return dict(session.execute(query.limit(limit)).all())


def notes(session: Session, *, before: int = 0, limit: int = 50) -> list[Feedback]:
    """Return the rows with a note, newest first: all but `before` of them."""
    query = select(Feedback).where(col(Feedback.noted).is_not(None))
    order = (col(Feedback.noted).desc(), col(Feedback.id).desc())
    return list(session.scalars(query.order_by(*order).offset(before).limit(limit)))


def unseen(session: Session) -> int:
    """Return how many notes no reviewer has marked as seen."""
    query = select(func.count()).select_from(Feedback)
    return int(session.execute(query.where(col(Feedback.noted).is_not(None), ~col(Feedback.seen))).scalar_one())


def see(session: Session, number: int, noted: datetime) -> bool:
    """Mark a note as seen if it still is the one written at `noted`; tell whether it was."""
    done = session.execute(
        update(Feedback)
        .where(col(Feedback.id) == number, col(Feedback.noted) == noted)
        .values(seen=True)
        .execution_options(synchronize_session=False)
    )
    return bool(done.rowcount)  # type: ignore[attr-defined]
