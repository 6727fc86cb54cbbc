"""One sync at a time on one database, whichever process or host it runs on."""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, text

from app.errors import Unavailable

# Any number will do that no other program uses for an advisory lock on the same PostgreSQL database.
_LOCK = 7_105_110_101
_PAUSE = 0.05
LONG, SHORT = 600.0, 10.0


@contextmanager
def alone(engine: Engine, *, wait: float = LONG) -> Iterator[None]:
    """Hold the sync lock; it is free again when the process ends, however it ends.

    On PostgreSQL it is an advisory lock, on SQLite a file beside the database, which all its users can see.
    Raises `Unavailable` when another sync does not end within `wait` seconds.
    """
    if engine.url.get_backend_name() != "sqlite":
        with _advisory(engine, wait):
            yield
    elif engine.url.database in (None, "", ":memory:"):
        yield
    else:
        with Path(f"{engine.url.database}.sync.lock").open("w") as lock:
            _until(lambda: _flock(lock.fileno()), wait)
            yield


@contextmanager
def _advisory(engine: Engine, wait: float) -> Iterator[None]:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        take = text("SELECT pg_try_advisory_lock(:key)")
        _until(lambda: bool(connection.execute(take, {"key": _LOCK}).scalar_one()), wait)
        try:
            yield
        finally:
            # This closes the connection, even a broken one; with the connection the server ends the lock.
            connection.invalidate()


def _flock(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _until(taken: Callable[[], bool], wait: float) -> None:
    end = time.monotonic() + wait
    while not taken():
        if time.monotonic() > end:
            raise Unavailable from TimeoutError("another sync is running and does not end")
        time.sleep(_PAUSE)
