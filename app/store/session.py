"""The database connection, and one transaction per request."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, insert, inspect
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlmodel import Session, SQLModel

from app.config import Settings
from app.errors import Unavailable

BUSY_SECONDS = 15
OLDEST_SQLITE = (3, 40)


class NoDatabase(Exception):
    """There is no database at the address, or it is empty; the command line says how to make one (exit code 3)."""


def connect(settings: Settings) -> Engine:
    """Return an engine for the configured database; nothing is created or opened yet."""
    if settings.url.get_backend_name() != "sqlite":
        return create_engine(settings.url, pool_pre_ping=True, pool_size=8, max_overflow=24)
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise NoDatabase(f"SQLite 3.40 or later is needed, this Python has {sqlite3.sqlite_version}")
    engine = create_engine(
        settings.url,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        pool_size=16,
        max_overflow=32,
    )
    event.listen(engine, "connect", _sqlite_connection)
    event.listen(engine, "begin", _sqlite_begin)
    return engine


def _sqlite_connection(connection: sqlite3.Connection, _record: object) -> None:
    # pysqlite opens transactions late and only for DML; Errdex says BEGIN itself, see _sqlite_begin
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        "cache_size=-65536",
        "mmap_size=1073741824",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _sqlite_begin(connection: object) -> None:
    # A reader that later writes would fail with "database is locked" under WAL, or lose an update; so writers say so
    execution = connection.get_execution_options()  # type: ignore[attr-defined]
    connection.exec_driver_sql("BEGIN" if execution.get("errdex_read") else "BEGIN IMMEDIATE")  # type: ignore[attr-defined]


def make_parent(settings: Settings) -> None:
    """Create the folder that an SQLite file goes into."""
    if settings.url.get_backend_name() == "sqlite" and settings.url.database not in (None, "", ":memory:"):
        Path(str(settings.url.database)).parent.mkdir(parents=True, exist_ok=True)


def need_database(settings: Settings, engine: Engine) -> None:
    """Raise `NoDatabase` when there is no database or it holds no tables; never create one."""
    path = settings.url.database
    if settings.url.get_backend_name() == "sqlite" and path and path != ":memory:" and not Path(path).exists():
        raise NoDatabase(f"no database at {path}")
    try:
        if not inspect(engine).has_table("entry"):
            raise NoDatabase(f"the database at {settings.url.render_as_string()} is empty")
    except (OperationalError, InterfaceError) as error:
        raise NoDatabase(f"cannot open {settings.url.render_as_string()}: {error.orig}") from error


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads."""
    with _transaction(engine.execution_options(errdex_read=True)) as session:
        yield session


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session whose transaction is committed at the end, and rolled back on any error.

    Raises `Unavailable` when the database cannot be reached, is locked or does not commit.
    """
    with _transaction(engine) as session:
        yield session


def insert_many(session: Session, model: type[SQLModel], rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows without making objects of them; half the time of the ORM's way where they are many."""
    if rows:
        session.connection().execute(insert(inspect(model).local_table), rows)


@contextmanager
def _transaction(engine: Engine) -> Iterator[Session]:
    try:
        with Session(engine, expire_on_commit=False) as session:
            yield session
            session.commit()
    except DBAPIError as error:
        if isinstance(error, OperationalError | InterfaceError) or error.connection_invalidated:
            raise Unavailable from error
        raise
