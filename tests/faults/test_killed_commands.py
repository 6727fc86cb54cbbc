"""`kill -9` in the midst of a command: nothing that was committed is lost, and a second run completes the work."""

import json
import shutil
from pathlib import Path

import pytest

from app.config import ROOT, Settings
from app.store.tables import METADATA
from app.transfer.jsonl import MANY
from tests.faults import state
from tests.faults.running import eventually, helpers_of, kill_when, run

pytestmark = pytest.mark.faults
SOME, FEW = 40, 3
IMPORTED = 2_600


@pytest.fixture(scope="session")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with some of the shipped bundles."""
    return _copied(tmp_path_factory.mktemp("some"), SOME)


def _copied(target: Path, number: int) -> Path:
    for folder in sorted((ROOT / "content" / "skyrl").iterdir())[:number]:
        shutil.copytree(folder, target / "skyrl" / folder.name)
    return target


@pytest.mark.parametrize("rows", [1, 7, 14, 21, 28])
def test_an_ingest_that_was_killed_is_completed_by_the_next(
    settings: Settings, shipped: Settings, some: Path, rows: int
) -> None:
    kill_when(lambda: state.count(settings, "entry") >= rows, settings, "ingest", some)
    state.is_sound(settings)
    before = state.entries(settings)
    assert len(before) >= rows
    assert f"{SOME - len(before)} added, {len(before)} unchanged" in run(settings, "ingest", some).stdout
    state.is_sound(settings)
    after = state.entries(settings)
    assert len(after) == SOME
    assert set(before) <= set(after) <= set(state.entries(shipped))


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of entries that an import takes in three transactions."""
    path = tmp_path_factory.mktemp("many") / "many.jsonl"
    path.write_text("\n".join(map(_line, range(IMPORTED))), encoding="utf-8")
    return path


def _line(number: int) -> str:
    words = f"valve {number:x} of pump {number * 7919 % 9973:x}"
    text = {"title": f"The {words} is stuck", "body": "## Fix\n\nOil it."}
    signature = {"pattern": f"ValveError: {words} does not move"}
    return json.dumps({"slug": f"pumps/v{number}", "updated": "2026-11-20", "signatures": [signature], "en": text})


@pytest.mark.parametrize(
    ("rows", "moment"),
    [
        (0, "in a transaction"),
        (0, "in a commit"),
        (2000, "after a commit"),
        (2000, "in a transaction"),
        (2000, "in a commit"),
    ],
)
def test_an_import_that_was_killed_is_completed_by_the_next(
    settings: Settings, many: Path, rows: int, moment: str
) -> None:
    committed: list[int] = []

    def seen() -> bool:
        if state.count(settings, "entry") < rows:
            return False
        if moment == "in a transaction":
            return state.count(settings, "stored") > 0 and state.is_writing(settings)
        if moment == "after a commit":
            return True
        # a batch is in memory until its commit writes it out; what is written before the first is small
        if rows == 0:
            return state.size(settings, "-wal") > 400_000
        committed[:] = committed or [state.written_at(settings, "-wal")]
        return state.written_at(settings, "-wal") != committed[0]

    kill_when(seen, settings, "import", many)
    state.is_sound(settings)
    before = state.entries(settings)
    assert len(before) % 2000 in (0, IMPORTED % 2000)
    assert len(before) >= rows
    assert run(settings, "import", many).returncode == 0
    state.is_sound(settings)
    after = state.entries(settings)
    assert len(after) == IMPORTED
    assert {row[2] for row in after} == {1}
    assert set(before) <= set(after)


def test_the_processes_that_help_an_import_end_with_it_and_the_next_completes_it(
    settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "more.jsonl"
    path.write_text("\n".join(map(_line, range(MANY))), encoding="utf-8")
    helpers: set[int] = set()

    def seen() -> bool:
        helpers.update(helpers_of(settings))
        return bool(helpers) and state.count(settings, "entry") > 0

    kill_when(seen, settings, "import", path)
    eventually(lambda: not helpers & helpers_of(settings))
    state.is_sound(settings)
    assert 0 < state.count(settings, "entry") < MANY
    assert run(settings, "import", path).returncode == 0
    assert state.count(settings, "entry") == MANY


@pytest.mark.parametrize(
    "moment", ["lock", "file", "first bytes", "log of changes", "tables are written", "tables are there"]
)
def test_a_first_migration_that_was_killed_is_completed_by_the_next(
    settings: Settings, tmp_path: Path, moment: str
) -> None:
    seen = {
        "lock": lambda: state.size(settings, ".lock") >= 0,
        "file": lambda: state.size(settings) >= 0,
        "first bytes": lambda: state.size(settings) > 0,
        "log of changes": lambda: state.size(settings, "-wal") >= 0,
        "tables are written": lambda: state.size(settings, "-wal") > 0,
        "tables are there": lambda: state.count(settings, "alembic_version") > 0,
    }[moment]
    few = _copied(tmp_path / "few", FEW)
    kill_when(seen, settings, "ingest", few)
    assert run(settings, "ingest", few).returncode == 0
    state.is_sound(settings)
    assert state.count(settings, "alembic_version") == 1
    assert state.count(settings, "entry") == FEW
    tables = {row[0] for row in state.ask(settings, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert set(METADATA.tables) <= tables
