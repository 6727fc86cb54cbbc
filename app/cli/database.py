"""The configured database, for the length of a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine
from sqlalchemy.exc import ArgumentError

from app.cli.exits import MAKE_ONE, UNREACHABLE, USAGE, Stop
from app.cli.output import note
from app.config import Settings
from app.store import entries
from app.store.engine import connect, need_database
from app.store.session import reading

ADDRESS = "ERRDEX_DATABASE_URL is not understood; write sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME"


def settings() -> Settings:
    """Return the settings of the environment. Raises `pydantic.ValidationError`."""
    return Settings()


def connected(found: Settings) -> Engine:
    """Return an engine for the configured database. Raises `Stop` when its address makes no sense."""
    try:
        return connect(found)
    except (ArgumentError, ModuleNotFoundError, ValueError) as error:
        raise Stop(USAGE, ADDRESS) from error


@contextmanager
def existing() -> Iterator[Engine]:
    """The database, which must be there. Raises `NoDatabase`."""
    found = settings()
    engine = connected(found)
    try:
        need_database(found, engine)
        yield engine
    finally:
        engine.dispose()


@contextmanager
def filled() -> Iterator[Engine]:
    """The database, which must be there and hold entries. Raises `NoDatabase`, `Stop`."""
    with existing() as engine:
        with reading(engine) as session:
            total = entries.total(session)
        if not total:
            raise Stop(UNREACHABLE, f"the database holds no entries. {MAKE_ONE}")
        yield engine


@contextmanager
def created() -> Iterator[Engine]:
    """The database, made or upgraded first if need be."""
    found = settings()
    engine = connected(found)
    try:
        upgrade(found, engine)
        yield engine
    finally:
        engine.dispose()


def upgrade(found: Settings, engine: Engine) -> None:
    """Bring the database to the present tables and say where the copy of the old one is."""
    # They are imported late, for alembic takes longer to load than most commands take to answer.
    from alembic.util import CommandError

    from app.store.migrate import migrate

    try:
        backup = migrate(found, engine)
    except CommandError as error:
        raise Stop(UNREACHABLE, f"the database is not of this version of Errdex or an older one: {error}") from error
    if backup:
        note(f"The database was upgraded. A copy from before is at {backup}")
