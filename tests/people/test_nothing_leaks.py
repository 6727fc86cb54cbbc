"""A guide for members only answers whoever may not read it as an empty one would: nothing of its content shows.

Two guides have the same people and tokens, and one of them has content. Everything that an admin can reach in it is
asked of both by those who may not, and both must say the same: then there is no title, text, slug, name or count.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import Engine
from sqlmodel import select

from app.asking import counted_pattern
from app.config import Settings
from app.content.name_rows import name_row
from app.content.schema import EntryDocument
from app.matching.parsing.parser import parse
from app.people import members, tokens
from app.people.permissions import SCOPES
from app.store import team_names
from app.store.columns import now
from app.store.engine import connect
from app.store.people_tables import AccessToken
from app.store.session import writing
from app.web.routes import route_rules
from app.wiki import feedback, proposals, publishing
from tests.askers import ask, release
from tests.conftest import create, drop, make
from tests.people.members import client_of, crawl, enrol, guide_for, is_refused

PASTE = "MarigoldError: the pump has no water"
ENTRY = {
    "slug": "glasshouse/frozen-valve",
    "former": ["glasshouse/cold-valve"],
    "updated": "2026-11-20",
    "signatures": [{"pattern": "MarigoldError: the pump has no <*>"}],
    "examples": [PASTE],
    "en": {"title": "Hibiscus is frozen", "body": "## Fix\nBring a watering can to the Marigold.\n"},
    "zh": {"title": "芙蓉冻住了", "body": "## 修复\n给万寿菊浇水。\n"},
}
# what only the content says
TOLD = (
    "valve",
    "glasshouse",
    "Hibiscus",
    "芙蓉",
    "pump",
    "万寿菊",
    "watering can",
    "gardener",
    "orchid",
    "unit in this",
)
NAMES = {
    "lang": "en",
    "project": "glasshouse",
    "name": "frozen-valve",
    "number": "1",
    "token": "no-token",
    "kind": "tags",
    "key": "too-many",
}
FORM = {"text": PASTE, "q": "Hibiscus", "vote": "solved", "slug": "glasshouse/frozen-valve"}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("match_log", {"text": PASTE}),
    ("search_entries", {"words": "Hibiscus"}),
    ("get_entry", {"entry": "glasshouse/frozen-valve"}),
    ("get_entry", {"entry": "glasshouse/cold-valve"}),
    ("propose_entry", {"entry": ENTRY}),
    ("report_outcome", {"entry": "glasshouse/frozen-valve", "said": "solved"}),
)


class Twins(NamedTuple):
    """A guide with content and one without, of the same people: the number of their admin, and who must learn nothing.

    `callers` are header fields by the name of who sends them.
    """

    full: FastAPI
    empty: FastAPI
    admin: int
    callers: dict[str, dict[str, str]]


@pytest.fixture
def twins(settings: Settings, engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    """The two guides."""
    admin = enrol(engine, "admin")
    callers: dict[str, dict[str, str]] = {"nobody": {}}
    callers |= {name: _bearer(token) for name, token in _tokens(engine, admin).items()}
    engine.dispose()
    filled = make(tmp_path_factory.mktemp("full"))
    create(filled, settings)
    content = connect(filled)
    _fill(content)
    content.dispose()
    with guide_for(filled, ("members", "members")) as full, guide_for(settings, ("members", "members")) as empty:
        yield Twins(full, empty, admin, callers)
    drop(filled)


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def _tokens(engine: Engine, admin: int) -> dict[str, str]:
    """Make tokens of an admin: some that are good for nothing, and one for each lesser scope."""
    made = {"an unknown token": "errdex_nobody-has-this"}
    with writing(engine) as session:
        person = members.member(session, admin)
        for name in ("an expired token", "a revoked token", "read", "submit", "review"):
            scope = name if name in SCOPES else "admin"
            _, made[name] = tokens.add(session, person, name, scope, 90, by=admin)
        for row in session.exec(select(AccessToken)):
            if row.name == "an expired token":
                row.expires = now() - timedelta(days=1)
            elif row.name == "a revoked token":
                tokens.revoke(session, admin, row.id or 0, by=admin)
    return made


def _fill(engine: Engine) -> None:
    """Put something into everything that a guide shows."""
    first = EntryDocument.model_validate(ENTRY)
    with writing(engine) as session:
        publishing.publish(session, first, actor="gardener", note="watering can")
        publishing.publish(session, first.model_copy(update={"tags": ("install",)}), actor="gardener")
        second = first.model_copy(update={"slug": "glasshouse/silent-pump", "former": ()})
        publishing.publish(session, second, actor="gardener")
        publishing.publish(session, second.model_copy(update={"status": "withdrawn"}), actor="gardener")
        feedback.say(session, first.slug, "a", "outdated", note="The gardener moved.")
        proposals.submit(session, first.model_copy(update={"slug": "orchid/open"}), lang="en", submitter="gardener")
        team_names.put(session, "tags", "orchid", name_row("tags", {"en": "Hibiscus", "zh": "gardener"}))
    for pattern in (
        counted_pattern.pattern_of(parse(f"ValueError: no {one} in this table")) for one in ("unit", "verifier")
    ):
        ask(engine, pattern)
        release(engine, pattern)


def _said(answer: Response, address: str) -> tuple[int, str]:
    """Return all that an answer tells but what was asked for, which may stand in it."""
    fields = sorted((name, value) for name, value in answer.headers.multi_items() if name != "content-length")
    whole = f"{fields} {answer.text}"
    for asked in (address, address.partition("?")[0]):
        whole = whole.replace(asked, "").replace(asked.replace("/", "%2F"), "")
    return answer.status_code, whole


def _requests(app: FastAPI, addresses: set[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield what is asked: method, address, and what goes with it."""
    for address in sorted(addresses):
        yield "GET", address, {}
    yield "HEAD", "/en/e/glasshouse/frozen-valve", {}
    for method, route in route_rules(app):
        address = route.format_map(NAMES)
        if route == "/mcp":
            for name, arguments in CALLS:
                params = {"name": name, "arguments": arguments}
                message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
                yield method, address, {"json": message, "headers": {"accept": "application/json, text/event-stream"}}
        elif method == "GET":
            yield "GET", address, {}
        elif route.startswith("/api/"):
            yield method, address, {"json": FORM | {"entry": ENTRY, "said": "solved"}}
        else:
            yield method, address, {"data": FORM}


def test_who_may_not_read_is_answered_as_by_an_empty_guide(twins: Twins) -> None:
    """Without a token, with one that is good for nothing, and with one for less than the address asks."""
    addresses = crawl(client_of(twins.full, twins.admin))
    assert {"/zh/e/glasshouse/frozen-valve", "/en/review/1", "/en/audit", "/en/p/glasshouse"} <= addresses
    # names of nothing, an earlier name, and words of the content that were not on any page
    addresses |= {"/en/e/glasshouse/frozen-valvve", "/en/e/glasshouse/cold-valve", "/en/e/a/b/c", "/en/suggest?q=Hib"}
    full, empty = client_of(twins.full), client_of(twins.empty)
    asked = refused = 0
    wrong: list[tuple[str, str, str, str]] = []
    for method, address, more in _requests(twins.full, addresses):
        for caller, fields in twins.callers.items():
            sent = more | {"headers": more.get("headers", {}) | fields}
            answer = full.request(method, address, **sent)
            turned_away, asked = is_refused(answer), asked + 1
            if caller in SCOPES and not turned_away:
                # the wider ones may, too
                break
            refused += turned_away
            status, whole = _said(answer, address)
            if (status, whole) != _said(empty.request(method, address, **sent), address):
                wrong.append((caller, method, address, "differs from an empty guide"))
            # A page leads to what was asked for in its other language, and gives back what was typed.
            elif told := [word for word in TOLD if word in whole and word not in f"{unquote(address)} {more}"]:
                wrong.append((caller, method, address, str(told)))
    assert not wrong
    assert refused > asked / 2


def test_the_mark_of_a_page_confirms_nothing_to_a_stranger(twins: Twins) -> None:
    admin, stranger = client_of(twins.full, twins.admin), client_of(twins.full)
    for address in ("/en/changes.atom", "/sitemap.xml", "/api/v1/entries/glasshouse/frozen-valve"):
        mark = admin.get(address).headers.get("etag", "*")
        assert stranger.get(address, headers={"if-none-match": mark}).status_code == 401
