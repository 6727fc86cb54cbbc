"""PostgreSQL is there and does not answer: 503 within the time of a request, well again without a restart."""

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import httpx2
import pytest

from app.config import ROOT, Settings
from tests.faults.between import Between, stopped_program, swallowing_network
from tests.faults.clusters import cluster
from tests.faults.running import PATIENCE, Server, run, serving
from tests.faults.test_postgresql_away import AT_ONCE, PASTE, SLUG, is_well, propose
from tests.servers import free_port

pytestmark = pytest.mark.faults
REQUEST_SECONDS = 20
# a busy machine is no silent database
MARGIN = 8
MANY = 60

How = Callable[[int, int], AbstractContextManager[Between]]


def is_refused_in_time(server: Server) -> None:
    """Hold the server to answering many requests of every kind, all at once, within the time of one."""
    asked: list[Callable[[httpx2.Client], httpx2.Response]] = [
        lambda client: client.get("/readyz"),
        lambda client: client.post("/api/v1/match", json={"text": PASTE}),
        lambda client: client.post("/en/match", data={"text": PASTE}),
        lambda client: client.get("/api/v1/entries"),
        lambda client: client.get(f"/en/e/{SLUG}"),
        lambda client: client.get("/en/review", headers={"cookie": "errdex_session=x"}),
        lambda client: propose(client, "unheard"),
    ]
    with (
        httpx2.Client(base_url=server.address, timeout=REQUEST_SECONDS + MARGIN) as client,
        ThreadPoolExecutor(MANY) as pool,
    ):
        for answer in pool.map(lambda number: asked[number % len(asked)](client), range(MANY)):
            assert answer.status_code == 503, (answer.url, answer.text)
            assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("how", [stopped_program, swallowing_network])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_while_postgresql_is_silent_requests_are_503_in_time_and_afterwards_all_is_well(
    tmp_path: Path, how: How, workers: str
) -> None:
    content = tmp_path / "content"
    shutil.copytree(ROOT / "content" / SLUG, content / SLUG)
    with cluster() as postgresql, how(free_port(), postgresql.port) as between:
        address = f"postgresql+psycopg://root@{between.address}:{between.port}/postgres"
        settings = Settings(database_url=address)
        with serving(settings, tmp_path, ERRDEX_WORKERS=workers, ERRDEX_CONTENT=str(content)) as server:
            with server.client() as client:
                is_well(client)
            between.stop()
            is_refused_in_time(server)
            # a second time there is no connection left that had been made before
            is_refused_in_time(server)
            between.go_on()
            _is_well_again(server)
    assert "Traceback" not in server.log.read_text()


def _is_well_again(server: Server) -> None:
    """Ask each worker until all answer; who waited for the database when it came back still tells of its silence."""
    until = time.monotonic() + PATIENCE
    well = 0
    while well < AT_ONCE:
        # a connection each, so that every worker gets some
        with server.client() as client:
            well = well + 1 if client.get("/readyz").status_code == 200 else 0
        assert time.monotonic() < until
    with server.client() as client:
        is_well(client)


def test_a_command_says_that_the_database_does_not_answer(tmp_path: Path) -> None:
    with cluster() as postgresql, stopped_program(free_port(), postgresql.port) as between:
        address = f"postgresql+psycopg://root@{between.address}:{between.port}/postgres"
        between.stop()
        found = run(Settings(database_url=address), "match", stdin=PASTE)
    assert found.returncode == 3
    assert found.stderr.count("\n") == 1
    assert "timeout" in found.stderr
