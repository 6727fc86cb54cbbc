"""The server of the soak: `errdex serve` with several workers, one of which is killed now and then."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from app.config import ROOT

PATIENCE = 60
LOOK_AGAIN = 0.02


@contextmanager
def serving(database_url: str, port: int, workers: int, log: Path) -> Iterator[int]:
    """A server that is ready, whose standard error goes to `log`; gives the process id of its supervisor."""
    settings = {"ERRDEX_DATABASE_URL": database_url, "ERRDEX_PORT": str(port), "ERRDEX_WORKERS": str(workers)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ERRDEX_")}
    command = [sys.executable, "-c", "from app.cli import main; main()", "serve"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, cwd=ROOT, env=kept | settings, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as server,
    ):
        try:
            assert server.stdout is not None
            if not any("Errdex is at" in line for line in server.stdout):
                raise RuntimeError(f"the server did not start: {log.read_text()[-2000:]}")
            yield server.pid
        finally:
            server.terminate()


def workers_of(supervisor: int) -> set[int]:
    """Return the process ids of the workers; Python's resource tracker is a child too and none of them."""
    found: set[int] = set()
    for folder in Path("/proc").iterdir():
        with suppress(OSError, IndexError):
            if not folder.name.isdecimal():
                continue
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == supervisor and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


def kill_now_and_then(supervisor: int, workers: int, every: float | None, ended: Event) -> list[float]:
    """Kill one worker each `every` seconds until `ended`; return the seconds until there were as many again.

    None: kill no worker.
    """
    took: list[float] = []
    while not ended.wait(every):
        before = workers_of(supervisor)
        victim = random.choice(sorted(before))
        os.kill(victim, signal.SIGKILL)
        began = time.monotonic()
        while len(workers_of(supervisor) - {victim}) < workers:
            if time.monotonic() - began > PATIENCE:
                raise RuntimeError("the supervisor did not bring the worker back")
            ended.wait(LOOK_AGAIN)
        took.append(time.monotonic() - began)
    return took
