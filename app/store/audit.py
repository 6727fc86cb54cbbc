"""Queries on who did what."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, delete, select

from app.store.people_tables import AuditRecord

# When all records are listed, so many rows are read at a time.
BATCH = 500


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What is looked for: an act, a person's number, the moment from which on; empty for all."""

    act: str = ""
    actor: int | None = None
    since: datetime | None = None


def add(session: Session, record: AuditRecord) -> None:
    """Keep a record."""
    session.add(record)


def newest(session: Session, wanted: AuditFilter, limit: int, before: int = 0) -> list[AuditRecord]:
    """Return the newest records, newest first, those with a number below `before` where it is given."""
    query = select(AuditRecord).order_by(col(AuditRecord.id).desc()).limit(limit)
    if before:
        query = query.where(col(AuditRecord.id) < before)
    if wanted.act:
        query = query.where(AuditRecord.act == wanted.act)
    if wanted.actor is not None:
        query = query.where(AuditRecord.actor == wanted.actor)
    if wanted.since is not None:
        query = query.where(col(AuditRecord.at) >= wanted.since)
    return list(session.exec(query))


def everything(session: Session, wanted: AuditFilter) -> Iterator[AuditRecord]:
    """Yield all records, newest first."""
    before = 0
    while rows := newest(session, wanted, BATCH, before):
        yield from rows
        before = rows[-1].id or 0


def forget(session: Session, before: datetime) -> None:
    """Remove the records from before a moment."""
    session.exec(delete(AuditRecord).where(col(AuditRecord.at) < before))
