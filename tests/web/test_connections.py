"""What a caller may send over a bare connection, and how slowly, before the server gives up on it."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest
import uvicorn
from fastapi import FastAPI

from app.config import Settings
from app.main import create_app
from app.web.connections import LimitedProtocol, Limits
from tests.conftest import create

PATIENCE = 30
# for as long as a test waits, nobody is late
CALM = replace(Limits(), head_seconds=2 * PATIENCE, body_seconds=2 * PATIENCE)
# everybody is late at once; after a refusal the server reads on for as long as the test does
HASTY = Limits(
    head_seconds=0.3, body_seconds=0.3, most_pause=0.3, answer_seconds=PATIENCE, linger=PATIENCE, look_every=0.05
)
Dial = Callable[[Limits], socket.socket]

HELLO = b"GET /healthz HTTP/1.1\r\nhost: errdex\r\n"
CHUNKED = (
    b"POST /api/v1/match HTTP/1.1\r\nhost: errdex\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n"
)
QUESTION = b"the printer is out of paper"


@contextmanager
def listening(app: FastAPI, limits: Limits) -> Iterator[int]:
    """The application behind a server with these limits; gives its port."""
    limited = type("Limited", (LimitedProtocol,), {"limits": limits})
    config = uvicorn.Config(app, http=limited, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def dial(settings: Settings, shipped: Settings) -> Iterator[Dial]:
    """Connect to the application behind a server with these limits; the same one for the same limits."""
    create(settings, shipped)
    ports: dict[Limits, int] = {}
    with ExitStack() as stack:

        def _dial(limits: Limits) -> socket.socket:
            if limits not in ports:
                ports[limits] = stack.enter_context(listening(create_app(settings), limits))
            return stack.enter_context(socket.create_connection(("127.0.0.1", ports[limits]), PATIENCE))

        yield _dial


def said(connection: socket.socket) -> bytes:
    """All that the server still says until it closes its side."""
    found = b""
    while part := connection.recv(65536):
        found += part
    return found


def answered(connection: socket.socket, sent: bytes) -> bytes:
    """The first line of the answer to what is sent."""
    connection.sendall(sent)
    return connection.makefile("rb").readline().strip()


def asking(length: int, path: str = "/api/v1/match", kind: str = "text/plain") -> bytes:
    """The head of a question with a body of this length."""
    return (
        f"POST {path} HTTP/1.1\r\nhost: errdex\r\naccept-language: en\r\n"
        f"content-type: {kind}\r\ncontent-length: {length}\r\n\r\n"
    ).encode()


TOO_LARGE = {
    "one field of 200 kB": HELLO + b"x: " + b"a" * 200_000 + b"\r\n\r\n",
    "one field that never ends": HELLO + b"x: " + b"a" * 200_000,
    "a name of a field that never ends": HELLO + b"x" * 200_000,
    "an address of 200 kB": b"GET /healthz?q=" + b"a" * 200_000 + b" HTTP/1.1\r\nhost: errdex\r\n\r\n",
    "an address that never ends": b"GET /" + b"a" * 200_000,
    "20,000 fields": HELLO + b"x: a\r\n" * 20_000 + b"\r\n",
    "101 fields": HELLO + b"x: a\r\n" * 100 + b"\r\n",
    "66 kB in 66 fields": HELLO + (b"x: " + b"a" * 995 + b"\r\n") * 66 + b"\r\n",
    "20,000 fields after the body": CHUNKED + b"1\r\nx\r\n0\r\n" + b"x: a\r\n" * 20_000 + b"\r\n",
    "a field after the body that never ends": CHUNKED + b"1\r\nx\r\n0\r\nx: " + b"a" * 200_000,
    "a remark in a chunk that never ends": CHUNKED + b"1;" + b"a" * 200_000,
    "a long request after a short one": HELLO + b"\r\n" + HELLO + b"x: " + b"a" * 70_000 + b"\r\n\r\n",
    "a very long request after a short one": HELLO + b"\r\n" + HELLO + b"x: " + b"a" * 200_000 + b"\r\n\r\n",
}
FITS = {
    "100 fields": HELLO + b"x: a\r\n" * 99 + b"\r\n",
    "60 kB in 60 fields": HELLO + (b"x: " + b"a" * 995 + b"\r\n") * 60 + b"\r\n",
    "a body of 2,000 chunks of one byte": CHUNKED + b"1\r\nx\r\n" * 2_000 + b"0\r\n\r\n",
    "a body beside which its head is small": asking(2**20) + b"x" * 2**20,
    "empty lines before the request": b"\r\n\r\n" + HELLO + b"\r\n",
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_head_beyond_64_kib_or_100_fields_is_431_and_the_connection_ends(dial: Dial, name: str) -> None:
    connection = dial(replace(CALM, linger=0.1))
    connection.sendall(TOO_LARGE[name])
    found = said(connection)
    assert b"HTTP/1.1 431 " in found or (found.count(b"HTTP/1.1 ") == 1 and b"connection: close" in found)
    assert name.endswith("request after a short one") or found.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("name", FITS)
def test_what_stays_below_that_is_answered(dial: Dial, name: str) -> None:
    assert answered(dial(CALM), FITS[name]) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    "sent", [b"HELO errdex\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"\x16\x03\x01\x02\x00"]
)
def test_what_is_no_http_is_400(dial: Dial, sent: bytes) -> None:
    assert answered(dial(CALM), sent) == b"HTTP/1.1 400 Bad Request"


def test_requests_that_come_in_one_piece_are_all_answered(dial: Dial) -> None:
    connection = dial(CALM)
    last = HELLO + b"connection: close\r\n\r\n"
    connection.sendall((HELLO + b"\r\n") * 3 + asking(len(QUESTION)) + QUESTION + last)
    assert said(connection).count(b"HTTP/1.1 200 OK\r\n") == 5


def test_a_head_that_does_not_come_to_its_end_in_time_is_408(dial: Dial) -> None:
    connection = dial(HASTY)
    connection.sendall(HELLO)
    assert said(connection).startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_nor_does_it_on_a_connection_that_was_used_before(dial: Dial) -> None:
    connection = dial(HASTY)
    connection.sendall(HELLO + b"\r\n" + HELLO)
    found = said(connection)
    assert found.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"HTTP/1.1 408 Request Timeout\r\n" in found


def test_a_connection_over_which_nothing_comes_is_closed_without_a_word(dial: Dial) -> None:
    assert said(dial(HASTY)) == b""


@pytest.mark.parametrize(
    ("path", "kind", "told"),
    [
        ("/api/v1/match", "text/plain", "/problems/slow-body"),
        ("/api/v1/submissions", "application/json", "/problems/slow-body"),
        ("/en/match", "application/x-www-form-urlencoded", "Your text came too slowly"),
        ("/zh/match", "multipart/form-data; boundary=b", "内容传得太慢"),
    ],
)
def test_a_body_that_stops_coming_is_408_in_words_and_the_connection_ends(
    dial: Dial, path: str, kind: str, told: str
) -> None:
    connection = dial(HASTY)
    connection.sendall(asking(1000, path, kind) + b"-")
    found = said(connection)
    assert found.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b"connection: close\r\n" in found
    assert told in found.decode()


def test_a_body_that_nobody_reads_does_not_keep_a_connection(dial: Dial) -> None:
    connection = dial(HASTY)
    connection.sendall(HELLO + b"content-length: 1000\r\n\r\nx")
    assert said(connection).startswith(b"HTTP/1.1 200 OK\r\n")


def test_who_sent_quickly_may_pause(dial: Dial) -> None:
    """Each byte earns a second here; the silent connection closes when more has passed than a body has at first."""
    limits = replace(HASTY, body_rate=1, most_pause=2 * PATIENCE)
    connection, silent = dial(limits), dial(limits)
    connection.sendall(asking(len(QUESTION)) + QUESTION[:-1])
    assert said(silent) == b""
    assert said(dial(limits)) == b""
    assert answered(connection, QUESTION[-1:]) == b"HTTP/1.1 200 OK"
