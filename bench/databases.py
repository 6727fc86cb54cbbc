"""Databases to measure on: a file in a temporary folder, and one on a PostgreSQL server that is dropped afterwards."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from app import sync
from app.config import ROOT, Settings
from app.store.engine import connect
from app.store.migrate import migrate

# This is the maintenance database of the server; the one for the measurement is made beside it.
SERVER = os.environ.get("ERRDEX_BENCH_POSTGRESQL", "postgresql+psycopg://root@127.0.0.1:5432/postgres")


@contextmanager
def sqlite() -> Iterator[Engine]:
    """An empty, migrated SQLite database."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _migrated(Settings(database_url=f"sqlite:///{Path(folder) / 'bench.db'}"))


@contextmanager
def shipped() -> Iterator[Engine]:
    """An SQLite database with the entries of the repository."""
    with sqlite() as engine:
        sync.ingest(engine, ROOT / "content")
        yield engine


@contextmanager
def postgresql() -> Iterator[Engine]:
    """An empty, migrated PostgreSQL database. Raises `OperationalError` when there is no server."""
    name = f"errdex_bench_{os.getpid()}"
    _on_server(f"CREATE DATABASE {name}")
    try:
        url = make_url(SERVER).set(database=name).render_as_string(hide_password=False)
        yield from _migrated(Settings(database_url=url))
    finally:
        _on_server(f"DROP DATABASE {name} WITH (FORCE)")


def postgresql_version() -> str | None:
    """Return the version of the PostgreSQL server, None when there is none."""
    engine = create_engine(SERVER)
    try:
        with engine.connect() as connection:
            return str(connection.execute(text("SHOW server_version")).scalar_one()).split()[0]
    except OperationalError:
        return None
    finally:
        engine.dispose()


def analyze(engine: Engine) -> None:
    """Do at once what both databases do by themselves some time after a bulk import: gather statistics."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def _migrated(settings: Settings) -> Iterator[Engine]:
    engine = connect(settings)
    try:
        migrate(settings, engine)
        yield engine
    finally:
        engine.dispose()


def _on_server(statement: str) -> None:
    engine = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(statement))
    finally:
        engine.dispose()
