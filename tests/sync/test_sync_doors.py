"""Sync from the command line, at the start of the server, and after an approval."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient
from typer.testing import CliRunner

from app.cli.root import cli
from app.cli.syncing import sync_at_start
from app.config import Settings
from app.main import create_app
from tests.conftest import sign_in
from tests.sync.folders import A, document, everything, held, publish, save


def errdex(settings: Settings, *words: str, **env: str) -> Any:
    """Run a command on the test's database."""
    given = {"ERRDEX_DATABASE_URL": settings.database_url} | env
    return CliRunner().invoke(cli, list(words), env=given, catch_exceptions=False)


def test_the_command_brings_both_level(settings: Settings, engine: Engine, root: Path) -> None:
    publish(engine, document())
    told = errdex(settings, "sync", ERRDEX_MIRROR=str(root))
    assert (told.exit_code, told.stdout) == (0, "Folder: 1 written to the folder.\n")
    assert held(root) == document()


def test_the_command_says_what_it_would_do(settings: Settings, engine: Engine, root: Path) -> None:
    publish(engine, document())
    before = everything(engine, root)
    told = errdex(settings, "sync", "--dry-run", ERRDEX_MIRROR=str(root))
    assert told.stdout == "Would be done: 1 written to the folder.\n"
    assert everything(engine, root) == before


def test_the_command_ends_with_one_when_a_bundle_is_broken(settings: Settings, engine: Engine, root: Path) -> None:
    save(root, document())
    (root / A / "en.md").write_text("no title")
    told = errdex(settings, "sync", "--json", ERRDEX_MIRROR=str(root))
    assert told.exit_code == 1
    assert '"path": "verl/a/en.md"' in told.stdout


def test_without_a_folder_the_command_says_which_variable_names_it(settings: Settings, engine: Engine) -> None:
    told = errdex(settings, "sync", ERRDEX_MIRROR="")
    assert told.exit_code == 2
    assert "ERRDEX_MIRROR" in told.stderr


def test_the_mirror_is_not_the_shipped_corpus(settings: Settings) -> None:
    assert errdex(settings, "sync", ERRDEX_MIRROR="content").exit_code == 2


def test_the_server_starts_with_a_folder_that_cannot_be_used(
    settings: Settings, engine: Engine, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root.write_text("a file")
    sync_at_start(settings.model_copy(update={"mirror": str(root)}), engine)
    assert "was not synced" in capsys.readouterr().err


def test_an_approved_entry_is_in_the_folder_at_once(settings: Settings, engine: Engine, root: Path) -> None:
    publish(engine, document())
    proposed = {"entry": document(word="second").model_dump(mode="json"), "lang": "en"}
    with TestClient(create_app(settings.model_copy(update={"mirror": str(root)}))) as client:
        assert client.post("/api/v1/submissions", json=proposed).status_code in (200, 201, 202)
        sign_in(client)
        client.post("/en/review/1/approve", data={"version": "1"}, follow_redirects=False)
    assert held(root) == document(word="second")
