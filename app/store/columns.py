"""What the tables have in common: their base, moments in UTC, and the largest number that a column holds."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, TypeDecorator
from sqlmodel import SQLModel

# The largest number that a column of numbers holds on every database; no row has a larger one.
LARGEST_NUMBER = 2**31 - 1


class Table(SQLModel):
    """A table. Rows come from the database or from our own code, so that nothing ever needs what would check them."""

    model_config = {"defer_build": True}


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC that is aware on every database (SQLite forgets the zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give a naive value the zone it was written with."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def now() -> datetime:
    """The current time in UTC, without fractions of a second (so that it reads back equal on every database)."""
    return datetime.now(UTC).replace(microsecond=0)


def row_number(asked: int) -> int:
    """Return a number that a row may have; 0, which none has, for one that was never given out."""
    return asked if 0 < asked <= LARGEST_NUMBER else 0
