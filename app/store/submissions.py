"""Queries on submissions and reviews."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, update
from sqlmodel import Session, col, select

from app.store.session import alone_in
from app.store.submission_tables import Review, Submission

# Any number will do that no other program uses for an advisory lock on the same PostgreSQL database.
_SUBMITTING = 7_105_110_103


def by_id(session: Session, number: int) -> Submission | None:
    """Return the submission with this number."""
    return session.get(Submission, number)


def by_token(session: Session, digest: str) -> Submission | None:
    """Return the submission whose submitter's link has this token digest."""
    return session.exec(select(Submission).where(Submission.token_digest == digest)).first()


def open_one(session: Session, slug: str, digest: str) -> Submission | None:
    """Return an open submission that proposes this very document for this slug."""
    query = select(Submission).where(Submission.slug == slug, Submission.digest == digest, Submission.state == "open")
    return session.exec(query).first()


def one_submitter(session: Session) -> None:
    """Wait until no other transaction submits; this one then is alone in it until it ends, so that the same text sent
    twice at once is seen to be the same.
    """
    alone_in(session, _SUBMITTING)


@dataclass(frozen=True, slots=True)
class Wished:
    """Which submissions a list shows: those in these states, of this project (empty: any), sent before this moment."""

    states: Sequence[str] = ("open",)
    project: str = ""
    before: datetime | None = None


def queue(
    session: Session, wished: Wished, *, after: int = 0, limit: int = 50, newest: bool = False
) -> list[Submission]:
    """Return submissions, oldest first, those with a number above `after`; or newest first, those below it."""
    query = select(Submission).where(*_conditions(wished))
    number = col(Submission.id)
    if after:
        query = query.where(number < after if newest else number > after)
    return list(session.exec(query.order_by(number.desc() if newest else number).limit(limit)))


def projects(session: Session, states: Sequence[str]) -> list[str]:
    """Return the projects of the submissions in these states, by name."""
    query = select(Submission.slug).where(col(Submission.state).in_(states)).distinct()
    return sorted({slug.partition("/")[0] for slug in session.exec(query)})


def _conditions(wished: Wished) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [col(Submission.state).in_(wished.states)]
    if wished.project:
        found.append(col(Submission.slug).startswith(f"{wished.project}/", autoescape=True))
    if wished.before:
        found.append(col(Submission.at) < wished.before)
    return found


def waiting(session: Session) -> int:
    """Return how many submissions are open."""
    query = select(func.count()).select_from(Submission).where(col(Submission.state) == "open")
    return int(session.execute(query).scalar_one())


def replace(session: Session, number: int, version: int, values: dict[str, object]) -> bool:
    """Write `values` if the submission is still at `version` (compare-and-set); tell whether it was."""
    done = session.execute(
        update(Submission)
        .where(col(Submission.id) == number, col(Submission.version) == version)
        .values(version=version + 1, **values)
        .execution_options(synchronize_session=False)
    )
    return bool(done.rowcount)  # type: ignore[attr-defined]


def reviews(session: Session, number: int) -> list[Review]:
    """Return the decisions on a submission, oldest first."""
    return list(session.exec(select(Review).where(Review.submission == number).order_by(col(Review.id))))
