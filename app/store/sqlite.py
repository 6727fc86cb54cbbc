"""An SQLite file: how it is opened, what is wrong with it, and the connections that stay with those who read."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, PoolProxiedConnection, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from app.store.errors import NoDatabase

# So many connections to a file stay with those who read, of the 48 that there may be.
AT_HAND = 4
OLDEST_SQLITE = (3, 40)
# An SQLite file begins with these bytes, and its head has this length.
_MAGIC, _HEAD = b"SQLite format 3\0", 100


def connect_file(url: URL, busy_seconds: float, cache_mib: int) -> Engine:
    """Return an engine for an SQLite file; nothing is created or opened yet. See `app.store.engine.connect`.

    Raises `NoDatabase` when this Python's SQLite is too old.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise NoDatabase(f"SQLite 3.40 or later is needed, this Python has {sqlite3.sqlite_version}")
    engine = create_engine(
        url,
        connect_args={"timeout": busy_seconds, "check_same_thread": False},
        poolclass=ReaderPool,
        pool_size=16,
        max_overflow=32,
    )
    event.listen(engine, "do_connect", _open_address)
    event.listen(engine, "connect", partial(_set_up, cache_mib))
    event.listen(engine, "begin", _begin)
    return engine


def _open_address(_dialect: object, _record: object, address: list[str], options: dict[str, Any]) -> None:
    path = Path(address[0])
    # While a log of changes lies beside the file, the file may be shorter than its first page says.
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


def _set_up(cache_mib: int, connection: sqlite3.Connection, _record: object) -> None:
    # pysqlite opens transactions late and only for DML, so `_begin` says BEGIN instead.
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"cache_size=-{cache_mib * 1024}",
        "mmap_size=1073741824",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: object) -> None:
    # A reader that later writes would fail with "database is locked" under WAL, or lose an update; so writers say so
    execution = connection.get_execution_options()  # type: ignore[attr-defined]
    connection.exec_driver_sql("BEGIN" if execution.get("errdex_read") else "BEGIN IMMEDIATE")  # type: ignore[attr-defined]


class ReaderPool(QueuePool):
    """A pool that keeps a few connections apart for readers, who then need not check them out and in.

    Checking out takes as long as a statement does. It is for connections to a file, which do not break by themselves.
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
