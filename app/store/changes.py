"""Queries on what changed: the revisions of all entries, newest first."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Executable, func, select, tuple_
from sqlmodel import Session, col

from app.store.entry_tables import Entry, Revision


class Recorded(NamedTuple):
    """A revision, and whether its entry can be read today."""

    id: int
    slug: str
    number: int
    digest: str
    document: str
    actor: str
    author: str
    note: str
    at: datetime
    is_published: bool


_RECORDED = select(
    col(Revision.id),
    col(Revision.slug),
    col(Revision.number),
    col(Revision.digest),
    col(Revision.document),
    col(Revision.actor),
    col(Revision.author),
    col(Revision.note),
    col(Revision.at),
    col(Entry.status) == "published",
).join(Entry, col(Entry.slug) == col(Revision.slug), isouter=True)


def recorded(session: Session, before: int, limit: int) -> list[Recorded]:
    """Return the newest revisions, newest first, those with an id below `before`."""
    return _rows(session, _RECORDED.where(col(Revision.id) < before).order_by(col(Revision.id).desc()).limit(limit))


def recorded_since(session: Session, since: int, limit: int) -> list[Recorded]:
    """Return the oldest revisions with an id above `since`, oldest first.

    Ids rise in the order in which revisions are committed, for only one transaction publishes at a time: who has seen
    one has seen all below it.
    """
    return _rows(session, _RECORDED.where(col(Revision.id) > since).order_by(col(Revision.id)).limit(limit))


def _rows(session: Session, query: Executable) -> list[Recorded]:
    return [Recorded._make((*row[:-1], bool(row[-1]))) for row in session.execute(query)]


def documents_before(session: Session, rows: Sequence[Recorded]) -> dict[tuple[str, int], str]:
    """Return the documents of the revisions that came before these, by slug and the number of the later one."""
    places = [(row.slug, row.number - 1) for row in rows if row.number > 1]
    if not places:
        return {}
    query = select(col(Revision.slug), col(Revision.number), col(Revision.document)).where(
        tuple_(col(Revision.slug), col(Revision.number)).in_(places)
    )
    return {(slug, number + 1): document for slug, number, document in session.execute(query)}


def first_numbers(session: Session, rows: Sequence[Recorded]) -> dict[tuple[str, str], int]:
    """Return the number of the first revision with the same text, by slug and digest."""
    slugs = {row.slug for row in rows if row.number > 1}
    if not slugs:
        return {}
    query = (
        select(col(Revision.slug), col(Revision.digest), func.min(col(Revision.number)))
        .where(col(Revision.slug).in_(slugs))
        .group_by(col(Revision.slug), col(Revision.digest))
    )
    return {(slug, digest): number for slug, digest, number in session.execute(query)}
