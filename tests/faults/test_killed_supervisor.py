"""`kill -9` of the supervisor of the workers: what it leaves behind does not keep the next server from working."""

import os
import signal
import subprocess
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Timer

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.config import Settings
from bench.soak_server import workers_of
from tests.conftest import create
from tests.faults.running import ERRDEX, PATIENCE, Server, environment, serving

pytestmark = pytest.mark.faults
FOLDERS = "errdex-metrics-*"
ASKED = 7


@pytest.fixture
def corpus(settings: Settings, shipped: Settings) -> Settings:
    """A database with the shipped corpus."""
    create(settings, shipped)
    return settings


def asked(client: httpx2.Client) -> float:
    """Return how many questions /metrics says were answered."""
    families = text_string_to_metric_families(client.get("/metrics").text)
    return sum(one.value for family in families for one in family.samples if one.name == "errdex_answers_total")


def ask(client: httpx2.Client) -> None:
    """Ask some questions."""
    for number in range(ASKED):
        assert client.post("/api/v1/match", json={"text": f"ValveError: {number}"}).status_code == 200


def has_ended(server: Server) -> None:
    """Read what server and workers print until the last of them is gone; kill them all when they stay."""
    assert server.process.stdout is not None
    watch = Timer(PATIENCE, server.kill_all)
    watch.start()
    server.process.stdout.read()
    in_time = watch.is_alive()
    watch.cancel()
    assert in_time


def has_a_socket(process: int) -> bool:
    """Whether a process has made a socket, as a server does just before it takes its port."""
    with suppress(OSError):
        return any(str(one.readlink()).startswith("socket:") for one in Path(f"/proc/{process}/fd").iterdir())
    return False


@pytest.mark.parametrize("is_alone", [True, False])
def test_the_next_server_takes_the_port_at_once_and_removes_the_counts_of_the_killed_one(
    corpus: Settings, tmp_path: Path, is_alone: bool
) -> None:
    """Its workers live on for a moment, or were killed with it."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    start = partial(serving, corpus, tmp_path, TMPDIR=str(temporary))
    with start(ERRDEX_WORKERS="2") as other, start(ERRDEX_WORKERS="2") as server:
        port = int(server.address.rpartition(":")[2])
        with server.client() as client, other.client() as neighbour:
            ask(client)
            ask(neighbour)
        before = set(temporary.glob(FOLDERS))
        assert len(before) == 2
        if is_alone:
            os.kill(server.process.pid, signal.SIGKILL)
        else:
            server.kill_all()
        with start(port=port, ERRDEX_WORKERS="2") as again, again.client() as client:
            assert asked(client) == 0
            ask(client)
            assert asked(client) == ASKED
            # while workers of the killed one live, its folder is in use
            has_ended(server)
        with start(port=port) as third, third.client() as client:
            assert client.get("/readyz").status_code == 200
            assert len(before & set(temporary.glob(FOLDERS))) == 1
        with other.client() as neighbour:
            assert asked(neighbour) == ASKED
    assert "Traceback" not in server.log.read_text()


def test_the_next_server_waits_a_moment_for_workers_that_have_not_noticed_yet(corpus: Settings, tmp_path: Path) -> None:
    with serving(corpus, tmp_path, ERRDEX_WORKERS="2") as server:
        with server.client() as client:
            assert client.get("/readyz").status_code == 200
        workers = workers_of(server.process.pid)
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        os.kill(server.process.pid, signal.SIGKILL)
        env = environment(corpus, ERRDEX_PORT=server.address.rpartition(":")[2])
        with subprocess.Popen([ERRDEX, "serve"], env=env, stdout=subprocess.PIPE, text=True) as again:
            while again.poll() is None and not has_a_socket(again.pid):
                pass
            for worker in workers:
                os.kill(worker, signal.SIGCONT)
            assert again.stdout is not None
            assert any("Errdex is at" in line for line in again.stdout)
            again.terminate()


def test_a_worker_that_was_starting_when_its_supervisor_was_killed_ends(corpus: Settings, tmp_path: Path) -> None:
    with serving(corpus, tmp_path, ERRDEX_WORKERS="2") as server:
        with server.client() as client:
            assert client.get("/readyz").status_code == 200
        before = workers_of(server.process.pid)
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        while not workers_of(server.process.pid) - before:
            assert server.process.poll() is None
        os.kill(server.process.pid, signal.SIGKILL)
        has_ended(server)
