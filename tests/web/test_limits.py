"""What happens to questions that take long, and to those that are under way when the server is told to end."""

import select
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx2
import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from tests.conftest import create
from tests.servers import Server, ServerProcess, figures, finish, total, unfinished

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
    assert found.json()["type"] == "/problems/too-slow"
    assert "1e-06 seconds" in found.json()["detail"]


@pytest.mark.parametrize(("lang", "told"), [("en", "took too long"), ("zh", "太久")])
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
    start: Callable[..., ServerProcess], workers: str
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


MIB = 2**20
PATIENCE = 30
ORDINARY = "INFO step 17 of 100: loss 0.3, all is well. "
DOORS = {
    "json": ("/api/v1/match", "application/json", b'{"text": "', b'"}'),
    "plain": ("/api/v1/match", "text/plain", b"", b""),
    "form": ("/zh/match", "application/x-www-form-urlencoded", b"text=", b""),
    "file": (
        "/en/match",
        "multipart/form-data; boundary=b",
        b'--b\r\ncontent-disposition: form-data; name="file"; filename="a.log"\r\n\r\n',
        b"\r\n--b--\r\n",
    ),
}
TOLD = {"/api/v1/match": "/problems/crowded", "/zh/match": "大段文本太多", "/en/match": "Too many large texts"}


def of_size(size: int) -> bytes:
    """A log of one line that names an error."""
    return ("RuntimeError: the valve is stuck. " + ORDINARY * (size // len(ORDINARY) + 1))[:size].encode()


HEAD = "POST /api/v1/match HTTP/1.1\r\nhost: errdex\r\nx-forwarded-for: {}\r\ncontent-type: text/plain\r\n"


@contextmanager
def held(
    server: Server, number: int, size: int, *, sent: int | None = None, sender: str = "192.0.2.{}"
) -> Iterator[list[socket.socket]]:
    """Connections over each of which the server has been sent a body but for its last byte, or `sent` bytes of it.

    A proxy on the same host says that they come from that many addresses.
    """
    host, port = server.address.rpartition("/")[2].split(":")
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection((host, int(port)), 60)) for _ in range(number)]
        for place, connection in enumerate(opened):
            head = HEAD.format(sender.format(place)) + f"content-length: {size}\r\n\r\n"
            connection.sendall(head.encode() + of_size(size)[: size - 1 if sent is None else sent])
        yield opened


def asked(ask: Callable[[httpx2.Client, int], httpx2.Response], client: httpx2.Client) -> Iterator[httpx2.Response]:
    """Ask with a large body again and again, for as long as a server may take to read what other clients sent."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        yield ask(client, MIB * 9 // 10)


@pytest.mark.parametrize("is_chunked", [False, True])
@pytest.mark.parametrize("door", sorted(DOORS))
def test_a_large_body_beyond_what_is_held_at_once_is_503_while_small_ones_are_answered(
    serve: Callable[..., Server], door: str, is_chunked: bool
) -> None:
    server = serve(max_paste=MIB, max_held=3 * MIB + MIB // 4)
    path, kind, before, after = DOORS[door]

    def ask(client: httpx2.Client, size: int) -> httpx2.Response:
        body = before + of_size(size) + after
        content = iter([body[:1000], body[1000:]]) if is_chunked else body
        return client.post(path, content=content, headers={"content-type": kind})

    with held(server, 4, MIB) as connections, server.client() as client:
        refused = next(answer for answer in asked(ask, client) if answer.status_code != 200)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert TOLD[path] in refused.text
        assert ask(client, MIB // 5).status_code == 200
        for connection in connections:
            connection.sendall(b".")
            assert connection.makefile("rb").readline() == b"HTTP/1.1 200 OK\r\n"
        assert ask(client, MIB * 9 // 10).status_code == 200


def test_what_was_promised_and_has_not_come_takes_no_room(serve: Callable[..., Server]) -> None:
    server = serve(max_held=0)
    with held(server, 4, 16 * MIB, sent=1), server.client() as client:
        while total(figures(client), "errdex_requests_running") < 5:
            pass
        answer = client.post("/api/v1/match", content=of_size(2 * MIB), headers={"content-type": "text/plain"})
        assert answer.status_code == 200


@pytest.mark.parametrize("sender", ["192.0.2.7", "2001:db8::{}", "::ffff:192.0.2.7"])
def test_one_address_takes_half_of_the_room_and_leaves_the_rest(serve: Callable[..., Server], sender: str) -> None:
    """Of three bodies two fill its half, and the third is refused; an IPv6 address is one of a network."""
    server = serve(max_paste=MIB, max_held=3 * MIB)
    with held(server, 3, MIB, sender=sender) as connections, server.client() as client:
        refused = select.select(connections, [], [], PATIENCE)[0]
        assert len(refused) == 1
        assert refused[0].makefile("rb").readline() == b"HTTP/1.1 503 Service Unavailable\r\n"
        plain = {"content-type": "text/plain", "x-forwarded-for": "192.0.2.99"}
        assert client.post("/api/v1/match", content=of_size(MIB), headers=plain).status_code == 200
        for connection in set(connections) - set(refused):
            connection.sendall(b".")
            assert connection.makefile("rb").readline() == b"HTTP/1.1 200 OK\r\n"


def test_one_body_of_the_largest_size_fits_whatever_the_setting(serve: Callable[..., Server]) -> None:
    server = serve(max_paste=MIB, max_held=0)
    with server.client() as client:
        for path, kind, before, after in DOORS.values():
            body = before + of_size(MIB) + after
            assert client.post(path, content=body, headers={"content-type": kind}).status_code == 200


def test_what_was_refused_or_left_unfinished_takes_no_room_afterwards(serve: Callable[..., Server]) -> None:
    server = serve(max_paste=MIB, max_held=0)
    with server.client() as client:
        for _ in range(3):
            with held(server, 1, MIB):
                assert client.get("/healthz").status_code == 200
            assert client.post("/api/v1/match", content=of_size(2 * MIB)).status_code == 413
        plain = {"content-type": "text/plain"}

        def ask(client: httpx2.Client, size: int) -> httpx2.Response:
            return client.post("/api/v1/match", content=of_size(size), headers=plain)

        # it may not have seen yet that the others are gone
        assert any(answer.status_code == 200 for answer in asked(ask, client))
