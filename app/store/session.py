"""One transaction per request: a session that reads or writes, and a bare one for what every question runs through."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Engine, PoolProxiedConnection, func, select
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from app.store.errors import driver_error, translate_error, translated
from app.store.sqlite import ReaderPool

# Lists of values in a statement have a multiple of so many.
_STEP = 8


@cache
def _marks(mark: str, length: int) -> str:
    return f"({','.join([mark] * length)})"


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads."""
    with _transaction(engine.execution_options(errdex_read=True)) as session:
        yield session


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session whose transaction is committed at the end, and rolled back on any error.

    Raises `Unavailable` when the database cannot be reached, is locked or does not commit, `DamagedDatabase` when its
    file is damaged.
    """
    with _transaction(engine) as session:
        yield session


class ReadTransaction:
    """A transaction that only reads, without SQLAlchemy between: what every question runs through.

    Its way from statement to rows takes several times as long as SQLite's own.
    """

    def __init__(self, cursor: DBAPICursor, mark: str) -> None:
        self._cursor = cursor
        self._mark = mark

    def rows(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that ends where a list of values begins, for these values; there is one."""
        # A value more than once changes nothing. Lists of few lengths are few statements, which stay prepared.
        length = -(-len(values) // _STEP) * _STEP
        padded = (*values, *[values[-1]] * (length - len(values)))
        self._cursor.execute(f"{sql} {_marks(self._mark, length)}", padded)
        return list(self._cursor.fetchall())

    def select(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement in which each value is marked with a `?`."""
        self._cursor.execute(sql.replace("?", self._mark), tuple(values))
        return list(self._cursor.fetchall())


@contextmanager
def read_transaction(engine: Engine) -> Iterator[ReadTransaction]:
    """A transaction that only reads, for few quick statements. Raises as `reading` does."""
    dialect, pool = engine.dialect, engine.pool
    if isinstance(pool, ReaderPool):
        try:
            with pool.reading() as direct:
                cursor = direct.cursor()
                # The connection is in autocommit mode (see app.store.sqlite), so the transaction is begun by hand.
                cursor.execute("BEGIN")
                yield ReadTransaction(cursor, "?")
        except dialect.loaded_dbapi.Error as error:
            raise translate_error(driver_error(error, dialect, None)) from error
        except PoolTimeout as error:
            raise translate_error(error) from error
        return
    connection: PoolProxiedConnection | None = None
    try:
        with translated():
            connection = engine.raw_connection()
        yield ReadTransaction(connection.cursor(), "%s")
    except dialect.loaded_dbapi.Error as error:
        raise translate_error(driver_error(error, dialect, connection)) from error
    finally:
        if connection is not None:
            # Closing gives the connection back to the pool, which rolls back and so ends the transaction.
            connection.close()


def alone_in(session: Session, lock: int) -> None:
    """Wait until no other transaction has this lock; this one then has it until it ends.

    `lock` is any number that no other program uses for an advisory lock on the same PostgreSQL database.
    """
    # On SQLite a transaction that writes is the only one anyway.
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(lock)))


@contextmanager
def _transaction(engine: Engine) -> Iterator[Session]:
    with translated(), Session(engine, expire_on_commit=False) as session:
        yield session
        session.commit()
