"""The database connection, and one transaction per request."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Dialect,
    Engine,
    PoolProxiedConnection,
    QueuePool,
    create_engine,
    event,
    insert,
    inspect,
)
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor, DBAPIModule
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session, SQLModel

from app.config import Settings
from app.errors import Unavailable
from app.store.postgresql import patience

# how long a command waits for a lock of SQLite; a request of the server has less time
BUSY_SECONDS = 15
# MiB of pages that each connection to a file keeps in memory of its own: what is read comes from the mapped file, but
# not what is in the log of changes. A command that writes much gains by it; a server has 48 connections.
CACHE_MIB, SERVER_CACHE_MIB = 64, 8
# until somebody who has a connection gives it back
POOL_SECONDS = 5
# connections to a file that stay with those who read, of the 48 that there may be
AT_HAND = 4
OLDEST_SQLITE = (3, 40)


# how an SQLite file begins, and how long its head is
_MAGIC, _HEAD = b"SQLite format 3\0", 100
# the results of SQLite for a file that is cut off, overwritten, or no database at all
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DamagedDatabase(Unavailable):
    """The database file cannot be understood; only a backup helps (exit code 3)."""


class NoDatabase(Exception):
    """There is no database at the address, or it is empty; the command line says how to make one (exit code 3)."""


class UnreachableDatabase(NoDatabase):
    """What is at the address cannot be opened; it may be away for a moment."""


def connect(settings: Settings, busy_seconds: float = BUSY_SECONDS, cache_mib: int = CACHE_MIB) -> Engine:
    """Return an engine for the configured database; nothing is created or opened yet.

    Who writes to an SQLite file waits so many seconds for a lock of somebody else; each connection to it keeps so many
    MiB of pages.
    """
    if settings.url.get_backend_name() != "sqlite":
        return create_engine(
            settings.url,
            pool_pre_ping=True,
            pool_size=8,
            max_overflow=24,
            pool_timeout=POOL_SECONDS,
            connect_args=patience(settings.url),
        )
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise NoDatabase(f"SQLite 3.40 or later is needed, this Python has {sqlite3.sqlite_version}")
    engine = create_engine(
        settings.url,
        connect_args={"timeout": busy_seconds, "check_same_thread": False},
        poolclass=HandyPool,
        pool_size=16,
        max_overflow=32,
    )
    event.listen(engine, "do_connect", _sqlite_address)
    event.listen(engine, "connect", partial(_sqlite_connection, cache_mib))
    event.listen(engine, "begin", _sqlite_begin)
    return engine


def _sqlite_address(_dialect: object, _record: object, address: list[str], options: dict[str, Any]) -> None:
    path = Path(address[0])
    # with a log of changes beside it, the file may lag behind what its first page says
    if not path.is_file() or Path(f"{path}-wal").exists():
        return
    if _is_cut_off(path):
        error = sqlite3.DatabaseError("the file is shorter than its first page says")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error
    # WAL needs two more files beside the database. Where none can be made, nobody writes, and SQLite reads without them
    if not os.access(path.parent, os.W_OK):
        address[0] = f"{path.absolute().as_uri()}?immutable=1"
        options["uri"] = True


def _is_cut_off(path: Path) -> bool:
    """Whether an SQLite file lacks pages at its end; SQLite itself takes half a page for a whole one."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if len(head) < _HEAD or not head.startswith(_MAGIC) or head[24:28] != head[92:96]:
        return False
    page = int.from_bytes(head[16:18], "big")
    return path.stat().st_size < int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page)


def _sqlite_connection(cache_mib: int, connection: sqlite3.Connection, _record: object) -> None:
    # pysqlite opens transactions late and only for DML; Errdex says BEGIN itself, see _sqlite_begin
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"cache_size=-{cache_mib * 1024}",
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
    """Hold the database to being there; never create one.

    Raises `NoDatabase` when there is none or it holds no tables, `UnreachableDatabase`, `DamagedDatabase`.
    """
    path = settings.url.database
    if settings.url.get_backend_name() == "sqlite" and path and path != ":memory:" and not Path(path).exists():
        raise NoDatabase(f"no database at {path}")
    try:
        if not inspect(engine).has_table("entry"):
            raise NoDatabase(f"the database at {settings.url.render_as_string()} is empty")
    except (OperationalError, InterfaceError) as error:
        raise UnreachableDatabase(f"cannot open {settings.url.render_as_string()}: {error.orig}") from error
    except DBAPIError as error:
        if is_damage(error):
            raise DamagedDatabase from error
        raise


def is_damage(error: BaseException) -> bool:
    """Whether an error of the database means that its file is damaged."""
    found = error.orig if isinstance(error, DBAPIError) else error
    return getattr(found, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads."""
    with _transaction(engine.execution_options(errdex_read=True)) as session:
        yield session


class HandyPool(QueuePool):
    """A pool that leaves a few connections with those who read, so that they need not be fetched and brought back.

    That takes as long as a statement does. For connections to a file, which do not go away by themselves.
    """

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self._at_hand: list[PoolProxiedConnection] = []

    @contextmanager
    def reading(self) -> Iterator[DBAPIConnection]:
        """A connection of the driver; what was begun with it is rolled back at the end."""
        try:
            connection = self._at_hand.pop()
        except IndexError:
            connection = self.connect()
        try:
            assert connection.dbapi_connection is not None
            yield connection.dbapi_connection
            connection.dbapi_connection.rollback()
        except BaseException:
            connection.close()
            raise
        if len(self._at_hand) < AT_HAND:
            self._at_hand.append(connection)
        else:
            connection.close()

    def dispose(self) -> None:
        """Close all connections that nobody uses."""
        while self._at_hand:
            self._at_hand.pop().close()
        super().dispose()


class Asking:
    """A transaction that only reads, without SQLAlchemy between: what every question runs through.

    Its way from statement to rows takes several times as long as SQLite's own.
    """

    def __init__(self, cursor: DBAPICursor, mark: str) -> None:
        self._cursor = cursor
        self._mark = mark

    def rows(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that ends where a list of values begins, for these values."""
        self._cursor.execute(f"{sql} ({','.join([self._mark] * len(values))})", tuple(values))
        return list(self._cursor.fetchall())

    def select(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement in which each value is marked with a `?`."""
        self._cursor.execute(sql.replace("?", self._mark), tuple(values))
        return list(self._cursor.fetchall())


@contextmanager
def asking(engine: Engine) -> Iterator[Asking]:
    """A transaction that only reads, for few quick statements. Raises as `reading` does."""
    dialect, pool = engine.dialect, engine.pool
    if isinstance(pool, HandyPool):
        try:
            with pool.reading() as direct:
                cursor = direct.cursor()
                # the connection is in autocommit mode, see _sqlite_connection
                cursor.execute("BEGIN")
                yield Asking(cursor, "?")
        except dialect.loaded_dbapi.Error as error:
            raise _meant(_wrapped(error, dialect, None)) from error
        except PoolTimeout as error:
            raise _meant(error) from error
        return
    connection: PoolProxiedConnection | None = None
    try:
        with _translated():
            connection = engine.raw_connection()
        yield Asking(connection.cursor(), "%s")
    except dialect.loaded_dbapi.Error as error:
        raise _meant(_wrapped(error, dialect, connection)) from error
    finally:
        if connection is not None:
            # the pool rolls back, which ends the transaction
            connection.close()


def _wrapped(error: DBAPIModule.Error, dialect: Dialect, connection: PoolProxiedConnection | None) -> DBAPIError:
    """Return an error of the driver as SQLAlchemy words it, and give up a connection that is gone."""
    gone = connection is not None and dialect.is_disconnect(error, connection.dbapi_connection, None)
    if gone and connection:
        connection.invalidate(error)
    base = dialect.loaded_dbapi.Error
    wrapped = DBAPIError.instance(None, None, error, base, connection_invalidated=gone, dialect=dialect)
    assert isinstance(wrapped, DBAPIError)
    return wrapped


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session whose transaction is committed at the end, and rolled back on any error.

    Raises `Unavailable` when the database cannot be reached, is locked or does not commit, `DamagedDatabase` when its
    file is damaged.
    """
    with _transaction(engine) as session:
        yield session


def insert_many(session: Session, model: type[SQLModel], rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows that all have the same columns, without making objects of them.

    It takes the quickest way of each database, a third of the time of the ORM's where rows are many.
    """
    if not rows:
        return
    table, columns = inspect(model).local_table, list(rows[0])
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {table.name} ({', '.join(columns)}) FROM STDIN", rows)
    elif all(isinstance(value, int | str) for value in rows[0].values()):
        marks = ", ".join("?" * len(columns))
        sql = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
        connection.exec_driver_sql(sql, [tuple(row.values()) for row in rows])
    else:
        connection.execute(insert(table), rows)


def _copy(connection: Connection, sql: str, rows: Sequence[dict[str, Any]]) -> None:
    pooled = connection.connection
    try:
        with pooled.cursor() as cursor, cursor.copy(sql) as copy:  # type: ignore[attr-defined]
            for row in rows:
                copy.write_row(tuple(row.values()))
    except connection.dialect.loaded_dbapi.Error as error:
        raise _wrapped(error, connection.dialect, pooled) from error


@contextmanager
def _transaction(engine: Engine) -> Iterator[Session]:
    with _translated(), Session(engine, expire_on_commit=False) as session:
        yield session
        session.commit()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        meant = _meant(error)
        if meant is error:
            raise
        raise meant from error


def _meant(error: DBAPIError | PoolTimeout) -> Exception:
    """Return what an error of the database means to those who ask; itself when it is a fault of the program."""
    if is_damage(error):
        return DamagedDatabase()
    if isinstance(error, PoolTimeout | OperationalError | InterfaceError) or error.connection_invalidated:
        return Unavailable()
    return error
