"""The command line, run in this process on a database of the test's own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli.root import cli
from app.config import Settings
from tests.conftest import POSTGRESQL, create

Run = Callable[..., Any]


@pytest.fixture
def nothing_yet(settings: Settings) -> Settings:
    """No database: no file, or an empty one on the server, where a database must be there to be reached."""
    if POSTGRESQL:
        create(settings)
    return settings


@pytest.fixture
def run(request: pytest.FixtureRequest, settings: Settings) -> Run:
    """Run a command; keyword arguments are environment variables, `stdin` is what it reads."""

    if not {"engine", "corpus"} & set(request.fixturenames):
        request.getfixturevalue("nothing_yet")

    def _run(*words: str | Path, stdin: str | bytes | None = None, **env: str) -> Any:
        given = {"ERRDEX_DATABASE_URL": settings.database_url, "LC_ALL": "C.UTF-8", **env}
        return CliRunner().invoke(cli, [str(word) for word in words], input=stdin, env=given, catch_exceptions=False)

    return _run


@pytest.fixture
def corpus(settings: Settings, shipped: Settings) -> Settings:
    """The database of the test holds the shipped corpus."""
    create(settings, shipped)
    return settings
