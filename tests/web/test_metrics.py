"""Whoever watches the service reads /metrics."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import text
from starlette.testclient import TestClient

from app.config import ROOT
from app.store.session import writing
from tests.servers import Figures, Server, ServerProcess, figures, total, unfinished

KNOWN = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")


def test_workers_count_as_one_a_killed_one_too_and_leave_no_folder_behind(
    start: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    """One story, since a server of several workers takes seconds to start."""
    server = start(ERRDEX_WORKERS="2", TMPDIR=str(tmp_path))
    assert len(list(tmp_path.glob("errdex-metrics-*"))) == 1

    def ask(number: int) -> int:
        # a connection each, so that both workers get some
        with server.client() as client:
            return client.get("/api/v1/search", params={"q": f"word {number}"}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(40))) == [200] * 40
    with server.client() as client:
        assert_forty_searches(figures(client))
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    workers = [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    assert len(workers) == 2
    with unfinished(server):
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
    with server.client() as client:
        assert_forty_searches(figures(client))
    server.ended()
    assert list(tmp_path.glob("errdex-metrics-*")) == []


def assert_forty_searches(found: Figures) -> None:
    """Hold the figures to forty searches that were answered, and to nothing under way but the question for them."""
    labels = {"route": "/api/v1/search", "method": "GET", "status": "200"}
    assert total(found, "errdex_requests_total", **labels) == 40
    assert total(found, "errdex_request_seconds_count", route="/api/v1/search") == 40
    assert total(found, "errdex_request_seconds_bucket", route="/api/v1/search", le="+Inf") == 40
    assert total(found, "errdex_requests_running") == 1


def test_one_process_counts_alone(serve: Callable[..., Server]) -> None:
    labels = {"route": "/api/v1/search", "method": "GET", "status": "200"}
    with serve().client() as client:
        before = figures(client)
        for number in range(3):
            client.get("/api/v1/search", params={"q": f"word {number}"})
        after = figures(client)
    counted = {"errdex_requests_total": labels, "errdex_request_seconds_count": {"route": "/api/v1/search"}}
    for name, of in counted.items():
        assert total(after, name, **of) - total(before, name, **of) == 3
    assert total(after, "errdex_requests_running") == 1


def test_answers_are_counted_by_their_confidence(client: TestClient) -> None:
    def counts() -> list[float]:
        found = figures(client)
        return [total(found, "errdex_answers_total", confidence=name) for name in ("high", "likely", "none")]

    before = counts()
    for _ in range(2):
        client.post("/api/v1/match", json={"text": KNOWN})
    client.post("/en/match", data={"text": KNOWN})
    client.post("/api/v1/match", json={"text": "GreenhouseValveError: frozen shut"})
    assert [after - then for after, then in zip(counts(), before, strict=True)] == [3, 0, 1]


def test_what_the_database_holds_is_shown(client: TestClient) -> None:
    before = figures(client)
    assert total(before, "errdex_database_up") == 1
    assert total(before, "errdex_entries_published") > 100
    entry = {"slug": "verl/new", "updated": "2026-11-20", "en": {"title": "New", "body": "x"}}
    assert client.post("/api/v1/submissions", json={"entry": entry}).status_code == 201
    after = figures(client)
    assert total(after, "errdex_submissions_waiting") == total(before, "errdex_submissions_waiting") + 1


def test_without_its_database_the_rest_is_still_shown(client: TestClient) -> None:
    engine = client.app.state.services.engine  # type: ignore[attr-defined]
    with writing(engine) as session:
        session.execute(text("DROP TABLE review"))
        session.execute(text("DROP TABLE suggested_name"))
        session.execute(text("DROP TABLE submission"))
    found = figures(client)
    assert total(found, "errdex_database_up") == 0
    assert ("errdex_entries_published", frozenset()) not in found
    assert ("errdex_answers_total", frozenset({("confidence", "none")})) in found
