"""Queries on submissions and reviews."""

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from app.store.tables import Review, Submission


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


def queue(session: Session, *, state: str = "open", after: int = 0, limit: int = 50) -> list[Submission]:
    """Return submissions in a state, oldest first, those with a number above `after`."""
    query = select(Submission).where(Submission.state == state, col(Submission.id) > after)
    return list(session.exec(query.order_by(col(Submission.id)).limit(limit)))


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
