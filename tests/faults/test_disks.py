"""A full disk, and a disk that cannot be written: reading goes on, writing is refused and well again afterwards."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path

import httpx2
import pytest

from app.config import ROOT, Settings
from tests.conftest import create
from tests.faults import state
from tests.faults.running import ERRDEX, Server, environment, run, serving
from tests.servers import free_port

pytestmark = pytest.mark.faults
SLUG = "skyrl/cuda-reinit-forked-subprocess"
PASTE = (ROOT / "content" / SLUG / "examples" / "dataloader.txt").read_text(encoding="utf-8")
MOST_TRIES = 100
LARGE = 150_000
# Bytes that the disk has beside the database as it is.
ROOM = 4 * 1024 * 1024
SMALL_FILE = 300_000
TIMES = 3
# Scripts of in_own_mounts: $1 is the folder that becomes another disk, $2 a database to be copied there, $3 its bytes.
SHUT = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"'
SMALL = 'mount -t tmpfs -o size="$3" none "$1"; cp "$2" "$1/errdex.db"'
FULL = f'{SMALL}; ! cat /dev/zero > "$1/filler"'


Fillable = tuple[Server, Callable[[], None], Callable[[], None]]
Disk = AbstractContextManager[Fillable]


@cache
def own_mounts() -> list[str] | None:
    """Return the words that run a command with mounts of its own; None where that is not allowed."""
    for words in (["unshare", "-m"], ["unshare", "-r", "-m"]):
        with suppress(FileNotFoundError):
            tried = subprocess.run(
                [*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, timeout=60, check=False
            )
            if tried.returncode == 0:
                return words
    return None


def in_own_mounts(script: str, *values: str | Path) -> list[str]:
    """Return the words that run what follows them after a script, which sees `values` as $1, $2, …"""
    words = own_mounts()
    if words is None:
        pytest.skip("mounts of one's own are not allowed here")
    shift = f"shift {len(values)}"
    return [*words, "sh", "-ec", f'{script}; {shift}; exec "$@"', "sh", *map(str, values)]


@pytest.fixture
def corpus(settings: Settings, shipped: Settings) -> Settings:
    """A database with the shipped corpus, in a folder of its own."""
    create(settings, shipped)
    return settings


def size_with_room(database: Path) -> str:
    """Return the bytes of a disk that has room for a database and a little more."""
    return str(database.stat().st_size + ROOM)


@contextmanager
def on_a_small_disk(corpus: Settings, folder: Path) -> Iterator[Fillable]:
    """A server whose database lies on a disk with little room; then what fills it, and what makes room again."""
    disk = folder / "disk"
    disk.mkdir()
    there = Settings(database_url=f"sqlite:///{disk / 'errdex.db'}")
    database = state.path_of(corpus)
    with serving(there, folder, before=in_own_mounts(SMALL, disk, database, size_with_room(database))) as server:
        filler = Path(f"/proc/{server.process.pid}/root{disk}/filler")

        def fill() -> None:
            with suppress(OSError), filler.open("ab", buffering=0) as stream:
                while True:
                    stream.write(b"x" * 4096)

        yield server, fill, filler.unlink


@contextmanager
def with_small_files(corpus: Settings, folder: Path) -> Iterator[Fillable]:
    """A server that may not make its files longer; then what sets that limit, and what lifts it."""
    with serving(corpus, folder) as server:

        def limit(most: int) -> None:
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

        yield server, lambda: limit(SMALL_FILE), lambda: limit(resource.RLIM_INFINITY)


def propose(client: httpx2.Client, number: int) -> httpx2.Response:
    """Propose a long entry."""
    entry = {
        "slug": f"pumps/v{number}",
        "updated": "2026-11-20",
        "en": {"title": f"Valve {number}", "body": "## Fix\n\n" + "Oil it. " * (LARGE // 8)},
    }
    return client.post("/api/v1/submissions", json={"entry": entry})


def is_read(client: httpx2.Client) -> None:
    """Hold the server to reading."""
    assert client.get("/readyz").status_code == 200
    assert client.get(f"/en/e/{SLUG}").status_code == 200
    assert client.get("/api/v1/search?q=cuda").json()["items"]
    answer = client.post("/api/v1/match", json={"text": PASTE})
    assert answer.json()["matches"][0]["slug"] == SLUG


def is_refused(answer: httpx2.Response) -> None:
    """Hold an answer to saying that nothing was written, and when to try again."""
    assert answer.status_code == 503, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "/problems/unavailable"
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("disk", [on_a_small_disk, with_small_files])
def test_a_full_disk_refuses_writes_until_there_is_room(
    corpus: Settings, tmp_path: Path, disk: Callable[[Settings, Path], Disk]
) -> None:
    tokens: list[str] = []
    with disk(corpus, tmp_path) as (server, fill, make_room), server.client() as client:
        is_read(client)
        for _ in range(TIMES):
            fill()
            answer = propose(client, len(tokens))
            while answer.status_code == 201 and len(tokens) < MOST_TRIES:
                tokens.append(answer.json()["token"])
                answer = propose(client, len(tokens))
            is_refused(answer)
            is_read(client)
            make_room()
            answer = propose(client, len(tokens))
            assert answer.status_code == 201, answer.text
            tokens.append(answer.json()["token"])
        assert [client.get(f"/api/v1/submissions/{token}").status_code for token in tokens] == [200] * len(tokens)
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("what", ["file", "folder"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_database_that_cannot_be_written_is_read(corpus: Settings, tmp_path: Path, what: str, workers: str) -> None:
    path = state.path_of(corpus)
    # the log goes elsewhere than into the folder that is shut
    log = tmp_path.with_name(f"{tmp_path.name}-log")
    log.mkdir()
    before = in_own_mounts(SHUT, path if what == "file" else path.parent)
    with (
        serving(corpus, log, before=before, ERRDEX_WORKERS=workers, ERRDEX_SECRET_KEY="k") as server,
        server.client() as client,
    ):
        is_read(client)
        is_refused(propose(client, 1))
        page = client.post("/en/sign-in", data={"name": "rita", "password": "correct horse battery"})
        assert page.status_code == 503
        assert "retry-after" in page.headers
        is_read(client)
    assert "Traceback" not in server.log.read_text()
    with serving(corpus, log) as server, server.client() as client:
        assert propose(client, 1).status_code == 201
    state.is_sound(corpus)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (SHUT, "ERRDEX_SECRET_KEY"),
        (FULL, "disk"),
    ],
)
def test_what_keeps_a_server_from_starting_is_told_in_the_last_line(
    corpus: Settings, tmp_path: Path, script: str, told: str
) -> None:
    """A read-only database without a secret key; a disk that is full to the last byte."""
    shut = tmp_path / "shut"
    shut.mkdir()
    copy = state.path_of(corpus).rename(tmp_path / "copy.db")
    shutil.copy(copy, shut / "errdex.db")
    settings = Settings(database_url=f"sqlite:///{shut / 'errdex.db'}")
    words = [*in_own_mounts(script, shut, copy, size_with_room(copy)), ERRDEX, "serve"]
    env = environment(settings, ERRDEX_PORT=str(free_port()))
    found = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 3
    assert told in found.stderr.splitlines()[-1]
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("left", [0.9999, 0.5, 0.001])
@pytest.mark.parametrize("words", [["serve"], ["match"], ["ingest"]])
def test_a_file_that_was_cut_off_ends_with_3_and_the_way_to_a_backup(
    corpus: Settings, words: list[str], left: float
) -> None:
    path = state.path_of(corpus)
    os.truncate(path, int(path.stat().st_size * left))
    found = run(corpus, *words, stdin=PASTE, ERRDEX_PORT=str(free_port()))
    assert found.returncode == 3
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert "errdex restore" in found.stderr


def test_a_file_that_is_overwritten_under_a_running_server_is_told_as_503(corpus: Settings, tmp_path: Path) -> None:
    with serving(corpus, tmp_path) as server, server.client() as client:
        is_read(client)
        with state.path_of(corpus).open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        is_refused(client.post("/api/v1/match", json={"text": PASTE}))
        is_refused(propose(client, 1))
        assert client.get(f"/en/e/{SLUG}").status_code == 503
        assert client.get("/healthz").status_code == 200
    assert "Traceback" not in server.log.read_text()
