"""How often one client may ask, and what each answer tells of it."""

import re

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.people import members, tokens
from app.store.session import writing
from tests.people.members import enrol

POLICY = re.compile(r'"([a-z]+)";q=(\d+);w=(\d+)')
LIMIT = re.compile(r'"([a-z]+)";r=(\d+);t=(\d+)')


def app_with(settings: Settings, **rates: object) -> FastAPI:
    """The application under other settings."""
    return create_app(settings.model_copy(update=rates))


def at(app: FastAPI, address: str, token: str = "") -> TestClient:
    """A client at an address, with a token or without one."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return TestClient(app, client=(address, 5000), headers=headers, raise_server_exceptions=False)


def ask(client: TestClient) -> tuple[int, int, int]:
    """Ask, and return the status, what is left and for how many seconds."""
    found = client.post("/api/v1/match", json={"text": "KeyError: 1"})
    told = LIMIT.fullmatch(found.headers["ratelimit"])
    assert told
    assert told[1] == "match"
    assert found.headers.get("retry-after", told[3]) == told[3]
    assert (found.status_code == 429) == ("retry-after" in found.headers)
    return found.status_code, int(told[2]), int(told[3])


def make_token(engine: Engine, role: str) -> str:
    """Make somebody's token."""
    number = enrol(engine, role)
    with writing(engine) as session:
        return tokens.add(session, members.member(session, number), "a bot", "read", 90, by=number)[1]


def test_every_answer_tells_what_is_left(settings: Settings, engine: Engine) -> None:
    client = at(app_with(settings, rate_match="3/minute"), "192.0.2.7")
    assert [ask(client)[:2] for _ in range(5)] == [(200, 2), (200, 1), (200, 0), (429, 0), (429, 0)]
    refused = client.get("/api/v1/search?q=x")
    policy = POLICY.fullmatch(refused.headers["ratelimit-policy"])
    assert policy
    assert policy.groups() == ("match", "3", "60")
    assert 0 < int(refused.headers["retry-after"]) <= 60


def test_what_was_refused_for_another_reason_tells_it_too(settings: Settings, engine: Engine) -> None:
    client = at(app_with(settings, rate_match="3/minute"), "192.0.2.7")
    assert LIMIT.fullmatch(client.post("/api/v1/match", json={}).headers["ratelimit"])


def test_a_network_of_ipv6_is_one_client_and_its_neighbour_another(settings: Settings, engine: Engine) -> None:
    app = app_with(settings, rate_match="2/minute")
    addresses = [
        "2001:db8::1",
        "2001:db8::ffff:2",
        "2001:db8:0:0:9::3",
        "2001:db8:0:1::1",
        "::ffff:192.0.2.7",
        "192.0.2.7",
    ]
    found = [ask(at(app, address))[:2] for address in addresses]
    assert found == [(200, 1), (200, 0), (429, 0), (200, 1), (200, 1), (200, 0)]


def test_each_token_is_counted_by_itself_wherever_it_is_used(settings: Settings, engine: Engine) -> None:
    app = app_with(settings, rate_match="2/minute")
    one, other = make_token(engine, "reader"), make_token(engine, "writer")
    assert [ask(at(app, address, one))[0] for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3")] == [200, 200, 429]
    assert ask(at(app, "192.0.2.1", other))[:2] == (200, 1)
    assert ask(at(app, "192.0.2.1"))[:2] == (200, 1)
    # A value that is no token of ours is meant for a proxy and makes nobody somebody else.
    assert ask(at(app, "192.0.2.1", "anything"))[:2] == (200, 0)


@pytest.mark.parametrize(("rate", "workers", "quota"), [("300/minute", 4, 75), ("10/minute", 4, 2), ("2/minute", 4, 1)])
def test_a_worker_allows_its_share_and_one_at_least(
    settings: Settings, engine: Engine, rate: str, workers: int, quota: int
) -> None:
    found = at(app_with(settings, rate_match=rate, workers=workers), "192.0.2.7").get("/api/v1/search?q=x")
    policy = POLICY.fullmatch(found.headers["ratelimit-policy"])
    assert policy
    assert int(policy[2]) == quota


def test_kinds_are_counted_apart_and_reading_is_not_counted(settings: Settings, engine: Engine) -> None:
    client = at(app_with(settings, rate_match="1/minute", rate_feedback="1/hour"), "192.0.2.7")
    assert ask(client)[0] == 200
    said = client.post("/api/v1/entries/a/b/feedback", json={"said": "solved"})
    assert (said.status_code, LIMIT.fullmatch(said.headers["ratelimit"])[1]) == (404, "feedback")  # type: ignore[index]
    assert "ratelimit" not in client.get("/api/v1/entries").headers


def test_loopback_is_not_limited_and_told_nothing(settings: Settings, engine: Engine) -> None:
    client = at(app_with(settings, rate_match="1/minute"), "127.0.0.1")
    found = [client.post("/api/v1/match", json={"text": "x"}) for _ in range(3)]
    assert [(one.status_code, "ratelimit" in one.headers) for one in found] == [(200, False)] * 3
