"""Filling the recall index: which entry holds which term, and how many entries hold each."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import delete, select, update
from sqlmodel import Session, col

from app.store.bulk import insert_many
from app.store.entry_tables import Posting, Term

_BATCH = 500
T = TypeVar("T")

# One statement for any number of terms: each is made or counted up, and all come back with their ids.
_COUNTED = "ON CONFLICT (text) DO UPDATE SET entries = term.entries + excluded.entries RETURNING text, id"
_TERMS = "INSERT INTO term (text, entries) SELECT key, value"
_COUNT_UP = {
    "sqlite": f"{_TERMS} FROM json_each(?) WHERE true {_COUNTED}",
    "postgresql": f"{_TERMS}::integer FROM json_each_text(%s::json) WHERE true {_COUNTED}",
}


def post(session: Session, entry: int, terms: Collection[str]) -> None:
    """Make `terms` the terms of an entry."""
    known = dict(
        session.execute(
            select(col(Term.text), col(Term.id))
            .join(Posting, col(Posting.term) == col(Term.id))
            .where(col(Posting.entry) == entry)
        ).all()
    )
    gone = [key for text, key in known.items() if text not in terms and key is not None]
    new = [text for text in terms if text not in known]
    if gone:
        for batch in _batches(gone):
            session.execute(delete(Posting).where(col(Posting.entry) == entry, col(Posting.term).in_(batch)))
            _count_down(session, batch)
    post_new(session, [(entry, new)])


def post_new(session: Session, rows: Sequence[tuple[int, Collection[str]]]) -> None:
    """Post terms of entries that these do not have yet."""
    counts: dict[str, int] = {}
    for _, terms in rows:
        for text in terms:
            counts[text] = counts.get(text, 0) + 1
    ids = _counted_up(session, counts)
    # They are inserted in the order of the primary key, in which the table is stored.
    pairs = sorted((ids[text], entry) for entry, terms in rows for text in terms)
    insert_many(session, Posting, [{"term": term, "entry": entry} for term, entry in pairs])


def _counted_up(session: Session, counts: Mapping[str, int]) -> dict[str, int]:
    """Raise the count of each term, making those that are new, and return the ids of all."""
    if not counts:
        return {}
    connection = session.connection()
    # Everybody updates terms in the same order, so that two writers who share terms cannot wait for each other in a
    # circle.
    values = json.dumps(dict(sorted(counts.items())), ensure_ascii=False)
    rows = connection.exec_driver_sql(_COUNT_UP[connection.dialect.name], (values,))
    return dict(map(tuple, rows))


def _count_down(session: Session, keys: Sequence[int]) -> None:
    session.execute(
        update(Term)
        .where(col(Term.id).in_(keys))
        .values(entries=col(Term.entries) - 1)
        .execution_options(synchronize_session=False)
    )


def _batches(items: Sequence[T]) -> Iterable[Sequence[T]]:
    return (items[at : at + _BATCH] for at in range(0, len(items), _BATCH))
