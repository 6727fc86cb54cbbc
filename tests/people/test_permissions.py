"""Who may call which route: every route, asked by everybody, under every pair of settings."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.people import permissions
from app.people.permissions import ROLES, ROUTES
from tests.people.members import CALLERS, PAIRS, STRANGER, Pair, client_of, enrol, guide_for, routes_of

# nothing has these names, so that who is let in finds nothing, and changes nothing
NOBODY = {"lang": "en", "project": "no-project", "name": "no-name", "number": "2000000000", "token": "no-token"}
# from which caller on a route is open, under each pair of settings
OPEN_FROM: dict[str, tuple[str, str, str]] = {
    "anyone": (STRANGER, STRANGER, STRANGER),
    "reading": (STRANGER, STRANGER, "reader"),
    "submitting": (STRANGER, "writer", "writer"),
    "metrics": (STRANGER, STRANGER, "admin"),
    **{role: (role, role, role) for role in ROLES},
}


@pytest.fixture(scope="module", params=PAIRS, ids="-".join)
def pair(request: pytest.FixtureRequest) -> Pair:
    """What the settings say of reading and submitting."""
    found: Pair = request.param
    return found


@pytest.fixture
def guide(settings: Settings, engine: Engine, pair: Pair) -> Iterator[tuple[FastAPI, dict[str, int | None]]]:
    """The application under a pair of settings, and the numbers of people of each role."""
    people: dict[str, int | None] = {STRANGER: None} | {role: enrol(engine, role) for role in ROLES}
    with guide_for(settings, pair) as app:
        yield app, people


def is_refused(answer: Response) -> bool:
    """Tell whether somebody was turned away for who they are; a wrong password is something else."""
    leads_to_sign_in = answer.status_code == 303 and "/sign-in?next=" in answer.headers["location"]
    return leads_to_sign_in or answer.status_code == 403 or "www-authenticate" in answer.headers


def call(client: TestClient, method: str, route: str) -> Response:
    """Call a route with what nobody has."""
    # where nothing is typed, an error page has nothing to give back
    address = route.format_map(NOBODY)
    return client.get(address) if method == "GET" else client.post(address, data={})


def test_every_route_has_a_row_and_every_row_a_route(guide: tuple[FastAPI, object]) -> None:
    assert set(routes_of(guide[0])) == set(ROUTES)


def test_a_route_is_open_to_its_least_role_and_those_above_and_to_nobody_else(
    guide: tuple[FastAPI, dict[str, int | None]], pair: Pair
) -> None:
    app, people = guide
    which = PAIRS.index(pair)
    wrong: list[tuple[str, str, str, int]] = []
    for caller in CALLERS:
        for (method, route), rule in ROUTES.items():
            client = client_of(app, people[caller])
            answer = call(client, method, route)
            from_here_on = CALLERS.index(OPEN_FROM[rule.least][which])
            if is_refused(answer) != (CALLERS.index(caller) < from_here_on) or answer.status_code >= 500:
                wrong.append((caller, method, route, answer.status_code))
    assert not wrong


def test_a_route_without_a_row_is_an_admins() -> None:
    rule = permissions.rule_of("GET", "/{lang}/new-page")
    assert (rule.least, permissions.Policy(True, True).least(rule)) == ("admin", "admin")


@pytest.mark.parametrize(
    ("role", "least", "allowed"),
    [
        ("reader", "reader", True),
        ("writer", "reader", True),
        ("reader", "writer", False),
        ("reviewer", "admin", False),
        ("admin", "reviewer", True),
        ("emperor", "reader", False),
        ("", "reader", False),
    ],
)
def test_a_role_may_what_those_below_it_may(role: str, least: permissions.Role, allowed: bool) -> None:
    assert permissions.is_at_least(role, least) is allowed
