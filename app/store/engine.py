"""The engine of the configured database: how it is made, and the check that the database exists."""

from pathlib import Path

from sqlalchemy import Engine, create_engine, inspect
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from app.config import Settings
from app.store.errors import DamagedDatabase, NoDatabase, UnreachableDatabase, is_damage
from app.store.sqlite import connect_file

# A command waits so many seconds for a lock of SQLite; a request of the server has less time.
BUSY_SECONDS = 15
# Each connection to a file keeps so many MiB of pages in memory of its own. It reads from the mapped file, except what
# is still in the log of changes; a command that writes much gains by a large cache, while a server has up to 48
# connections and keeps each one small.
CACHE_MIB, SERVER_CACHE_MIB = 64, 8
# Where all connections are in use, a caller waits so many seconds for one to be given back.
POOL_SECONDS = 5


def connect(settings: Settings, busy_seconds: float = BUSY_SECONDS, cache_mib: int = CACHE_MIB) -> Engine:
    """Return an engine for the configured database; nothing is created or opened yet.

    A transaction that writes to an SQLite file waits at most so many seconds for the lock of another one; each
    connection to the file keeps so many MiB of pages.
    """
    if settings.url.get_backend_name() == "sqlite":
        return connect_file(settings.url, busy_seconds, cache_mib)
    # It imports psycopg, which takes a tenth of the time of a short command.
    from app.store.postgresql import patience

    return create_engine(
        settings.url,
        pool_pre_ping=True,
        pool_size=8,
        max_overflow=24,
        pool_timeout=POOL_SECONDS,
        connect_args=patience(settings.url),
    )


def make_parent(settings: Settings) -> None:
    """Create the folder that an SQLite file goes into."""
    if settings.url.get_backend_name() == "sqlite" and settings.url.database not in (None, "", ":memory:"):
        Path(str(settings.url.database)).parent.mkdir(parents=True, exist_ok=True)


def need_database(settings: Settings, engine: Engine) -> None:
    """Check that the database exists; never create it.

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
