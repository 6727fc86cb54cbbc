"""`kill -9` of a server while people publish: what was acknowledged is there, what was not is whole or absent."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx2
import pytest

from app.config import Settings
from app.content.schema import EntryDocument
from app.people import accounts
from app.store.engine import connect
from app.store.session import writing
from app.wiki import proposals
from tests.conftest import NAME, PASSWORD, create
from tests.faults import state
from tests.faults.running import Server, serving

pytestmark = pytest.mark.faults
WAITING = 60
PUBLISHERS = 8
LETTERS = "bcdfghklmn"


def message(number: int) -> str:
    """An error message in words of its own; numbers would be masked."""
    word = "".join(LETTERS[int(digit)] + "a" for digit in f"{number:03}")
    return f"ValveError: {word} does not move"


@pytest.fixture
def queue(settings: Settings, shipped: Settings) -> Settings:
    """The shipped corpus, and a queue of new entries that wait for review."""
    create(settings, shipped)
    engine = connect(settings)
    with writing(engine) as session:
        for number in range(1, WAITING + 1):
            document = EntryDocument.model_validate(
                {
                    "slug": f"pumps/v{number}",
                    "updated": "2026-11-20",
                    "signatures": [{"pattern": message(number)}],
                    "en": {"title": message(number), "body": "## Fix\n\nOil it."},
                }
            )
            proposals.submit(session, document, lang="en")
    accounts.signing_key(engine, "")
    engine.dispose()
    return settings


@contextmanager
def signed_in(server: Server) -> Iterator[httpx2.Client]:
    """A client of the reviewer."""
    with server.client() as client:
        assert client.post("/en/sign-in", data={"name": NAME, "password": PASSWORD}).status_code == 303
        yield client


def approve(client: httpx2.Client, number: int) -> int:
    """Approve a submission; return the status, 0 when no answer came."""
    try:
        return client.post(f"/en/review/{number}/approve", data={"version": "1"}).status_code
    except httpx2.TransportError:
        return 0


def approve_all(client: httpx2.Client, acknowledged: Callable[[int], object]) -> list[int]:
    """Approve all submissions, several at once; call `acknowledged` with each that was; return the statuses."""

    def one(number: int) -> int:
        status = approve(client, number)
        if status == 303:
            acknowledged(number)
        return status

    with ThreadPoolExecutor(PUBLISHERS) as pool:
        return list(pool.map(one, range(1, WAITING + 1)))


def published(settings: Settings) -> set[int]:
    """Return the numbers of the submissions that are published, each of which must be so in every table, once."""
    sql = """
    SELECT s.id, s.state, s.version, (SELECT count(*) FROM review WHERE submission = s.id),
    (SELECT count(*) FROM entry WHERE slug = s.slug AND digest = s.digest),
    (SELECT count(*) FROM revision WHERE slug = s.slug) FROM submission s
    """
    rows = state.ask(settings, sql)
    assert len(rows) == WAITING
    assert {row[1:] for row in rows} <= {("open", 1, 0, 0, 0), ("approved", 2, 1, 1, 1)}
    return {row[0] for row in rows if row[1] == "approved"}


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("answers", [1, 13, 35])
def test_what_was_acknowledged_before_the_kill_is_published_once(
    queue: Settings, tmp_path: Path, workers: str, answers: int
) -> None:
    acknowledged: list[int] = []
    with serving(queue, tmp_path, ERRDEX_WORKERS=workers) as server, signed_in(server) as client:

        def count(number: int) -> None:
            acknowledged.append(number)
            if len(acknowledged) == answers:
                server.kill_all()

        statuses = approve_all(client, count)
    assert set(statuses) == {303, 0}
    state.is_sound(queue)
    before = published(queue)
    assert set(acknowledged) <= before
    _completed(queue, tmp_path, before)


def _completed(queue: Settings, folder: Path, before: set[int]) -> None:
    """Publish the rest on a new server, and ask for all of them."""
    with serving(queue, folder) as server, signed_in(server) as client:
        statuses = approve_all(client, lambda number: None)
        assert {number for number, status in enumerate(statuses, 1) if status == 409} == before
        assert set(statuses) <= {303, 409}
        assert [_first(client, number) for number in range(1, WAITING + 1)] == [
            f"pumps/v{number}" for number in range(1, WAITING + 1)
        ]
    state.is_sound(queue)
    assert len(published(queue)) == WAITING


def _first(client: httpx2.Client, number: int) -> str:
    matches: Sequence[dict[str, str]] = client.post("/api/v1/match", json={"text": message(number)}).json()["matches"]
    return matches[0]["slug"] if matches else ""


def _read_all(server: Server, ended: Event) -> None:
    assert server.process.stdout is not None
    server.process.stdout.read()
    ended.set()


def test_workers_whose_supervisor_was_killed_end_so_that_the_port_is_free(queue: Settings, tmp_path: Path) -> None:
    with serving(queue, tmp_path, ERRDEX_WORKERS="2") as server:
        port = int(server.address.rpartition(":")[2])
        with server.client() as client:
            assert client.get("/readyz").status_code == 200
        os.kill(server.process.pid, signal.SIGKILL)
        ended = Event()
        with ThreadPoolExecutor(1) as pool:
            # the workers hold the other end of this pipe as long as they live
            pool.submit(_read_all, server, ended)
            in_time = ended.wait(20)
            if not in_time:
                server.kill_all()
        assert in_time
    with serving(queue, tmp_path, port=port) as again, again.client() as client:
        assert client.get("/readyz").status_code == 200
