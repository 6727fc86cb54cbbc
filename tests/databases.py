"""Databases of either kind, filled with something of everything, and how to compare two of them."""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, text

from app import sync
from app.asking import counted_pattern, unanswered
from app.asking.unanswered import AskCount
from app.config import Settings
from app.content.name_rows import name_row
from app.content.schema import EntryDocument
from app.matching.parsing.parser import parse
from app.people import accounts, members, tokens
from app.people.accounts import Who
from app.people.sign_in import Attempt, Terms, sign_in
from app.store.engine import connect
from app.store.installation_tables import Stored, SyncBase
from app.store.migrate import migrate
from app.store.people_tables import PersonIdentity
from app.store.session import reading, writing
from app.store.tables import METADATA
from app.store.team_names import Suggested
from app.transfer import backup
from app.wiki import feedback, proposals, publishing
from tests.askers import ask, release
from tests.conftest import NAME, PASSWORD, POSTGRESQL, add_person, create, drop

Place = Callable[[str], Settings]

REVIEWER = Who(1, "rita", "reviewer")
ODD = "quote ' \" back\\slash tab\t line\nnext\u2028paragraph\u0085 中文，标点 😀 \x1b[31mred %s {x} </script>"


def document(slug: str = "verl/first", **more: Any) -> EntryDocument:
    """An entry in two languages."""
    plain: dict[str, Any] = {
        "slug": slug,
        "updated": "2026-11-20",
        "signatures": [{"pattern": f"GreenhouseError: {slug} valve <*> is frozen"}],
        "en": {
            "title": f"The valve of {slug}",
            "body": "## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it.",
        },
        "zh": {"title": f"{slug} 的阀门", "body": "## 现象\n\n冻住。\n\n## 原因\n\n冷。\n\n## 修复\n\n加热。"},
        "examples": [f"GreenhouseError: {slug} valve 17 is frozen\n"],
    }
    return EntryDocument.model_validate(plain | more)


def fill(engine: Engine) -> None:
    """Put something into every table."""
    sync.rebuild(engine)
    add_person(engine, NAME, PASSWORD)
    add_person(engine, "管理员", PASSWORD, "admin")
    sign_in(engine, Attempt(NAME, PASSWORD, "192.0.2.1"), Terms("10/minute", 30, accounts.signing_key(engine, "key")))
    with writing(engine) as session:
        publishing.publish(session, document(), actor="rita", note=ODD)
        publishing.publish(session, document("verl/renamed", former=["verl/old", "verl/older"]), actor="import")
        publishing.publish(session, document("roll/gone"), actor="rita")
        publishing.publish(session, document("roll/gone", status="withdrawn"), actor="rita")
        publishing.publish(session, document(titles={"en": [ODD.replace("\n", " ")]}), actor="rita")
        session.add(SyncBase(folder="folder-1", slug="verl/first", digest="0" * 64))
        session.add(Stored(name="turn:folder-1", text="7"))
    with writing(engine) as session:
        feedback.say(session, "verl/first", "somebody", "outdated", note=ODD, lang="zh")
        feedback.say(session, "verl/first", "person:1", "solved")
    patterns = [
        counted_pattern.pattern_of(parse(f"ValueError: no conversion to {unit} in this table"))
        for unit in ("units", "tokens")
    ]
    for clients, pattern in enumerate(patterns, 2):
        ask(engine, pattern, clients=clients)
    release(engine, patterns[1])
    unanswered.count(engine, {patterns[0]: AskCount(1, {"192.0.2.1"}, {1})}, "key")
    with writing(engine) as session:
        tag, odd = name_row("tags", {"en": "Odd “x”", "zh": '怪 \\"x'}), name_row("tags", {"en": "y", "zh": "丫"})
        kept, _ = proposals.submit(
            session,
            document("skyrl/a", tags=["x"]),
            lang="zh",
            submitter=ODD[:100],
            note=ODD,
            by=2,
            names=[Suggested("tags", "x", tag), Suggested("tags", "y", odd)],
        )
        refused, _ = proposals.submit(session, document("skyrl/b"), lang="en")
        proposals.submit(session, document("skyrl/c"), lang="en")
        proposals.approve(session, kept.id or 0, 1, REVIEWER, "很好")
        proposals.reject(session, refused.id or 0, 1, REVIEWER, ODD)
    with writing(engine) as session:
        rita = accounts.named(session, NAME)
        tokens.add(session, rita, ODD[:60].replace("\n", " "), "review", 90, by=1)
        members.make_link(session, "reset", by=2, person=rita)
        session.add(PersonIdentity(issuer="https://login.corp.lan", subject=ODD[:100], person=rita.id or 0))


def everything(engine: Engine) -> dict[str, Any]:
    """All that must be the same after a restore; the recall index by its words, for its numbers are its own."""
    found: dict[str, Any] = {}
    with reading(engine) as session:
        for model in backup.ALL:
            table = METADATA.tables[str(model.__tablename__)]
            found[table.name] = [tuple(row) for row in session.execute(select(table).order_by(*table.primary_key))]
        found["stored"] = [row for row in found["stored"] if row[0] != accounts.KEY]
        found["term"] = dict(session.execute(text("SELECT text, entries FROM term WHERE entries > 0")).all())
        pairs = "SELECT term.text, entry.slug FROM posting JOIN term ON term.id = term JOIN entry ON entry.id = entry"
        found["posting"] = {tuple(row) for row in session.execute(text(pairs))}
    return found


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Make the settings of a database, `sqlite` or `postgresql`; on the server it is created empty, a file is not."""
    numbers, made = itertools.count(), list[Settings]()

    def _place(kind: str) -> Settings:
        number = next(numbers)
        if kind == "sqlite":
            return Settings(database_url=f"sqlite:///{tmp_path / f'place-{number}' / 'errdex.db'}")
        if not POSTGRESQL:
            pytest.skip("needs ERRDEX_TEST_POSTGRESQL")
        address = POSTGRESQL.rpartition("/")[0]
        found = Settings(database_url=f"{address}/errdex_ops_{os.getpid()}_{number}")
        drop(found)
        create(found)
        made.append(found)
        return found

    yield _place
    for settings in made:
        drop(settings)


@pytest.fixture
def filled(place: Place) -> Iterator[Callable[[str], tuple[Settings, Engine]]]:
    """Make a database of a kind with something in every table."""
    opened: list[Engine] = []

    def _filled(kind: str) -> tuple[Settings, Engine]:
        settings = place(kind)
        engine = connect(settings)
        opened.append(engine)
        migrate(settings, engine)
        fill(engine)
        return settings, engine

    yield _filled
    for engine in opened:
        engine.dispose()
