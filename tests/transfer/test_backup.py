"""An operator backs up, restores and moves."""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text
from sqlmodel import col
from typer.testing import CliRunner

from app.asking.question_service import Questions
from app.cli.root import cli
from app.config import Settings
from app.people import accounts
from app.people.sign_in import Attempt, Terms, sign_in
from app.store.engine import connect
from app.store.entry_tables import Entry, Revision
from app.store.people_tables import LoginSession
from app.store.session import reading, writing
from app.transfer import archive, backup
from app.wiki import proposals, publishing
from tests.conftest import NAME, PASSWORD
from tests.databases import REVIEWER, document, everything

Place = Callable[[str], Settings]
Filled = Callable[[str], tuple[Settings, Engine]]
KINDS = ("sqlite", "postgresql")
BOTH = pytest.mark.parametrize(("source", "target"), [(one, other) for one in KINDS for other in KINDS])


def errdex(settings: Settings, *words: str | Path) -> Any:
    """Run a command on a database."""
    given = {"ERRDEX_DATABASE_URL": settings.database_url}
    return CliRunner().invoke(cli, [str(word) for word in words], env=given, catch_exceptions=False)


@contextmanager
def opened(settings: Settings) -> Iterator[Engine]:
    """An engine for a while."""
    engine = connect(settings)
    try:
        yield engine
    finally:
        engine.dispose()


@pytest.fixture(params=KINDS)
def into(place: Place, request: pytest.FixtureRequest) -> Settings:
    """An empty place of either kind."""
    return place(request.param)


def refused(result: Any, code: int, told: str) -> None:
    """One line on standard error, and this exit code."""
    assert result.exit_code == code, result.stderr
    assert result.stderr.count("\n") == 1
    assert told in result.stderr


@BOTH
def test_after_a_restore_everything_is_equal(
    filled: Filled, place: Place, tmp_path: Path, source: str, target: str
) -> None:
    (of, engine), into = filled(source), place(target)
    assert errdex(of, "backup", tmp_path / "all.zip").exit_code == 0
    result = errdex(into, "restore", tmp_path / "all.zip")
    assert (result.exit_code, result.stdout) == (0, "Restored: 4 entries, 6 revisions, 3 submissions, 2 people.\n")
    with opened(into) as restored:
        assert everything(restored) == everything(engine)


@BOTH
def test_a_move_is_both(filled: Filled, place: Place, source: str, target: str) -> None:
    (of, engine), into = filled(source), place(target)
    before = everything(engine)
    result = errdex(of, "move", into.database_url)
    assert result.exit_code == 0, result.stderr
    assert "ERRDEX_DATABASE_URL" in result.stdout
    with opened(into) as moved:
        assert everything(moved) == everything(engine) == before


@pytest.mark.parametrize("kind", KINDS)
def test_work_goes_on_in_a_restored_database(filled: Filled, place: Place, tmp_path: Path, kind: str) -> None:
    """Its index finds, its numbers go on, people sign in with their passwords, and nobody is signed in."""
    (_, engine), into = filled(kind), place(kind)
    backup.backup(engine, tmp_path / "all.zip")
    with opened(into) as restored:
        backup.restore(into, restored, tmp_path / "all.zip")
        assert Questions(restored).ask("GreenhouseError: verl/first valve 3 is frozen").matches[0].slug == "verl/first"
        with reading(restored) as session:
            assert session.execute(select(func.count()).select_from(LoginSession)).scalar_one() == 0
        assert sign_in(restored, Attempt(NAME, PASSWORD, "192.0.2.1"), Terms("10/minute", 1, "key"))
        with writing(restored) as session:
            row, _ = proposals.submit(session, document("skyrl/new"), lang="en")
            assert row.id == 4
            proposals.approve(session, row.id, 1, REVIEWER)
            assert publishing.publish(session, document(tags=["later"]), actor="rita") == 3
        assert Questions(restored).ask("GreenhouseError: skyrl/new valve 3 is frozen").matches[0].slug == "skyrl/new"


def test_a_backup_of_a_restored_database_holds_the_same(filled: Filled, place: Place, tmp_path: Path) -> None:
    (_, engine), into = filled("sqlite"), place("sqlite")
    first = backup.backup(engine, tmp_path / "first.zip")
    with opened(into) as restored:
        backup.restore(into, restored, tmp_path / "first.zip")
        assert backup.backup(restored, tmp_path / "second.zip").members == first.members


def test_its_entries_can_be_imported_by_themselves(filled: Filled, place: Place, tmp_path: Path) -> None:
    (_, engine), into = filled("sqlite"), place("sqlite")
    backup.backup(engine, tmp_path / "all.zip")
    (tmp_path / "errdex.jsonl").write_bytes(b"".join(archive.lines(tmp_path / "all.zip", "errdex")))
    result = errdex(into, "import", tmp_path / "errdex.jsonl")
    assert result.exit_code == 0
    assert "4 added" in result.stdout


def test_no_secret_key_and_no_session_is_in_it(filled: Filled, tmp_path: Path) -> None:
    _, engine = filled("sqlite")
    key = accounts.signing_key(engine, "")
    backup.backup(engine, tmp_path / "all.zip")
    with reading(engine) as session:
        digest = session.scalars(select(col(LoginSession.digest))).one()
    names = archive.verified(tmp_path / "all.zip").members
    content = b"".join(line for name in names for line in archive.lines(tmp_path / "all.zip", name))
    assert b"argon2" in content
    assert key.encode() not in content
    assert digest.encode() not in content


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_holds_anything_is_not_restored_into(filled: Filled, tmp_path: Path, kind: str) -> None:
    settings, engine = filled(kind)
    backup.backup(engine, tmp_path / "all.zip")
    before = everything(engine)
    refused(errdex(settings, "restore", tmp_path / "all.zip"), 2, "ERRDEX_DATABASE_URL")
    assert everything(engine) == before


@pytest.mark.parametrize("damage", ["cut off", "altered", "no zip", "empty"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_refused_and_no_table_made(
    filled: Filled, place: Place, tmp_path: Path, damage: str, kind: str
) -> None:
    _, engine = filled("sqlite")
    path = tmp_path / "all.zip"
    backup.backup(engine, path)
    content = path.read_bytes()
    altered = content[:100] + bytes([content[100] ^ 1]) + content[101:]
    damaged = {"cut off": content[:-30], "altered": altered, "no zip": b"my notes\n" * 99, "empty": b""}
    path.write_bytes(damaged[damage])
    into = place(kind)
    refused(errdex(into, "restore", path), 3, str(path))
    if kind == "sqlite":
        assert not Path(str(into.url.database)).parent.exists()
        return
    with opened(into) as found, reading(found) as session:
        assert session.execute(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")).scalar_one() == 0


def rewritten(path: Path, into: Path, schema: str = "", **tables: list[str]) -> None:
    """Write an archive anew, its sums right, with another schema or other rows."""
    meta = archive.verified(path)
    same = {name: [line.decode().rstrip("\n") for line in archive.lines(path, name)] for name in meta.members}
    archive.write(into, "9.9", schema or meta.schema, meta.made, (same | tables).items())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": "9999"}, "newer"),
        ({"comet": ["{}"]}, "comet"),
        ({"person": ['{"id":1,"name":"a","moon":2}']}, "moon"),
        ({"entry": []}, "entry.jsonl"),
        ({"errdex": ['{"slug":"no"}']}, "errdex.jsonl"),
    ],
)
def test_what_cannot_be_put_back_whole_is_not_put_back_at_all(
    filled: Filled, into: Settings, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    """Whatever the reason, and however far it came; the same database then takes the good file."""
    _, engine = filled("sqlite")
    backup.backup(engine, tmp_path / "good.zip")
    rewritten(tmp_path / "good.zip", tmp_path / "bad.zip", **change)
    refused(errdex(into, "restore", tmp_path / "bad.zip"), 3, told)
    assert errdex(into, "restore", tmp_path / "good.zip").exit_code == 0
    with opened(into) as restored:
        assert everything(restored) == everything(engine)


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_taken_while_people_publish_is_of_one_moment(
    filled: Filled, place: Place, tmp_path: Path, kind: str
) -> None:
    """Each entry is at the revision that is its last one, in every backup."""
    (_, engine), into = filled(kind), place(kind)
    begun, stop = threading.Event(), threading.Event()

    def publish() -> None:
        for turn in itertools.takewhile(lambda _: not stop.is_set(), itertools.count()):
            with writing(engine) as session:
                for slug in ("verl/first", "verl/renamed", f"busy/entry-{turn}"):
                    publishing.publish(session, document(slug, tags=[f"t{turn}"]), actor="rita")
            begun.set()

    writer = threading.Thread(target=publish)
    writer.start()
    try:
        metas = [backup.backup(engine, tmp_path / f"{number}.zip") for number in range(5)]
        assert begun.wait(60)
        metas.append(backup.backup(engine, tmp_path / "5.zip"))
    finally:
        stop.set()
        writer.join()
    rows = [meta.members["revision"].rows for meta in metas]
    assert rows == sorted(rows)
    assert rows[-1] > 6
    with opened(into) as restored:
        backup.restore(into, restored, tmp_path / "5.zip")
        with reading(restored) as session:
            last = select(col(Revision.slug), func.max(col(Revision.number))).group_by(col(Revision.slug))
            at = dict(session.execute(select(col(Entry.slug), col(Entry.revision))).all())
            assert dict(session.execute(last).all()) == at


def test_a_database_file_with_a_damaged_index_is_not_backed_up_as_if_it_were_whole(
    filled: Filled, tmp_path: Path
) -> None:
    settings, engine = filled("sqlite")
    with writing(engine) as session:
        session.execute(text("PRAGMA writable_schema=ON"))
        session.execute(text("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'ix_submission_state'"))
    engine.dispose()
    result = errdex(settings, "backup", tmp_path / "all.zip")
    assert result.exit_code == 3
    assert "damaged" in result.stderr
    assert list(tmp_path.glob("*.zip")) == []


def test_without_a_database_there_is_nothing_to_back_up(place: Place, tmp_path: Path) -> None:
    refused(errdex(place("sqlite"), "backup", tmp_path / "all.zip"), 3, "no database")


def test_a_folder_that_is_not_there_is_told(filled: Filled, tmp_path: Path) -> None:
    settings, _ = filled("sqlite")
    refused(errdex(settings, "backup", tmp_path / "none" / "all.zip"), 3, str(tmp_path / "none" / "all.zip"))
    refused(errdex(settings, "backup", tmp_path), 3, str(tmp_path))
