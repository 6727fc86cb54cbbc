"""Insert or, where the row is there already, change it: one statement, so that the unique constraint decides."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects import sqlite
from sqlmodel import Session, SQLModel

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def upsert(
    session: Session,
    model: type[SQLModel],
    values: Mapping[str, Any],
    unique: Sequence[str],
    changed: Mapping[str, Any],
) -> None:
    """Insert a row with `values`; where the columns `unique` are taken already, set `changed` in the row there."""
    row = _insert(session, model).values(**values)
    session.execute(row.on_conflict_do_update(index_elements=list(unique), set_=dict(changed)))


def insert_missing(session: Session, model: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those of the rows that are not there yet, by any unique constraint; all have the same columns."""
    if rows:
        session.execute(_insert(session, model).on_conflict_do_nothing(), list(rows))


def _insert(session: Session, model: type[SQLModel]) -> "sqlite.Insert | postgresql.Insert":
    # Both databases have the same clauses, but SQLAlchemy has a constructor of its own for each.
    if session.get_bind().dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(model)
    return sqlite.insert(model)
