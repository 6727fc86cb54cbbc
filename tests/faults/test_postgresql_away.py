"""PostgreSQL goes away and comes back: 503 meanwhile, well again without a restart."""

import os
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from app.config import ROOT, Settings
from bench.soak_server import workers_of
from tests.faults.clusters import cluster
from tests.faults.running import eventually, serving

pytestmark = pytest.mark.faults
SLUG = "skyrl/cuda-reinit-forked-subprocess"
PASTE = (ROOT / "content" / SLUG / "examples" / "dataloader.txt").read_text(encoding="utf-8")
AT_ONCE = 12


def propose(client: httpx2.Client, name: str) -> httpx2.Response:
    """Propose an entry."""
    text = {"title": f"The {name} is stuck", "body": "## Fix\n\nOil it."}
    entry = {"slug": f"pumps/{name}", "updated": "2026-11-20", "en": text}
    return client.post("/api/v1/submissions", json={"entry": entry})


def is_well(client: httpx2.Client) -> None:
    """Hold the server to answering."""
    assert client.get("/readyz").status_code == 200
    assert client.get(f"/en/e/{SLUG}").status_code == 200
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for answer in pool.map(lambda _: client.post("/api/v1/match", json={"text": PASTE}), range(AT_ONCE)):
            assert answer.status_code == 200, answer.text
            assert answer.json()["matches"][0]["slug"] == SLUG


def is_away(client: httpx2.Client) -> None:
    """Hold the server to saying so, on pages and to programs, and to living on."""
    for answer in (
        client.get("/readyz"),
        client.post("/api/v1/match", json={"text": PASTE}),
        client.get("/api/v1/entries"),
        client.get(f"/en/e/{SLUG}"),
        client.get("/en/review", headers={"cookie": "errdex_session=x"}),
        client.post("/en/sign-in", data={"name": "rita", "password": "correct horse battery"}),
        propose(client, "unheard"),
    ):
        assert answer.status_code == 503, (answer.url, answer.text)
        assert int(answer.headers["retry-after"]) > 0
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("workers", ["1", "2"])
def test_while_postgresql_is_away_requests_are_503_and_afterwards_all_is_well(tmp_path: Path, workers: str) -> None:
    content = tmp_path / "content"
    shutil.copytree(ROOT / "content" / SLUG, content / SLUG)
    tokens: list[str] = []
    with (
        cluster() as postgresql,
        serving(
            Settings(database_url=postgresql.url), tmp_path, ERRDEX_WORKERS=workers, ERRDEX_CONTENT=str(content)
        ) as server,
        server.client() as client,
    ):
        for number, mode in enumerate(("fast", "immediate", "fast")):
            is_well(client)
            answer = propose(client, f"{mode}-{number}")
            assert answer.status_code == 201, answer.text
            tokens.append(answer.json()["token"])
            postgresql.stop(mode)
            is_away(client)
            postgresql.start()
        is_well(client)
        assert [client.get(f"/api/v1/submissions/{token}").status_code for token in tokens] == [200] * len(tokens)
    assert "Traceback" not in server.log.read_text()


def test_workers_that_are_replaced_while_postgresql_is_away_wait_for_it(tmp_path: Path) -> None:
    content = tmp_path / "content"
    shutil.copytree(ROOT / "content" / SLUG, content / SLUG)
    with cluster() as postgresql:
        settings = Settings(database_url=postgresql.url)
        with serving(settings, tmp_path, ERRDEX_WORKERS="2", ERRDEX_CONTENT=str(content)) as server:
            with server.client() as client:
                is_well(client)
            supervisor = server.process.pid
            eventually(lambda: len(workers_of(supervisor)) == 2)
            before = workers_of(supervisor)
            postgresql.stop("fast")
            for worker in before:
                os.kill(worker, signal.SIGKILL)
            eventually(lambda: len(workers_of(supervisor) - before) == 2)
            with server.client() as client:
                is_away(client)
            postgresql.start()
            with server.client() as client:
                is_well(client)
    assert "Traceback" not in server.log.read_text()
