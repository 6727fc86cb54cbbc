"""Servers of one worker on the loopback address, stopped at the end: Errdex as `errdex serve` runs it, and the echo."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from app.config import ROOT

PATIENCE = 600


@contextmanager
def errdex(database_url: str, **more: str) -> Iterator[int]:
    """Errdex on a database, with further settings; gives its port. The shipped entries are ingested at start-up."""
    port = _free_port()
    settings = {"ERRDEX_DATABASE_URL": database_url, "ERRDEX_PORT": str(port), "ERRDEX_HOST": "127.0.0.1"} | more
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ERRDEX_")}
    command = [sys.executable, "-c", "from app.cli import main; main()", "serve"]
    with _running(command, kept | settings, port, "/healthz"):
        yield port


@contextmanager
def echo() -> Iterator[int]:
    """The bare echo; gives its port."""
    port = _free_port()
    command = [sys.executable, "-m", "uvicorn", "bench.echo:app", "--port", str(port), "--no-access-log"]
    with _running(command, dict(os.environ), port, "/"):
        yield port


@contextmanager
def _running(command: Sequence[str], environment: dict[str, str], port: int, path: str) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=quiet, stderr=quiet) as server:
        try:
            _wait(server, port, path)
            yield
        finally:
            server.terminate()


def _wait(server: subprocess.Popen[bytes], port: int, path: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise RuntimeError(f"the server did not answer on port {port}: {' '.join(map(str, server.args))}")  # type: ignore[arg-type]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
