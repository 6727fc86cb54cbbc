"""Somebody of each role, signed in, on one guide under different settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.people import accounts, passwords
from app.people.permissions import ROLES
from app.store.session import writing
from app.store.tables import Person, now

Pair = tuple[Literal["open", "members"], Literal["anyone", "members"]]
# what the two settings can be together
PAIRS: tuple[Pair, ...] = (("open", "anyone"), ("open", "members"), ("members", "members"))
STRANGER = "anonymous"
CALLERS = (STRANGER, *ROLES)
# as kept: made once, since each one takes a tenth of a second
KEPT = passwords.hash_new("correct horse battery", "anybody")


def enrol(engine: Engine, role: str, name: str = "") -> int:
    """Add a person of a role, who is called after it; return their number."""
    with writing(engine) as session:
        person = Person(name=name or role, password=KEPT, role=role, created=now())
        session.add(person)
        session.flush()
        return person.id or 0


def cookie(app: FastAPI, person: int) -> str:
    """Open a session for a person, and return its cookie."""
    with writing(app.state.services.engine) as session:
        return accounts.open_session(session, person, 1, app.state.services.key())


def client_of(app: FastAPI, person: int | None = None) -> TestClient:
    """Return somebody on this machine, signed in as a person where one is named."""
    client = TestClient(app, raise_server_exceptions=False, client=("127.0.0.1", 50000), follow_redirects=False)
    # the event loop of the started application, instead of one for each request
    client.portal = getattr(app.state, "portal", None)
    if person is not None:
        client.cookies.set("errdex_session", cookie(app, person), domain="testserver.local")
    return client


@contextmanager
def guide_for(settings: Settings, pair: Pair) -> Iterator[FastAPI]:
    """The application under two settings, started."""
    app = create_app(settings.model_copy(update={"reading": pair[0], "submitting": pair[1]}))
    with TestClient(app) as started:
        app.state.portal = started.portal
        yield app
