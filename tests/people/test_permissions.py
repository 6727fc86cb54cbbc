"""Who may call which route: every route, asked by everybody, under every pair of settings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pytest
from fastapi import APIRouter, FastAPI
from httpx2 import Response
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.people import members, permissions, tokens
from app.people.permissions import PAGE_READ, REVIEW, ROLES, SCOPES, Role, RouteRule, requires
from app.store.session import writing
from app.web.routes import route_rules
from docs import make_permissions
from tests.people.members import PAIRS, STRANGER, Pair, client_of, enrol, guide_for, is_refused

# nothing has these names, so that who is let in finds nothing, and changes nothing
NOBODY = {
    "lang": "en",
    "project": "no-project",
    "name": "no-name",
    "number": "2000000000",
    "token": "no-token",
    "kind": "tags",
    "key": "no-type",
}
# after these a person is not signed in any more
ENDING = {"/{lang}/sign-out", "/{lang}/account/sessions", "/{lang}/account/password"}
# from which caller on a route is open, under each pair of settings
OPEN_FROM: dict[str, tuple[Role | Literal["anonymous"], ...]] = {
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


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who calls: what they may at most, and the number of a person who is signed in, or a token."""

    role: Role | Literal["anonymous"]
    person: int | None = None
    token: str = ""


Guide = tuple[FastAPI, dict[str, Caller]]


@pytest.fixture
def guide(settings: Settings, engine: Engine, pair: Pair) -> Iterator[Guide]:
    """The application under a pair of settings; a stranger, somebody of each role, and an admin's token per scope."""
    callers: dict[str, Caller] = {STRANGER: Caller(STRANGER)}
    callers |= {role: Caller(role, person=enrol(engine, role)) for role in ROLES}
    with writing(engine) as session:
        admin = members.member(session, callers["admin"].person or 0)
        for scope, role in SCOPES.items():
            _, token = tokens.add(session, admin, "a bot", scope, 90, by=admin.id or 0)
            callers[f"token to {scope}"] = Caller(role, token=token)
    with guide_for(settings, pair) as app:
        yield app, callers


def may(caller: Caller, rule: RouteRule, which: int) -> bool:
    """Tell whether a route is open to somebody under one of the pairs of settings."""
    least = OPEN_FROM[rule.least][which]
    if least == STRANGER:
        return True
    return permissions.is_at_least(caller.role, least) and not (caller.token and rule.needs_session)


def call(client: TestClient, method: str, route: str, token: str) -> Response:
    """Call a route with what nobody has."""
    # where nothing is typed, an error page has nothing to give back
    address, headers = route.format_map(NOBODY), {"authorization": f"Bearer {token}"} if token else {}
    return client.get(address, headers=headers) if method == "GET" else client.post(address, headers=headers, data={})


def test_a_route_is_open_to_its_least_role_and_those_above_and_to_nobody_else(guide: Guide, pair: Pair) -> None:
    """A token may what its scope says, but nothing that is a person's alone."""
    app, callers = guide
    which = PAIRS.index(pair)
    wrong: list[tuple[str, str, str, int]] = []
    for name, caller in callers.items():
        client = client_of(app, caller.person)
        for (method, route), rule in route_rules(app).items():
            answer = call(client, method, route, caller.token)
            if is_refused(answer) == may(caller, rule, which) or answer.status_code >= 500:
                wrong.append((name, method, route, answer.status_code))
            if caller.person and route in ENDING:
                client = client_of(app, caller.person)
    assert not wrong


def test_the_page_is_the_table_of_the_routes() -> None:
    written = make_permissions.PAGE.read_text(encoding="utf-8")
    assert written == make_permissions.page(), "`python -m docs.make_permissions` writes it anew"


def test_the_application_does_not_start_with_a_route_without_a_rule() -> None:
    router = APIRouter(prefix="/en")
    router.get("/told")(requires(PAGE_READ)(lambda: None))
    router.get("/forgotten")(lambda: None)
    app = FastAPI(openapi_url=None)
    app.include_router(router)
    with pytest.raises(LookupError, match=r"GET /en/forgotten$"):
        route_rules(app)


def test_a_route_that_the_application_got_afterwards_is_an_admins(settings: Settings, engine: Engine) -> None:
    with guide_for(settings, ("open", "anyone")) as app:
        app.get("/late")(lambda: "late")
        answers = [client_of(app, enrol(engine, role)).get("/late").status_code for role in ("reviewer", "admin")]
        assert (client_of(app).get("/late").status_code, answers) == (303, [403, 200])


def test_one_function_cannot_serve_two_rules() -> None:
    def endpoint() -> None:
        """Serve."""

    requires(PAGE_READ)(requires(PAGE_READ)(endpoint))
    with pytest.raises(ValueError, match="two routes"):
        requires(REVIEW)(endpoint)


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
