"""A real `errdex` in a process of its own, to be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2

from app.config import Settings
from tests.servers import free_port

ERRDEX = str(Path(sys.executable).with_name("errdex"))
PATIENCE = 60
LOOK_AGAIN = 0.0005


def environment(settings: Settings, **more: str) -> dict[str, str]:
    """Return the environment of a command on this database."""
    return os.environ | {"ERRDEX_DATABASE_URL": settings.database_url, "LC_ALL": "C.UTF-8"} | more


def run(settings: Settings, *words: str | Path, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    command = [ERRDEX, *map(str, words)]
    env = environment(settings, **more)
    return subprocess.run(command, env=env, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False)


def kill_when(seen: Callable[[], bool], settings: Settings, *words: str | Path, **more: str) -> None:
    """Start a command and kill it as soon as `seen` is true; it must not have ended before."""
    quiet = subprocess.DEVNULL
    command = [ERRDEX, *map(str, words)]
    with subprocess.Popen(command, env=environment(settings, **more), stdout=quiet, stderr=quiet) as command_:
        until = time.monotonic() + PATIENCE
        while not seen():
            with suppress(subprocess.TimeoutExpired):
                command_.wait(LOOK_AGAIN)
            assert command_.returncode is None, "it ended before the moment came"
            assert time.monotonic() < until, "the moment did not come"
        command_.kill()
    assert command_.returncode == -signal.SIGKILL


def helpers_of(settings: Settings) -> set[int]:
    """Return the ids of the processes that a command on this database has started to help it."""
    found: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            ours = settings.database_url.encode() in (folder / "environ").read_bytes()
            if ours and b"multiprocessing.spawn" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


def eventually(seen: Callable[[], bool]) -> None:
    """Wait until `seen` is true; fails when it does not become so."""
    until = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(LOOK_AGAIN)


@dataclass(frozen=True, slots=True)
class Server:
    """A running `errdex serve`; `log` is the file of its standard error."""

    address: str
    process: subprocess.Popen[str]
    log: Path

    def client(self) -> httpx2.Client:
        """Return a client for it; several threads may use it."""
        return httpx2.Client(base_url=self.address, timeout=PATIENCE)

    def kill_all(self) -> None:
        """Kill it and its workers, none of which can do anything about it."""
        os.killpg(self.process.pid, signal.SIGKILL)


@contextmanager
def serving(
    settings: Settings, folder: Path, *, before: Sequence[str] = (), port: int = 0, **more: str
) -> Iterator[Server]:
    """A server that answers. `before` are the words of a command that runs the command after it."""
    port = port or free_port()
    env = environment(settings, ERRDEX_PORT=str(port), **more)
    log = folder / "server.log"
    with (
        log.open("a") as errors,
        subprocess.Popen(
            [*before, ERRDEX, "serve"],
            env=env,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            told = next((line for line in process.stdout if "Errdex is at" in line), None)
            assert told, log.read_text()
            yield Server(f"http://127.0.0.1:{port}", process, log)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
