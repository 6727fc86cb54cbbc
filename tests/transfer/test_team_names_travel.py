"""What a team named in the browser is there after a restart, in its folder, in an export and in a backup."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from app.cli.root import cli
from app.config import Settings
from app.main import create_app
from app.store.engine import connect
from app.store.migrate import migrate
from tests.conftest import NAME, PASSWORD, add_person, sign_in
from tests.databases import Place

KINDS = ("sqlite", "postgresql")
MESSAGE = "ReservoirError: the level of reservoir 7 is below its mark"
ENTRY = {
    "title": "The reservoir runs dry",
    "symptom": "It runs dry.",
    "signature": "ReservoirError: the level of reservoir <*> is below its mark",
}
FIRST = ENTRY | {
    "name": "upper",
    "new_project_en": "Orchard Ops",
    "new_project_zh": "果园运维",
    "new_tags_key": "drought",
    "new_tags_en": "dry spell",
    "new_tags_zh": "干旱",
}
SECOND = ENTRY | {"project": "orchard-ops", "name": "lower", "tags": "drought", "also": "orchard-ops/upper"}
FAMILY: dict[str, Any] = {
    "version": "0",
    "key": "reservoirs",
    "en": "Which reservoir?",
    "zh": "哪个水箱？",
    "member": ["orchard-ops/upper", "orchard-ops/lower"],
    "member_en": ["the `upper` one", "the lower one"],
    "member_zh": ["上面的", "下面的"],
}
FILES = {"projects.toml", "tags.toml", "families.toml"}


def errdex(settings: Settings, *words: str | Path, **more: str) -> Any:
    given = {"ERRDEX_DATABASE_URL": settings.database_url} | more
    result = CliRunner().invoke(cli, [str(word) for word in words], env=given, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result


@contextmanager
def guide(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def assert_named(settings: Settings) -> None:
    """Whoever opens the guide sees the names in both languages, and is asked the family's question."""
    with guide(settings) as client:
        for lang, names in (("en", ("Orchard Ops", "dry spell")), ("zh", ("果园运维", "干旱"))):
            for path in ("/browse", "/e/orchard-ops/upper", "/search?q=reservoir&tag=drought"):
                page = client.get(f"/{lang}{path}").text
                assert all(name in page for name in names), path
        asked = client.post("/en/match", data={"text": MESSAGE}).text
        assert "Which reservoir?" in asked
        assert "the <code>upper</code> one" in asked
        assert "哪个水箱？" in client.post("/zh/match", data={"text": MESSAGE}).text


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_a_browser_survive_restart_mirror_export_and_backup(place: Place, tmp_path: Path, kind: str) -> None:
    settings = place(kind).model_copy(update={"mirror": str(tmp_path / "team")})
    engine = connect(settings)
    migrate(settings, engine)
    add_person(engine, NAME, PASSWORD)
    engine.dispose()
    with guide(settings) as client:
        sign_in(client)
        for form in (FIRST, SECOND):
            sent = client.post("/en/submit", data=form | {"publish": "1"}, follow_redirects=False)
            assert "/e/orchard-ops/" in sent.headers["location"], sent.text
        made = client.post("/en/names/families", data=FAMILY, follow_redirects=False)
        assert made.status_code == 303, made.text
    # what was written into the folder after each answer
    assert {path.name for path in (tmp_path / "team").glob("*.toml")} == FILES
    assert_named(settings)

    errdex(settings, "backup", tmp_path / "all.zip")
    restored = place(kind)
    errdex(restored, "restore", tmp_path / "all.zip")
    assert_named(restored)

    errdex(settings, "export", "--jsonl", tmp_path / "all.jsonl")
    imported = place(kind)
    errdex(imported, "import", tmp_path / "all.jsonl")
    assert_named(imported)

    synced = place(kind)
    errdex(synced, "import", "/dev/null")
    assert "3 names from the folder" in errdex(synced, "sync", ERRDEX_MIRROR=str(tmp_path / "team")).stdout
    assert_named(synced)
