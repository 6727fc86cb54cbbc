"""What happens to questions that take long, and to those that are under way when the server is told to end."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from tests.conftest import create
from tests.ops.server import Server, finish, unfinished

LONG = "RuntimeError: one of many lines that differ, number {} of them\n"


@pytest.fixture
def impatient(settings: Settings, shipped: Settings) -> Iterator[TestClient]:
    """The application, with less time for a question than any takes."""
    create(settings, shipped)
    hasty = settings.model_copy(update={"request_seconds": 0.000_001})
    with TestClient(create_app(hasty), raise_server_exceptions=False) as client:
        yield client


def test_a_question_that_takes_too_long_is_given_up_with_a_problem_document(impatient: TestClient) -> None:
    paste = "".join(LONG.format(number) for number in range(20_000))
    found = impatient.post("/api/v1/match", json={"text": paste})
    assert (found.status_code, found.headers["retry-after"]) == (503, "5")
    assert found.json()["type"] == "urn:errdex:problem:too-slow"
    assert "1e-06 seconds" in found.json()["detail"]


@pytest.mark.parametrize(("lang", "told"), [("en", "took too long"), ("zh", "太长")])
def test_and_with_a_page(impatient: TestClient, lang: str, told: str) -> None:
    found = impatient.post(f"/{lang}/match", data={"text": "".join(LONG.format(number) for number in range(20_000))})
    assert found.status_code == 503
    assert told in found.text


def test_what_asks_no_question_is_not_affected(impatient: TestClient) -> None:
    for path in ("/healthz", "/readyz", "/en/", "/api/v1/entries"):
        assert impatient.get(path).status_code == 200


def test_more_questions_than_are_answered_at_once_are_all_answered(client: TestClient) -> None:
    def ask(number: int) -> int:
        return client.post("/api/v1/match", json={"text": LONG.format(number)}).status_code

    with ThreadPoolExecutor(40) as pool:
        assert list(pool.map(ask, range(80))) == [200] * 80


@pytest.mark.parametrize("workers", ["1", "2"])
def test_requests_under_way_are_answered_when_the_server_is_told_to_end(
    start: Callable[..., Server], workers: str
) -> None:
    """Twenty questions, of which the server has got one half each."""
    server = start(ERRDEX_WORKERS=workers)
    with unfinished(server, 20) as connections:
        server.process.terminate()
        assert server.process.stderr is not None
        # from here on it takes no new connections
        seen = {"Shutting down": 0}
        while seen["Shutting down"] < int(workers):
            seen["Shutting down"] += "Shutting down" in server.process.stderr.readline()
        assert [finish(connection) for connection in connections] == [b"HTTP/1.1 200 OK"] * 20
    log = server.process.communicate(timeout=60)[1]
    assert log.count('"event": "request", ') >= 20
    assert "/api/v1/match" in log
