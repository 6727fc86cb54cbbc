"""Databases of either kind, filled with something of everything, and a running server."""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import Engine

from app.config import Settings
from app.store.migrate import migrate
from app.store.session import connect
from tests.cli.test_cli_serve import serving
from tests.conftest import POSTGRESQL, create, drop
from tests.ops.content import fill
from tests.ops.server import Server

Place = Callable[[str], Settings]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Make the settings of a database, `sqlite` or `postgresql`; on the server it is created empty, a file is not."""
    numbers, made = itertools.count(), list[Settings]()

    def _place(kind: str) -> Settings:
        number = next(numbers)
        if kind == "sqlite":
            return Settings(database_url=f"sqlite:///{tmp_path / f'place-{number}' / 'errdex.db'}")
        if not POSTGRESQL:
            pytest.skip("needs ERRDEX_TEST_POSTGRESQL")
        address = POSTGRESQL.rpartition("/")[0]
        found = Settings(database_url=f"{address}/errdex_ops_{os.getpid()}_{number}")
        drop(found)
        create(found)
        made.append(found)
        return found

    yield _place
    for settings in made:
        drop(settings)


@pytest.fixture
def filled(place: Place) -> Iterator[Callable[[str], tuple[Settings, Engine]]]:
    """Make a database of a kind with something in every table."""
    opened: list[Engine] = []

    def _filled(kind: str) -> tuple[Settings, Engine]:
        settings = place(kind)
        engine = connect(settings)
        opened.append(engine)
        migrate(settings, engine)
        fill(engine)
        return settings, engine

    yield _filled
    for engine in opened:
        engine.dispose()


@pytest.fixture
def start(settings: Settings, shipped: Settings) -> Iterator[Callable[..., Server]]:
    """Start `errdex serve` on the shipped corpus; keyword arguments are environment variables."""
    create(settings, shipped)
    running: list[Server] = []

    def _start(**env: str) -> Server:
        context = serving(settings, **env)
        address, process = context.__enter__()
        server = Server(address, process, context)
        running.append(server)
        assert process.stdout is not None
        while address not in (line := process.stdout.readline()):
            assert line, "the server ended"
        with httpx2.Client(base_url=address, timeout=60) as client:
            assert client.get("/readyz").status_code == 200
        return server

    yield _start
    for server in running:
        server.context.__exit__(None, None, None)
