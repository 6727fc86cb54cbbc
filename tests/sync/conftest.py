"""A database and a folder for each test of sync."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import Engine

from app import sync
from app.sync import Outcome
from tests.sync.folders import document, everything, publish

# files in memory, where there is such a folder: these tests write many, and each is made durable
MEMORY = Path("/dev/shm")


class Sync(Protocol):
    """Syncs the test's folder."""

    def __call__(self, *, prune: bool = False) -> Outcome:
        """Return what was done."""
        ...


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder for the folders of a test."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def root(place: Path) -> Path:
    """The team's folder, not yet made."""
    return place / "team"


@pytest.fixture
def run(engine: Engine, root: Path) -> Sync:
    """Say what will be done, do it, and make sure that it was that and that a second run finds nothing."""

    def _run(*, prune: bool = False) -> Outcome:
        before = everything(engine, root)
        told = sync.mirror(engine, root, prune=prune, dry_run=True)
        assert everything(engine, root) == before
        done = sync.mirror(engine, root, prune=prune)
        assert told == done
        again = sync.mirror(engine, root, prune=prune)
        assert (again.findings, again.kept) == (done.findings, done.kept)
        again.findings, again.kept = [], []
        assert again.quiet
        return done

    return _run


@pytest.fixture
def level(engine: Engine, root: Path, run: Sync) -> None:
    """One entry that is level with its bundle."""
    publish(engine, document())
    run()
