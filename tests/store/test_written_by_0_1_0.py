"""What an early 0.1.0 wrote, before there were members, is brought to the present tables: people keep what is theirs.

`written_by_0_1_0/` was made by the code of that time, see `make.py` there; it is never made by the present one.
"""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app import sync
from app.config import Settings
from app.main import create_app
from app.store.engine import connect
from app.store.migrate import migrate, revisions
from app.store.session import reading
from app.transfer import backup
from tests.conftest import NAME, PASSWORD
from tests.databases import Place, everything

WRITTEN = Path(__file__).with_name("written_by_0_1_0")
ADMIN = "管理员"
COOKIES: dict[str, str] = json.loads((WRITTEN / "cookies.json").read_text(encoding="utf-8"))
ROLES = {NAME: "reviewer", ADMIN: "admin"}
PASTE = "GreenhouseError: verl/first valve 3 is frozen"


@pytest.fixture(params=["the database", "the backup, into sqlite", "the backup, into postgresql"])
def brought(request: pytest.FixtureRequest, place: Place) -> Iterator[tuple[Settings, Engine]]:
    """A database of the present tables with what was written then."""
    settings = place("postgresql" if request.param.endswith("postgresql") else "sqlite")
    engine = connect(settings)
    if request.param == "the database":
        file = Path(str(settings.url.database))
        file.parent.mkdir()
        with sqlite3.connect(file) as old:
            old.executescript((WRITTEN / "errdex.sql").read_text(encoding="utf-8"))
        old.close()
        copy = migrate(settings, engine)
        assert copy is not None
        assert Path(copy).exists()
    else:
        backup.restore(settings, engine, WRITTEN / "errdex.backup")
    # as what is shipped is taken in, with which `errdex serve` begins
    sync.rebuild(engine)
    yield settings, engine
    engine.dispose()


def test_people_keep_their_roles_and_passwords(brought: tuple[Settings, Engine]) -> None:
    settings, engine = brought
    with reading(engine) as session:
        assert dict(session.execute(text("SELECT name, role FROM person WHERE state = 'active'")).all()) == ROLES
    with TestClient(create_app(settings)) as client:
        for name, role in ROLES.items():
            signed = client.post("/en/sign-in", data={"name": name, "password": PASSWORD}, follow_redirects=False)
            assert signed.status_code == 303
            assert client.get("/en/review").status_code == 200
            assert (client.get("/en/people").status_code == 200) is (role == "admin")


def test_what_was_published_proposed_and_said_is_all_there(brought: tuple[Settings, Engine]) -> None:
    settings, engine = brought
    found = everything(engine)
    with reading(engine) as session:
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == revisions()[0]
    assert {name: len(found[name]) for name in ("entry", "revision", "submission", "review", "feedback")} == {
        "entry": 4,
        "revision": 6,
        "submission": 3,
        "review": 2,
        "feedback": 2,
    }
    with TestClient(create_app(settings)) as client:
        assert client.post("/api/v1/match", json={"text": PASTE}).json()["matches"][0]["slug"] == "verl/first"
        assert client.get("/en/e/verl/older", follow_redirects=False).headers["location"] == "/en/e/verl/renamed"
        assert "rita · <time" in client.get("/en/e/verl/first/history").text


@pytest.mark.parametrize("brought", ["the database"], indirect=True)
def test_who_was_signed_in_then_is_signed_in_still(brought: tuple[Settings, Engine]) -> None:
    with TestClient(create_app(brought[0])) as client:
        for name, cookie in COOKIES.items():
            client.cookies.set("errdex_session", cookie, domain="testserver.local")
            page = client.get("/en/account", follow_redirects=False)
            assert page.status_code == 200
            assert name in page.text
            client.cookies.clear()
