"""A running server, seen from outside."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import uvicorn
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import ASGIApp

from app.config import Settings
from app.main import create_app
from app.web.access_log import AccessLog
from app.web.middleware import App
from tests.conftest import create


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(settings: Settings, **more: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A running `errdex serve` and its address."""
    port = free_port()
    env = os.environ | {"ERRDEX_DATABASE_URL": settings.database_url, "ERRDEX_PORT": str(port)} | more
    command = [str(Path(sys.executable).with_name("errdex")), "serve"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield f"http://127.0.0.1:{port}", server
        finally:
            server.terminate()


@contextmanager
def served(app: ASGIApp, **options: Any) -> Iterator[str]:
    """Serve an application that is already started on a free port; yields its address.

    `options` are those of uvicorn.
    """
    given: dict[str, Any] = {"log_config": None, "lifespan": "off", "timeout_graceful_shutdown": 1} | options
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        server = uvicorn.Server(uvicorn.Config(app, **given))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server ended"
            time.sleep(0.02)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@dataclass
class Server:
    """Something that answers at an address."""

    address: str

    def client(self) -> httpx2.Client:
        """A client of it."""
        return httpx2.Client(base_url=self.address, timeout=60)


@dataclass
class ServerProcess(Server):
    """`errdex serve`: its process, and what ends it."""

    process: subprocess.Popen[str]
    context: AbstractContextManager[Any]

    def ended(self) -> tuple[str, list[dict[str, Any]]]:
        """End it; return all of its standard error, as text and line by line."""
        self.process.terminate()
        log = self.process.communicate(timeout=60)[1]
        return log, [json.loads(line) for line in log.splitlines()]


# the value of each figure, by its name and labels
Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


def figures(client: httpx2.Client) -> Figures:
    """What /metrics shows, by name and labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def total(found: Figures, name: str, **labels: str) -> float:
    """The sum of a figure over all labels but those given."""
    return sum(value for (key, own), value in found.items() if key == name and set(labels.items()) <= own)


QUESTION = b"RuntimeError: a question that is sent in two halves"
HEAD = b"POST /api/v1/match HTTP/1.1\r\nhost: errdex\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n\r\n"


def is_up(server: Server) -> bool:
    """Whether the process of a server, if it has one of its own, has not ended."""
    return not isinstance(server, ServerProcess) or server.process.poll() is None


@contextmanager
def unfinished(server: Server, number: int = 1) -> Iterator[list[socket.socket]]:
    """Connections over each of which the server has got half a question, and waits for the rest; see `finish`."""
    address = server.address.rpartition("/")[2].split(":")
    with ExitStack() as stack:
        opened = [
            stack.enter_context(socket.create_connection((address[0], int(address[1])), 60)) for _ in range(number)
        ]
        for connection in opened:
            connection.sendall(HEAD % len(QUESTION) + QUESTION[:20])
        with server.client() as client:
            while total(figures(client), "errdex_requests_running") < number + 1:
                assert is_up(server)
        yield opened


def finish(connection: socket.socket) -> bytes:
    """Send the other half; return the answer's first line."""
    connection.sendall(QUESTION[20:])
    return connection.makefile("rb").readline().strip()


@pytest.fixture
def start(settings: Settings, shipped: Settings, tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Start `errdex serve` on the shipped corpus; keyword arguments are environment variables.

    For what a process promises; what the application promises is tested with `client` or `serve`, which are quick.
    """
    create(settings, shipped)
    running: list[ServerProcess] = []
    # the database has the corpus already
    nothing = tmp_path / "no-entries"
    nothing.mkdir()

    def _start(**env: str) -> ServerProcess:
        context = serving(settings, **{"ERRDEX_CONTENT": str(nothing)} | env)
        address, process = context.__enter__()
        server = ServerProcess(address, process, context)
        running.append(server)
        assert process.stdout is not None
        # it prints the address that people use
        while env.get("ERRDEX_BASE_URL", address) not in (line := process.stdout.readline()):
            assert line, "the server ended"
        with httpx2.Client(base_url=address, timeout=60) as client:
            assert client.get("/readyz").status_code == 200
        return server

    yield _start
    for server in running:
        server.context.__exit__(None, None, None)


@pytest.fixture
def serve(settings: Settings, shipped: Settings) -> Iterator[Callable[..., Server]]:
    """Serve the shipped corpus from this process over a real connection; keyword arguments are other settings."""
    create(settings, shipped)
    with ExitStack() as stack:

        def _serve(**more: Any) -> Server:
            # as `errdex serve` wraps it
            app = AccessLog(cast(App, create_app(settings.model_copy(update=more))))
            return Server(stack.enter_context(served(cast(ASGIApp, app), lifespan="on")))

        yield _serve
