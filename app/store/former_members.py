"""Where a name of a person stands in what is stored beside their own row. A new column with a name belongs here."""

from typing import Any

from sqlalchemy import or_, update
from sqlmodel import Session, SQLModel, col, select

from app.store.asked_tables import Feedback, WantedReleased
from app.store.entry_tables import Revision
from app.store.submission_tables import Review, Submission

# These columns hold a name and nothing else.
NAMES: tuple[tuple[type[SQLModel], str], ...] = (
    (Revision, "actor"),
    (Revision, "author"),
    (Review, "actor"),
    (Submission, "submitter"),
    (WantedReleased, "actor"),
)
# In these columns somebody can be mentioned as @name.
NOTES: tuple[tuple[type[SQLModel], str], ...] = (
    (Revision, "note"),
    (Review, "reason"),
    (Submission, "note"),
    (Feedback, "note"),
)


def rename(session: Session, name: str, other: str) -> None:
    """Replace a person's name by another one in everything that they did."""
    for model, column in NAMES:
        cell = col(getattr(model, column))
        session.execute(update(model).where(cell == name).values({column: other}))
    for model, column in NOTES:
        cell = col(getattr(model, column))
        for row in session.exec(select(model).where(cell.contains(f"@{name}", autoescape=True))):
            setattr(row, column, getattr(row, column).replace(f"@{name}", other))
            session.add(row)


def named(session: Session, name: str, number: int) -> dict[str, Any]:
    """Return what a person published, wrote, decided, proposed and said."""
    revisions = session.exec(select(Revision).where(Revision.actor == name).order_by(col(Revision.id)))
    written = session.exec(select(Revision).where(Revision.author == name).order_by(col(Revision.id)))
    reviews = session.exec(select(Review).where(Review.actor == name).order_by(col(Review.id)))
    theirs = or_(col(Submission.submitter) == name, col(Submission.person) == number)
    proposals = session.exec(select(Submission).where(theirs).order_by(col(Submission.id)))
    votes = session.exec(select(Feedback).where(Feedback.voter == f"person:{number}").order_by(col(Feedback.id)))
    return {
        "published": [
            {"slug": row.slug, "number": row.number, "note": row.note, "at": row.at.isoformat()} for row in revisions
        ],
        "written": [{"slug": row.slug, "number": row.number, "at": row.at.isoformat()} for row in written],
        "decided": [
            {"submission": row.submission, "decision": row.decision, "reason": row.reason, "at": row.at.isoformat()}
            for row in reviews
        ],
        "proposed": [
            {"number": row.id, "slug": row.slug, "state": row.state, "note": row.note, "at": row.at.isoformat()}
            for row in proposals
        ],
        "votes": [{"slug": row.slug, "vote": row.vote, "note": row.note, "at": row.at.isoformat()} for row in votes],
    }
