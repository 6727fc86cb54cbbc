"""What every test stands on: a real database in a temporary folder, and the application over HTTP."""

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from starlette.testclient import TestClient

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.main import create_app
from app.people import accounts
from app.store.migrate import migrate
from app.store.session import connect

pytest_plugins = ["tests.databases", "tests.servers"]
NAME, PASSWORD = "rita", "correct horse battery"


# a submission is judged by the same examples each time; at a desk every run tries others
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.register_profile("desk", deadline=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") == "true" else "desk")

# the names by which tests reach the application: that of Starlette's test client, and of a host in an office
os.environ["ERRDEX_HOSTS"] = "testserver, errdex, errdex.lan"

# the address of a PostgreSQL server's maintenance database: then every test has a database there instead of a file
POSTGRESQL = os.environ.get("ERRDEX_TEST_POSTGRESQL", "")
# by this number a test's copy of the shipped corpus is made from its template
_numbers = itertools.count()


def make(folder: Path) -> Settings:
    """Settings for a database of its own: a file in `folder`, or one on the PostgreSQL server under test."""
    if not POSTGRESQL:
        return Settings(database_url=f"sqlite:///{folder / 'errdex.db'}")
    name = f"errdex_test_{os.getpid()}_{next(_numbers)}"
    url = make_url(POSTGRESQL).set(database=name)
    return Settings(database_url=url.render_as_string(hide_password=False))


def on_server(statement: str) -> None:
    """Run a statement on the maintenance database of the PostgreSQL server under test."""
    engine = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


def create(settings: Settings, template: Settings | None = None) -> None:
    """Create the database of a test, empty or as a copy of another one."""
    if POSTGRESQL:
        of = f" TEMPLATE {template.url.database}" if template else ""
        on_server(f"CREATE DATABASE {settings.url.database}{of}")
    elif template:
        shutil.copy(str(template.url.database), str(settings.url.database))


def drop(settings: Settings) -> None:
    """Drop the database of a test; a file goes with its folder."""
    if POSTGRESQL:
        on_server(f"DROP DATABASE IF EXISTS {settings.url.database} WITH (FORCE)")


def migrated(settings: Settings) -> Engine:
    """An engine on a migrated database with one reviewer in it."""
    engine = connect(settings)
    migrate(settings, engine)
    accounts.add_person(engine, NAME, PASSWORD)
    return engine


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A database with the shipped corpus, made once; tests copy it."""
    settings = make(tmp_path_factory.mktemp("shipped"))
    create(settings)
    engine = migrated(settings)
    outcome = sync.ingest(engine, ROOT / "content")
    assert not outcome.findings, outcome.findings
    engine.dispose()
    yield settings
    drop(settings)


@pytest.fixture(scope="session")
def questions(shipped: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Questions]:
    """The question service on the shipped corpus, read only."""
    settings = make(tmp_path_factory.mktemp("questions"))
    create(settings, shipped)
    engine = connect(settings)
    yield Questions(engine)
    engine.dispose()
    drop(settings)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Settings for a database of this test alone, not yet made."""
    settings = make(tmp_path)
    yield settings
    drop(settings)


@pytest.fixture
def engine(settings: Settings) -> Iterator[Engine]:
    """An empty, migrated database."""
    create(settings)
    engine = migrated(settings)
    yield engine
    engine.dispose()


@pytest.fixture
def empty_client(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application on an empty, migrated database."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(settings: Settings, shipped: Settings) -> Iterator[TestClient]:
    """The application on the shipped corpus."""
    create(settings, shipped)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def sign_in(client: TestClient) -> TestClient:
    """Sign the test's reviewer in through the form."""
    answer = client.post("/en/sign-in", data={"name": NAME, "password": PASSWORD}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return client


@pytest.fixture
def reviewer(client: TestClient) -> TestClient:
    """The application on the shipped corpus, with a reviewer signed in."""
    return sign_in(client)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below the test's folder and return its path."""

    def _write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return _write
