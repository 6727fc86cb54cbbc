"""Queries on errors that found no entry."""

from datetime import datetime

from sqlalchemy import case, delete, select, update
from sqlmodel import Session, col

from app.models import Wanted
from app.store.upsert import upsert


def count(session: Session, fingerprint: str, pattern: str, times: int, *, enough: int, at: datetime) -> None:
    """Count so many askings; the pattern is kept from the `enough`-th on."""
    asked = col(Wanted.asked) + times
    kept = case((col(Wanted.pattern) != "", col(Wanted.pattern)), (asked >= enough, pattern), else_="")
    first = pattern if times >= enough else ""
    new = {"fingerprint": fingerprint, "asked": times, "first": at, "last": at, "dismissed": False, "pattern": first}
    upsert(session, Wanted, new, ("fingerprint",), {"asked": asked, "last": at, "pattern": kept})


def forget(session: Session, before: datetime, enough: int) -> None:
    """Forget what was asked fewer than `enough` times and not since `before`."""
    session.execute(delete(Wanted).where(col(Wanted.asked) < enough, col(Wanted.last) < before))


def most(session: Session, *, after: int = 0, limit: int = 50) -> list[Wanted]:
    """Return what was asked most and not dismissed, all but the first `after`; the pattern of each is kept."""
    query = select(Wanted).where(col(Wanted.pattern) != "", ~col(Wanted.dismissed))
    order = (col(Wanted.asked).desc(), col(Wanted.last).desc(), col(Wanted.fingerprint))
    return list(session.scalars(query.order_by(*order).offset(after).limit(limit)))


def dismiss(session: Session, fingerprint: str) -> bool:
    """Take one out of the list, its pattern too; tell whether there was one."""
    done = session.execute(
        update(Wanted)
        .where(col(Wanted.fingerprint) == fingerprint)
        .values(dismissed=True)
        .execution_options(synchronize_session=False)
    )
    return bool(done.rowcount)  # type: ignore[attr-defined]
