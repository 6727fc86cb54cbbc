"""Who may call which route: every route, asked by everybody, under every pair of settings."""

from collections.abc import Iterator

import pytest
from fastapi import APIRouter, FastAPI
from httpx2 import Response
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.people import permissions
from app.people.permissions import PAGE_READ, REVIEW, ROLES, requires
from app.web.routes import route_rules
from docs import make_permissions
from tests.people.members import CALLERS, PAIRS, STRANGER, Pair, client_of, enrol, guide_for

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


def test_a_route_is_open_to_its_least_role_and_those_above_and_to_nobody_else(
    guide: tuple[FastAPI, dict[str, int | None]], pair: Pair
) -> None:
    app, people = guide
    which = PAIRS.index(pair)
    wrong: list[tuple[str, str, str, int]] = []
    for caller in CALLERS:
        for (method, route), rule in route_rules(app).items():
            client = client_of(app, people[caller])
            answer = call(client, method, route)
            from_here_on = CALLERS.index(OPEN_FROM[rule.least][which])
            if is_refused(answer) != (CALLERS.index(caller) < from_here_on) or answer.status_code >= 500:
                wrong.append((caller, method, route, answer.status_code))
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
