"""Whatever goes wrong ends with the code of the contract and one line that says what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from app.config import Settings
from app.store.engine import connect
from app.store.entry_tables import Entry
from app.store.session import writing
from tests.conftest import POSTGRESQL

Run = Callable[..., Any]
READERS = (["match"], ["search", "x"], ["show", "a/b"], ["export"], ["user", "list"])


@pytest.mark.parametrize("words", READERS)
def test_without_a_database_a_reader_says_how_to_make_one_and_makes_none(
    run: Run, settings: Settings, words: list[str]
) -> None:
    """ReadTransaction must not leave an empty database behind."""
    result = run(*words, stdin="x")
    assert result.exit_code == 3
    assert "errdex ingest" in result.stderr
    assert result.stderr.count("\n") == 1
    assert POSTGRESQL or not Path(str(settings.url.database)).exists()


@pytest.mark.parametrize("words", READERS[:4])
@pytest.mark.usefixtures("engine")
def test_a_database_without_entries_is_not_taken_for_no_known_entry(run: Run, words: list[str]) -> None:
    """An empty guide is a mistake of the set-up, not an answer."""
    result = run(*words, stdin="x")
    assert result.exit_code == 3
    assert "no entries" in result.stderr


@pytest.mark.parametrize(
    ("words", "env", "told"),
    [
        (["match", "--limit", "99"], {}, "50"),
        (["nonsense"], {}, "nonsense"),
        (["show"], {}, "SLUG"),
        (["match"], {"ERRDEX_PORT": "many"}, "ERRDEX_PORT"),
        (["match"], {"ERRDEX_DATABASE_URL": "not an address"}, "ERRDEX_DATABASE_URL"),
        (["match"], {"ERRDEX_DATABASE_URL": "oracle://u:secret-word@host/x"}, "ERRDEX_DATABASE_URL"),
        (["match"], {"ERRDEX_READING": "members"}, "errdex: ERRDEX_READING=members needs"),
        (["match"], {"ERRDEX_BASE_URL": "errdex.lan"}, "errdex: ERRDEX_BASE_URL: must start with"),
        (["export", "--jsonl", "a", "--folder", "b"], {}, "one of"),
    ],
)
def test_wrong_usage_ends_with_2(run: Run, words: list[str], env: dict[str, str], told: str) -> None:
    """Options and settings that make no sense."""
    result = run(*words, stdin="x", **env)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret-word" not in result.stderr


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (["match", "/no/such/file"], {}),
        (["ingest", "/no/such/folder"], {}),
        (["check", "/no/such/folder"], {}),
        (["import", "/no/such/file"], {}),
        (["ingest"], {"ERRDEX_DATABASE_URL": "sqlite:////proc/none/errdex.db"}),
        (["match"], {"ERRDEX_DATABASE_URL": "postgresql+psycopg://u:secret-word@127.0.0.1:1/x"}),
    ],
)
@pytest.mark.usefixtures("corpus")
def test_what_cannot_be_read_or_reached_ends_with_3(run: Run, words: list[str], env: dict[str, str]) -> None:
    """Files, folders, databases."""
    result = run(*words, stdin="x", **env)
    assert result.exit_code == 3
    assert result.stderr.startswith("errdex: ")
    assert result.stderr.count("\n") == 1
    assert "secret-word" not in result.stderr


@pytest.mark.skipif(bool(POSTGRESQL), reason="about a file")
def test_a_file_that_is_no_database_ends_with_3(run: Run, settings: Settings) -> None:
    """Some other file lies at the address."""
    Path(str(settings.url.database)).write_text("these are my notes\n" * 100, encoding="utf-8")
    result = run("match", stdin="x")
    assert result.exit_code == 3
    assert result.stderr.count("\n") == 1


def test_a_damaged_entry_is_an_internal_error_in_one_line_and_a_traceback_on_demand(run: Run, corpus: Settings) -> None:
    """70 is for what nobody foresaw; --debug says where."""
    engine = connect(corpus)
    with writing(engine) as session:
        session.execute(update(Entry).values(features="{"))
    engine.dispose()
    quiet, loud = run("match", stdin="RuntimeError: x"), run("--debug", "match", stdin="RuntimeError: x")
    assert quiet.exit_code == loud.exit_code == 70
    assert quiet.stderr.count("\n") == 1
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr
