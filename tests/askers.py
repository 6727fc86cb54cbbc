"""Errors that several people asked for, as their asking leaves them in the database."""

from datetime import datetime

from sqlalchemy import Engine

from app.asking import unanswered
from app.asking.unanswered import ENOUGH_ASKED, AskCount
from app.matching.text.masks import fingerprint
from app.store.asked_tables import WantedReleased
from app.store.session import writing

KEY = "key"


def ask(
    engine: Engine,
    pattern: str,
    *,
    times: int = ENOUGH_ASKED,
    clients: int = ENOUGH_ASKED,
    person: int | None = None,
    at: datetime | None = None,
) -> None:
    """Have so many clients ask for a pattern, so many times in all; `person` has signed in."""
    asked = AskCount(times, {f"192.0.2.{number}" for number in range(clients)}, set() if person is None else {person})
    unanswered.count(engine, {pattern: asked}, KEY, at)


def ask_as(engine: Engine, pattern: str, client: str) -> None:
    """Have one client ask once."""
    unanswered.count(engine, {pattern: AskCount(1, {client})}, KEY)


def release(engine: Engine, pattern: str) -> None:
    """Have everybody see a pattern that is kept."""
    with writing(engine) as session:
        session.add(WantedReleased(fingerprint=fingerprint(pattern), actor="rita"))
