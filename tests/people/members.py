"""Somebody of each role, signed in, on one guide under different settings."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.people import accounts, passwords
from app.store.columns import now
from app.store.people_tables import Person
from app.store.session import writing

Pair = tuple[Literal["open", "members"], Literal["anyone", "members"]]
# what the two settings can be together
PAIRS: tuple[Pair, ...] = (("open", "anyone"), ("open", "members"), ("members", "members"))
STRANGER: Literal["anonymous"] = "anonymous"
# as kept: made once, since each one takes a tenth of a second
KEPT = passwords.hash_new("correct horse battery", "anybody")

LINK = re.compile(r'(?:href|action|data-hx-get)="(/[^"#]*)|<loc>http://[^/]+(/[^<]*)')
# an admin's first steps, from which the rest is reached
FRONT = ("/en/", "/zh/", "/sitemap.xml", "/robots.txt", "/en/changes.atom", "/openapi.json", "/en/search?q=Hibiscus")


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


def crawl(admin: TestClient) -> set[str]:
    """Return every address that an admin reaches from the front pages."""
    found, todo = set[str](), list(FRONT)
    while todo:
        address = todo.pop()
        if address in found or address.startswith("/static/"):
            continue
        found.add(address)
        page = admin.get(address)
        todo += [link.replace("&amp;", "&") for pair in LINK.findall(page.text) for link in pair if link]
    return found


def is_refused(answer: Response) -> bool:
    """Tell whether somebody was turned away for who they are; a wrong password is something else."""
    leads_to_sign_in = answer.status_code == 303 and "/sign-in?next=" in answer.headers["location"]
    return leads_to_sign_in or answer.status_code == 403 or "www-authenticate" in answer.headers
