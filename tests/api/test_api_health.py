"""Health checks, and what a database that fails looks like from outside."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.store import submissions
from app.store.session import reading

PROPOSAL = {
    "entry": {"slug": "verl/new", "updated": "2026-11-20", "en": {"title": "New", "body": "x" * 100_000}},
}


def impatient(connection: sqlite3.Connection, _record: object) -> None:
    """Give up on a lock at once."""
    connection.execute("PRAGMA busy_timeout=0")


@pytest.fixture
def hasty(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application on an empty SQLite file, not waiting for locks."""
    if settings.url.get_backend_name() != "sqlite":
        pytest.skip("breaks an SQLite file")
    app = create_app(settings)
    event.listen(app.state.services.engine, "connect", impatient)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@contextmanager
def no_file_grows() -> Iterator[None]:
    """Let the operating system refuse every byte that is written behind the first 64 KiB of a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def waiting(engine: Engine) -> int:
    """How many proposals are in the queue."""
    with reading(engine) as session:
        return submissions.waiting(session)


def test_the_process_and_its_database_answer(client: TestClient) -> None:
    for path in ("/healthz", "/readyz"):
        found = client.get(path)
        assert (found.status_code, found.json()) == (200, {"status": "ok"})
        assert client.head(path).status_code == 200


def test_without_its_database_it_lives_but_is_not_ready(hasty: TestClient, settings: Settings) -> None:
    hasty.app.state.services.engine.dispose()  # type: ignore[attr-defined]
    for path in Path(str(settings.url.database)).parent.glob("errdex.db*"):
        path.unlink()
    assert hasty.get("/healthz").status_code == 200
    found = hasty.get("/readyz")
    assert (found.status_code, found.headers["retry-after"]) == (503, "5")
    assert found.json()["type"] == "/problems/unavailable"


def test_a_database_that_is_not_one_is_not_ready(hasty: TestClient, settings: Settings) -> None:
    hasty.app.state.services.engine.dispose()  # type: ignore[attr-defined]
    for path in Path(str(settings.url.database)).parent.glob("errdex.db*"):
        path.write_bytes(b"not a database" * 1000)
    assert hasty.get("/readyz").status_code == 503


def test_a_worker_that_starts_when_the_database_is_damaged_says_so(settings: Settings, engine: Engine) -> None:
    if settings.url.get_backend_name() != "sqlite":
        pytest.skip("breaks an SQLite file")
    engine.dispose()
    Path(str(settings.url.database)).write_bytes(b"not a database" * 1000)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 503
        assert client.post("/api/v1/match", json={"text": "ValueError: x"}).status_code == 503


def test_a_locked_database_is_503_and_nothing_is_stored(hasty: TestClient, engine: Engine, settings: Settings) -> None:
    with closing(sqlite3.connect(str(settings.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        found = hasty.post("/api/v1/submissions", json=PROPOSAL)
        other.execute("ROLLBACK")
    assert (found.status_code, found.headers["retry-after"]) == (503, "5")
    assert waiting(engine) == 0
    assert hasty.post("/api/v1/submissions", json=PROPOSAL).status_code == 201
    assert waiting(engine) == 1


def test_a_commit_that_fails_is_503_and_nothing_is_stored(hasty: TestClient, engine: Engine) -> None:
    with no_file_grows():
        found = hasty.post("/api/v1/submissions", json=PROPOSAL)
    assert found.status_code == 503
    assert found.headers["content-type"] == "application/problem+json"
    assert waiting(engine) == 0
    assert hasty.post("/api/v1/submissions", json=PROPOSAL).status_code == 201
    assert waiting(engine) == 1


def test_readers_are_answered_while_somebody_writes(hasty: TestClient, settings: Settings) -> None:
    with closing(sqlite3.connect(str(settings.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert hasty.post("/api/v1/match", json={"text": "ValueError: x"}).status_code == 200
        assert hasty.get("/readyz").status_code == 200
