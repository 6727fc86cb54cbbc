"""Brings a database to the present tables, under a lock, with a copy of an SQLite file before it is changed."""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from app.config import DATA, Settings
from app.store.engine import make_parent

# Any number will do that no other program uses for an advisory lock on the same PostgreSQL database.
_LOCK = 7_105_110_100


def migrate(settings: Settings, engine: Engine) -> str | None:
    """Create or upgrade the tables; return the path of the backup if one was made. Safe to call from many processes."""
    make_parent(settings)
    config = alembic_config(settings)
    head = ScriptDirectory.from_config(config).get_current_head()
    with engine.execution_options(errdex_read=True).connect() as connection:
        # This comes before the lock, whose file cannot be made beside a database that is read only.
        if _revision(connection) == head:
            return None
    with _alone(settings, engine) as connection:
        present = _revision(connection)
        if present == head:
            return None
        backup = _copy(settings, present) if present else None
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
        return backup


def _revision(connection: Connection) -> str | None:
    found = MigrationContext.configure(connection).get_current_revision()
    connection.rollback()
    return found


def revisions() -> list[str]:
    """Return the revisions of the tables that this version knows, the present one first."""
    return [script.revision for script in ScriptDirectory(str(DATA / "migrations")).walk_revisions()]


def alembic_config(settings: Settings) -> Config:
    """Return the configuration that alembic needs for this database."""
    config = Config()
    config.set_main_option("script_location", str(DATA / "migrations"))
    config.attributes["settings"] = settings
    return config


@contextmanager
def _alone(settings: Settings, engine: Engine) -> Iterator[Connection]:
    """Hold the migration lock: a file beside an SQLite database, an advisory lock on PostgreSQL."""
    if settings.url.get_backend_name() == "sqlite":
        path = Path(f"{settings.url.database}.lock")
        with path.open("w") as lock, engine.connect() as connection:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield connection
        return
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
        connection.commit()
        try:
            yield connection
        finally:
            connection.rollback()
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})
            connection.commit()


def _copy(settings: Settings, present: str) -> str | None:
    if settings.url.get_backend_name() != "sqlite":
        return None
    target = Path(f"{settings.url.database}.before-{present}")
    with sqlite3.connect(str(settings.url.database)) as source, sqlite3.connect(target) as copy:
        source.backup(copy)
    return str(target)
