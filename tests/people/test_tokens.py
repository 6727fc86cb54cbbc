"""Programs call with a token of a person, which may what its scope and its person may."""

import hashlib
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import Engine, text
from sqlmodel import Session, col, select
from starlette.testclient import TestClient

from app.config import Settings
from app.people import members, tokens
from app.store.columns import now
from app.store.people_tables import AccessToken, Person
from app.store.session import reading, writing
from tests.people.members import client_of, enrol, guide_for

Bearer = Callable[..., dict[str, str]]
Run = Callable[..., Any]
ADDRESS = "/api/v1/entries"


@pytest.fixture
def closed(settings: Settings, engine: Engine) -> Iterator[FastAPI]:
    """A guide for members only."""
    with guide_for(settings, ("members", "members")) as app:
        yield app


@pytest.fixture
def bearer(engine: Engine) -> Bearer:
    """Make a token for somebody of a role; the header fields that a program sends."""

    def made(role: str, scope: str, name: str = "") -> dict[str, str]:
        number = enrol(engine, role, name or f"{role} {scope}")
        with writing(engine) as session:
            person = members.member(session, number)
            _, token = tokens.add(session, person, "a bot", scope, 90, by=number)
        return {"authorization": f"Bearer {token}"}

    return made


def test_a_token_never_may_more_than_its_person(closed: FastAPI, bearer: Bearer, engine: Engine) -> None:
    sent = bearer("reviewer", "review", "nia")
    client = client_of(closed)
    assert client.get("/en/review", headers=sent).status_code == 200
    with writing(engine) as session:
        session.execute(text("UPDATE person SET role = 'reader' WHERE name = 'nia'"))
    assert client.get("/en/review", headers=sent).status_code == 403
    assert client.get(ADDRESS, headers=sent).status_code == 200


def test_a_program_proposes_with_a_token_and_is_told_what_became_of_it(closed: FastAPI, bearer: Bearer) -> None:
    entry = {"slug": "verl/valve", "updated": "2026-11-20", "en": {"title": "Valve", "body": "## Fix\nWait."}}
    client = client_of(closed)
    assert client.post("/api/v1/submissions", json={"entry": entry}).status_code == 401
    assert (
        client.post("/api/v1/submissions", json={"entry": entry}, headers=bearer("writer", "read")).status_code == 403
    )
    sent = client.post("/api/v1/submissions", json={"entry": entry}, headers=bearer("writer", "submit"))
    assert sent.status_code == 201
    assert client.get(f"/api/v1/submissions/{sent.json()['token']}").json()["state"] == "open"


@pytest.mark.parametrize("reading", ["open", "members"])
def test_a_token_that_is_good_for_nothing_is_told_which_way(
    settings: Settings, engine: Engine, bearer: Bearer, reading: str
) -> None:
    """Also where none is needed: whoever sends one relies on it."""
    names = ("late", "revoked", "gone", "removed")
    expired, revoked, gone, removed = (bearer("reader", "read", name) for name in names)
    with writing(engine) as session:
        rows = {person.name: token for token, person in _all(session)}
        rows["late"].expires = now() - timedelta(days=1)
        tokens.revoke(session, rows["revoked"].person, rows["revoked"].id or 0, by=0)
        members.set_state(session, members.member(session, rows["gone"].person), is_active=False, by=0)
        members.remove(session, members.member(session, rows["removed"].person), by=0)
    unknown = {"authorization": "Bearer errdex_nobody-has-this"}
    with guide_for(settings, (reading, "members")) as app:  # type: ignore[arg-type]
        client = client_of(app)
        for sent, key in (
            (expired, "token-expired"),
            (revoked, "token-revoked"),
            (gone, "token-owner-gone"),
            (removed, "token-owner-gone"),
            (unknown, "token-unknown"),
        ):
            answer = client.get(ADDRESS, headers=sent)
            assert (answer.status_code, answer.json()["type"]) == (401, f"/problems/{key}")
            assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def _all(session: Session) -> list[tuple[AccessToken, Person]]:
    return list(session.exec(select(AccessToken, Person).join(Person, col(Person.id) == AccessToken.person)))


def test_what_a_proxy_sends_for_itself_is_no_token_of_ours(settings: Settings, engine: Engine) -> None:
    with guide_for(settings, ("open", "anyone")) as app:
        for field in ("Bearer eyJhbGciOi.JIUzI1", "Basic cml0YTpwYXNz", "errdex_x", ""):
            assert client_of(app).get(ADDRESS, headers={"authorization": field}).status_code == 200


def test_only_the_digest_is_kept_and_the_day_of_the_last_use(closed: FastAPI, bearer: Bearer, engine: Engine) -> None:
    sent = bearer("reader", "read")
    token = sent["authorization"].removeprefix("Bearer ")
    assert re.fullmatch(r"errdex_[A-Za-z0-9_-]{43}", token)
    with reading(engine) as session:
        (row, _), *_ = _all(session)
        assert (row.digest, row.used) == (hashlib.sha256(token.encode()).hexdigest(), "")
    assert client_of(closed).get(ADDRESS, headers=sent).status_code == 200
    with reading(engine) as session:
        assert _all(session)[0][0].used == now().date().isoformat()


def test_a_person_makes_a_token_sees_it_once_and_revokes_it(closed: FastAPI, engine: Engine) -> None:
    client = client_of(closed, enrol(engine, "writer"))
    made = client.post("/en/account/tokens", data={"name": "nightly job", "scope": "submit", "days": "7"})
    assert made.headers["cache-control"] == "no-store"
    token = re.findall(r'value="(errdex_[^"]+)"', made.text)[0]
    listed = client.get("/en/account").text
    assert "nightly job" in listed
    assert token not in listed
    sent = {"authorization": f"Bearer {token}"}
    assert client_of(closed).get(ADDRESS, headers=sent).status_code == 200
    number = re.findall(r"/account/tokens/(\d+)/revoke", listed)[0]
    assert client.post(f"/en/account/tokens/{number}/revoke").status_code == 303
    assert client_of(closed).get(ADDRESS, headers=sent).status_code == 401


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"name": " ", "scope": "read", "days": "7"}, "has a name of 1 to 80"),
        ({"name": "x" * 81, "scope": "read", "days": "7"}, "has a name of 1 to 80"),
        ({"name": "bot", "scope": "review", "days": "7"}, "cannot be more than you may"),
        ({"name": "bot", "scope": "", "days": "7"}, "cannot be more than you may"),
        ({"name": "bot", "scope": "read", "days": "0"}, "Between 1 and 366"),
        ({"name": "bot", "scope": "read", "days": "367"}, "Between 1 and 366"),
        ({"name": "bot", "scope": "read", "days": "soon"}, "Between 1 and 366"),
    ],
)
def test_a_token_that_cannot_be_made_keeps_what_was_typed(
    closed: FastAPI, engine: Engine, typed: dict[str, str], told: str
) -> None:
    page = client_of(closed, enrol(engine, "writer")).post("/en/account/tokens", data=typed)
    assert page.status_code == 422
    assert told in page.text
    assert f'value="{typed["days"]}"' in page.text


def test_a_person_revokes_only_tokens_of_their_own(closed: FastAPI, engine: Engine, bearer: Bearer) -> None:
    sent = bearer("reader", "read")
    other = client_of(closed, enrol(engine, "admin"))
    assert other.post("/en/account/tokens/1/revoke").status_code == 404
    assert client_of(closed).get(ADDRESS, headers=sent).status_code == 200


def test_a_token_outlives_another_secret_key(settings: Settings, engine: Engine, bearer: Bearer) -> None:
    sent = bearer("reader", "read")
    other = settings.model_copy(update={"secret_key": SecretStr("another")})
    with guide_for(other, ("members", "members")) as app:
        assert client_of(app).get(ADDRESS, headers=sent).status_code == 200


def test_the_command_line_makes_lists_and_revokes_tokens(run: Run, engine: Engine, settings: Settings) -> None:
    enrol(engine, "writer", "mila")
    made = run("token", "add", "mila", "--for", "nightly job", "--scope", "submit", "--days", "7")
    token = made.stdout.strip()
    with guide_for(settings, ("members", "members")) as app:
        client = client_of(app)
        assert client.get(ADDRESS, headers={"authorization": f"Bearer {token}"}).status_code == 200
        assert "nightly job" in run("token", "list", "mila").stdout
        assert run("token", "revoke", "mila", "1").exit_code == 0
        assert client.get(ADDRESS, headers={"authorization": f"Bearer {token}"}).status_code == 401
    assert run("token", "add", "mila", "--for", "x", "--scope", "review").exit_code == 2
    assert run("token", "revoke", "mila", "99").exit_code == 1


def test_a_session_is_no_token_and_a_token_no_session(closed: FastAPI, bearer: Bearer) -> None:
    client: TestClient = client_of(closed)
    token = bearer("reader", "read")["authorization"].removeprefix("Bearer ")
    client.cookies.set("errdex_session", token)
    assert client.get(ADDRESS).status_code == 401
