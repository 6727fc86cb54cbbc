"""What can be wrong with a database, and what its errors mean to those who ask."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Dialect, PoolProxiedConnection
from sqlalchemy.engine.interfaces import DBAPIModule
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.errors import Unavailable

# SQLite gives these results for a file that is cut off, overwritten, or no database at all.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DamagedDatabase(Unavailable):
    """The database file cannot be understood; only a backup helps (exit code 3)."""


class NoDatabase(Exception):
    """There is no database at the address, or it is empty; the command line says how to make one (exit code 3)."""


class UnreachableDatabase(NoDatabase):
    """What is at the address cannot be opened; it may be away for a moment."""


def is_damage(error: BaseException) -> bool:
    """Whether an error of the database means that its file is damaged."""
    found = error.orig if isinstance(error, DBAPIError) else error
    return getattr(found, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def translate_error(error: DBAPIError | PoolTimeout) -> Exception:
    """Return what an error of the database means to those who ask; itself when it is a fault of the program."""
    if is_damage(error):
        return DamagedDatabase()
    if isinstance(error, PoolTimeout | OperationalError | InterfaceError) or error.connection_invalidated:
        return Unavailable()
    return error


@contextmanager
def translated() -> Iterator[None]:
    """Raise what errors of the database within the block mean: see `translate_error`."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        meant = translate_error(error)
        if meant is error:
            raise
        raise meant from error


def driver_error(error: DBAPIModule.Error, dialect: Dialect, connection: PoolProxiedConnection | None) -> DBAPIError:
    """Return an error of the driver as SQLAlchemy words it, and give up a connection that is gone."""
    gone = connection is not None and dialect.is_disconnect(error, connection.dbapi_connection, None)
    if gone and connection:
        connection.invalidate(error)
    base = dialect.loaded_dbapi.Error
    wrapped = DBAPIError.instance(None, None, error, base, connection_invalidated=gone, dialect=dialect)
    assert isinstance(wrapped, DBAPIError)
    return wrapped
