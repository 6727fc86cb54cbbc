"""A backup file knows when it was damaged."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.store.columns import now
from app.store.tables import METADATA
from app.transfer import archive, backup
from app.transfer.archive import BrokenArchive

TABLES = {
    "errdex": ['{"slug":"verl/a"}', '{"slug":"verl/中文"}'] * 40,
    "empty": [],
    "odd": ["", "\u2028", "\x85 ", "{}"],
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of some tables."""
    path = tmp_path_factory.mktemp("archive") / "whole.zip"
    archive.write(path, "1.0", "0001", "2026-11-20T00:00:00+00:00", TABLES.items())
    return path


@pytest.fixture(scope="module")
def other() -> Iterator[Path]:
    """A file that is written over and over."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "other.zip"


def held(path: Path) -> tuple[archive.Meta, dict[str, list[str]]]:
    """All that an archive says and holds."""
    meta = archive.verified(path)
    return meta, {name: [line.decode()[:-1] for line in archive.lines(path, name)] for name in meta.members}


def test_it_holds_what_was_written_and_only_its_owner_may_read_it(written: Path) -> None:
    meta, tables = held(written)
    assert tables == TABLES
    assert {name: member.rows for name, member in meta.members.items()} == {"errdex": 80, "empty": 0, "odd": 4}
    assert S_IMODE(written.stat().st_mode) == 0o600
    assert [path.name for path in written.parent.iterdir()] == ["whole.zip"]


def test_a_failed_write_leaves_the_last_good_file_and_nothing_else(written: Path, tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    path.write_bytes(written.read_bytes())

    def lines() -> Iterator[str]:
        yield "{}"
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        archive.write(path, "1.0", "0001", "", [("errdex", lines())])
    assert path.read_bytes() == written.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


@given(st.data())
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cut_off_anywhere_it_is_refused(written: Path, other: Path, data: st.DataObject) -> None:
    content = written.read_bytes()
    other.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(BrokenArchive):
        archive.verified(other)


@given(st.data())
@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_with_a_byte_altered_it_is_refused_or_says_the_same(written: Path, other: Path, data: st.DataObject) -> None:
    content = bytearray(written.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    other.write_bytes(content)
    try:
        found = held(other)
    except BrokenArchive:
        return
    # the dates and attributes that a zip keeps of its members mean nothing here
    assert found == held(written)


@pytest.mark.parametrize(
    "name",
    [model.__tablename__ for model in backup.ALL],
)
@given(st.text(st.characters(exclude_categories=["Cs"])), st.none() | st.integers())
def test_a_row_is_read_as_it_was_written(name: str, text: str, number: int | None) -> None:
    table = METADATA.tables[name]
    kinds = {"INTEGER": number, "DATETIME": now()}
    row = {column.name: kinds.get(str(column.type), text) for column in table.columns}
    assert backup.decoded(table, backup.encoded(row).encode()) == row


def test_every_table_is_kept_or_left_out_on_purpose() -> None:
    kept = {str(model.__tablename__) for model in backup.ALL}
    assert kept | set(backup.LEFT) == set(METADATA.tables)
    assert not kept & set(backup.LEFT)
