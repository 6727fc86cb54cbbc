"""Queries on what changed: the revisions of all entries, newest first."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select, tuple_
from sqlmodel import Session, col

from app.store.tables import Entry, Revision


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


def recorded(session: Session, before: int, limit: int) -> list[Recorded]:
    """Return the newest revisions, newest first, those with an id below `before`."""
    query = (
        select(
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
        )
        .join(Entry, col(Entry.slug) == col(Revision.slug), isouter=True)
        .where(col(Revision.id) < before)
        .order_by(col(Revision.id).desc())
        .limit(limit)
    )
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
