"""Queries on the digests of a day and their salt."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select
from sqlmodel import Session, col

from app.store.asked_tables import DayDigest, DaySalt
from app.store.upsert import insert_missing


def salt(session: Session, day: str, fresh: str) -> str:
    """Return the salt of a day: the one that is there, else `fresh`, which is kept."""
    # Another worker may make the row of the day at the same moment; then that row is read.
    insert_missing(session, DaySalt, [{"day": day, "salt": fresh}])
    return str(session.execute(select(col(DaySalt.salt)).where(col(DaySalt.day) == day)).scalar_one())


def amount(session: Session, day: str) -> int:
    """Return how many digests a day has."""
    query = select(func.count()).select_from(DayDigest).where(col(DayDigest.day) == day)
    return int(session.execute(query).scalar_one())


def of(session: Session, day: str, about: Collection[str]) -> dict[str, set[str]]:
    """Return the digests that each of these subjects has on a day; a subject without any is left out."""
    query = select(col(DayDigest.about), col(DayDigest.digest))
    query = query.where(col(DayDigest.day) == day, col(DayDigest.about).in_(about))
    found: dict[str, set[str]] = {}
    for subject, digest in session.execute(query):
        found.setdefault(subject, set()).add(digest)
    return found


def add(session: Session, day: str, digests: Sequence[tuple[str, str]]) -> None:
    """Keep digests of a day, as (about, digest)."""
    rows = [{"day": day, "about": about, "digest": digest} for about, digest in digests]
    insert_missing(session, DayDigest, rows)


def has_before(session: Session, day: str) -> bool:
    """Tell whether anything of an earlier day is left."""
    salts = select(col(DaySalt.day)).where(col(DaySalt.day) < day)
    digests = select(col(DayDigest.day)).where(col(DayDigest.day) < day)
    return session.execute(salts.union(digests).limit(1)).first() is not None


def forget_before(session: Session, day: str) -> None:
    """Delete the digests of earlier days together with their salts."""
    session.execute(delete(DayDigest).where(col(DayDigest.day) < day))
    session.execute(delete(DaySalt).where(col(DaySalt.day) < day))
