"""What every test stands on: a real database in a temporary folder, and the application over HTTP."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app import accounts, sync
from app.config import ROOT, Settings
from app.main import create_app
from app.search import Questions
from app.store.migrate import migrate
from app.store.session import connect, writing

NAME, PASSWORD = "rita", "correct horse battery"


def make(folder: Path) -> Settings:
    """Settings for a database file in `folder`."""
    return Settings(database_url=f"sqlite:///{folder / 'errdex.db'}")


def migrated(settings: Settings) -> Engine:
    """An engine on a migrated database with one reviewer in it."""
    engine = connect(settings)
    migrate(settings, engine)
    with writing(engine) as session:
        accounts.add_person(session, NAME, PASSWORD)
    return engine


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the shipped corpus, made once; tests copy it."""
    folder = tmp_path_factory.mktemp("shipped")
    engine = migrated(make(folder))
    outcome = sync.ingest(engine, ROOT / "content")
    assert not outcome.findings, outcome.findings
    engine.dispose()
    return folder / "errdex.db"


@pytest.fixture(scope="session")
def questions(shipped: Path) -> Iterator[Questions]:
    """The question service on the shipped corpus, read only."""
    engine = connect(make(shipped.parent))
    yield Questions(engine)
    engine.dispose()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings for a database of this test alone, not yet made."""
    return make(tmp_path)


@pytest.fixture
def engine(settings: Settings) -> Iterator[Engine]:
    """An empty, migrated database."""
    engine = migrated(settings)
    yield engine
    engine.dispose()


@pytest.fixture
def empty_client(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application on an empty, migrated database."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(settings: Settings, shipped: Path) -> Iterator[TestClient]:
    """The application on the shipped corpus."""
    shutil.copy(shipped, str(settings.url.database))
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
