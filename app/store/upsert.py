"""Insert or, where the row is there already, change it: one statement, so that the unique constraint decides."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel


def upsert(
    session: Session,
    model: type[SQLModel],
    values: Mapping[str, Any],
    unique: Sequence[str],
    changed: Mapping[str, Any],
) -> None:
    """Insert a row with `values`; where the columns `unique` are taken already, set `changed` in the row there."""
    # both databases have the same clause, and SQLAlchemy a constructor for each
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    row = insert(model).values(**values)
    session.execute(row.on_conflict_do_update(index_elements=list(unique), set_=dict(changed)))
