"""A server that clients reach over a socket, stand-ins for servers of another kind, and the command as a process."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn

from app.config import ROOT, Settings
from app.main import create_app
from tests.conftest import create, drop, make

SOURCE = ROOT / "clients" / "python" / "src"
OLDEST = (3, 8)


def _oldest_python() -> str:
    """The oldest Python from 3.8 on that runs here: on the path, or under pyenv."""
    names = [f"python3.{minor}" for minor in range(OLDEST[1], sys.version_info[1])]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for name in names:
        for place in (shutil.which(name), *pyenv.glob(f"{name.removeprefix('python')}.*/bin/python")):
            # a shim stands for another program, which starts quicker
            command = [str(place), "-c", "import sys; print(sys.executable)"]
            if place and (found := subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()):
                return found
    return sys.executable


def _newest_python() -> str:
    """The newest Python that runs here: this one, or one under pyenv."""
    newest: tuple[int, ...] = sys.version_info[:2]
    found = sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for place in pyenv.glob("3.*/bin/python"):
        version = tuple(int(part) for part in place.parent.parent.name.split(".")[:2] if part.isdigit())
        if version > newest:
            newest, found = version, str(place)
    return found


CLIENT_PYTHON = _oldest_python()
NEWEST_PYTHON = _newest_python()


def pytest_report_header() -> str:
    """Say on which Pythons the client runs in these tests."""
    return f"client on: {CLIENT_PYTHON}; its wheel also on: {NEWEST_PYTHON}"


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def address(shipped: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the application on the shipped corpus."""
    settings = make(tmp_path_factory.mktemp("served"))
    create(settings, shipped)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="warning", lifespan="on"))
    thread = Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()
    drop(settings)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine on which nothing is configured."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ERRDEX_", "GITHUB_", "LC_"))}
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "LC_ALL": "C.UTF-8"}
    return kept | home | {"PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def errdex(env: dict[str, str]) -> Run:
    """Run the client's command; keyword arguments are environment variables, `stdin` is what it reads."""

    def _run(*words: str | Path, stdin: str = "", **more: str) -> "subprocess.CompletedProcess[str]":
        command = [CLIENT_PYTHON, "-m", "errdex_client", *map(str, words)]
        return subprocess.run(
            command, input=stdin, env=env | more, capture_output=True, text=True, check=False, timeout=60
        )

    return _run


class StandIn:
    """What a server of another kind was sent: the addresses, headers and bodies, in order."""

    def __init__(self) -> None:
        self.url = ""
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []


# a path and a body to a status and an answer
Answers = Callable[[str, bytes], tuple[int, Any]]


@contextmanager
def stand_in(answers: Answers) -> Iterator[StandIn]:
    """A server on a free port that answers what `answers` says: JSON of values, or bytes as they are."""
    seen = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.paths.append(self.path)
            seen.headers.append({name.lower(): value for name, value in self.headers.items()})
            seen.bodies.append(self.rfile.read(int(self.headers.get("content-length", 0))))
            status, value = answers(self.path, seen.bodies[-1])
            content = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    seen.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
