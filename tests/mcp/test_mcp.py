"""A coding agent asks: by the SDK's own client, over HTTP and over standard streams, and gets what REST answers."""

import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult
from sqlalchemy import Engine
from sqlmodel import select
from starlette.testclient import TestClient

from app.config import ROOT, Settings
from app.main import create_app
from app.mcp.rest import inside
from app.people import tokens
from app.store.people_tables import Person
from app.store.session import writing
from errdex_client.mcp.rest import at
from errdex_client.mcp.tools import server_for, slug_of
from tests.clients.conftest import stand_in
from tests.clients.test_client_match import EMPTY, SECRET

SLUG = "skyrl/cuda-reinit-forked-subprocess"
EXAMPLES = sorted((ROOT / "content").glob("*/*/examples/*.txt"))[::15]
PASTE = (ROOT / "content" / SLUG / "examples" / "dataloader.txt").read_text(encoding="utf-8")
TOOLS = {"match_log", "search_entries", "get_entry", "propose_entry", "report_outcome"}


def talk(server: Any, work: Callable[[Client], Awaitable[Any]]) -> Any:
    """What comes of talking to a server."""

    async def _talk() -> Any:
        async with Client(server) as client:
            return await work(client)

    return anyio.run(_talk)


def said(result: CallToolResult) -> str:
    """The text of a result."""
    return "".join(getattr(block, "text", "") for block in result.content)


def test_the_answers_are_those_of_rest(client: TestClient) -> None:
    """In this process, for pastes from all over the guide."""
    pastes = [path.read_text(encoding="utf-8") for path in EXAMPLES] + ["the printer is out of paper", ""]

    async def ask(agent: Client) -> list[CallToolResult]:
        assert {tool.name for tool in (await agent.list_tools()).tools} == TOOLS
        return [await agent.call_tool("match_log", {"text": text, "lang": "zh"}) for text in pastes]

    results = talk(server_for(inside(client.app)), ask)
    for text, result in zip(pastes, results, strict=True):
        rest = client.post(
            "/api/v1/match?include=fix", json={"text": text, "lang": "zh"}, headers={"host": "127.0.0.1"}
        )
        assert result.structured_content == json.loads(rest.text)
        matches = result.structured_content["matches"]
        assert (matches[0]["url"] in said(result)) if matches else ("还没有对应的条目" in said(result))


def test_an_entry_is_searched_read_proposed_and_reported_on(client: TestClient) -> None:
    async def ask(agent: Client) -> list[CallToolResult]:
        found = await agent.call_tool("search_entries", {"words": "re-initialize CUDA in forked subprocess"})
        entry = await agent.call_tool("get_entry", {"entry": f"http://errdex.lan/en/e/{SLUG}"})
        missing = await agent.call_tool("get_entry", {"entry": "../../etc/passwd"})
        new = {key: value for key, value in entry.structured_content.items() if key not in ("revision", "url")}
        proposed = await agent.call_tool(
            "propose_entry", {"entry": new | {"slug": "skyrl/quite-another"}, "note": "seen"}
        )
        refused = await agent.call_tool("propose_entry", {"entry": {"slug": "No Slug"}})
        noted = await agent.call_tool("report_outcome", {"entry": SLUG, "said": "not-this", "note": "another message"})
        return [found, entry, missing, proposed, refused, noted]

    found, entry, missing, proposed, refused, noted = talk(server_for(inside(client.app)), ask)
    assert found.structured_content["items"][0]["slug"] == SLUG
    assert "VLLM_WORKER_MULTIPROC_METHOD" in said(entry)
    assert "<quoted>" in said(entry)
    assert [missing.is_error, refused.is_error] == [True, True]
    assert proposed.structured_content["state"] == "open"
    assert noted.structured_content == {"slug": SLUG, "said": "not-this"}


HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def test_over_http_each_message_stands_alone_and_another_site_s_page_is_refused(client: TestClient) -> None:
    answer = client.post("/mcp", json=LIST, headers=HEADERS)
    assert {tool["name"] for tool in answer.json()["result"]["tools"]} == TOOLS
    assert client.post("/mcp", json=LIST, headers=HEADERS | {"origin": "http://evil.example"}).status_code == 403
    assert client.post("/mcp", json=LIST, headers=HEADERS | {"host": "evil.example"}).status_code == 421
    call = {"name": "match_log", "arguments": {"text": PASTE}}
    asked = client.post("/mcp", json=LIST | {"method": "tools/call", "params": call}, headers=HEADERS).json()
    rest = client.post("/api/v1/match?include=fix", json={"text": PASTE}).json()
    assert asked["result"]["structuredContent"] == rest


def test_where_only_members_read_a_token_lets_an_agent_do_what_its_scope_says(
    settings: Settings, engine: Engine
) -> None:
    """A stranger is asked for one; with that for reading nothing can be proposed."""
    with writing(engine) as session:
        person = session.exec(select(Person)).one()
        _, token = tokens.add(session, person, "agent", "read", 1, by=person.id or 0)
    propose = {"name": "propose_entry", "arguments": {"entry": {"slug": "verl/new", "en": {"title": "T", "body": "B"}}}}
    only = {"reading": "members", "submitting": "members"}
    with TestClient(create_app(settings.model_copy(update=only))) as closed:
        stranger = closed.post("/mcp", json=LIST, headers=HEADERS)
        shown = HEADERS | {"authorization": f"Bearer {token}"}
        member = closed.post("/mcp", json=LIST, headers=shown)
        proposed = closed.post("/mcp", json=LIST | {"method": "tools/call", "params": propose}, headers=shown)
    assert (stranger.status_code, stranger.headers["www-authenticate"]) == (401, "Bearer")
    assert len(member.json()["result"]["tools"]) == len(TOOLS)
    assert proposed.json()["result"]["isError"] is True
    assert proposed.json()["result"]["structuredContent"]["status"] == 403


@pytest.mark.usefixtures("client")
def test_over_standard_streams_it_answers_from_the_database(settings: Settings, tmp_path: Path) -> None:
    """`errdex mcp`, as an agent starts it."""
    env = os.environ | {"ERRDEX_DATABASE_URL": settings.database_url, "HOME": str(tmp_path)}
    command = str(Path(sys.executable).with_name("errdex"))
    server = StdioServerParameters(command=command, args=["mcp"], env=env)
    result = talk(server, lambda agent: agent.call_tool("match_log", {"text": PASTE}))
    assert result.structured_content["matches"][0]["slug"] == SLUG


def test_in_front_of_a_server_what_looks_secret_stays_on_this_machine() -> None:
    """The places in the answer are those of what the agent sent; what it proposes is masked as well."""
    text = f"token={SECRET}\nValueError: bad\n"
    errors = [{"line": 2, "span": [16, 31], "role": "cause", "message": "ValueError: bad"}]
    answer = EMPTY | {"report": EMPTY["report"] | {"errors": errors, "lines": 2}}

    async def ask(agent: Client) -> list[CallToolResult]:
        entry = {"slug": "verl/new", "examples": [text]}
        return [
            await agent.call_tool("match_log", {"text": text}),
            await agent.call_tool("propose_entry", {"entry": entry}),
        ]

    with stand_in(lambda path, _body: (200, answer if "match" in path else {"slug": "verl/new", "url": "/x"})) as seen:
        found, _ = talk(server_for(at(seen.url, "")), ask)
    assert SECRET.encode() not in b"".join(seen.bodies)
    assert seen.bodies[0].decode() == "token=<TOKEN#1>\nValueError: bad\n"
    start, end = found.structured_content["report"]["errors"][0]["span"]
    assert text[start:end] == "ValueError: bad"


@pytest.mark.parametrize(
    ("entry", "slug"),
    [
        ("verl/ray-timeline", "verl/ray-timeline"),
        (" verl/ray-timeline ", "verl/ray-timeline"),
        ("http://errdex.lan:8000/zh/e/verl/ray-timeline", "verl/ray-timeline"),
        ("https://x/en/e/verl/ray-timeline.md?a=b#c", "verl/ray-timeline"),
        ("verl", "no/such-entry"),
        ("../../x", "no/such-entry"),
        ("", "no/such-entry"),
        ("a/b c", "no/such-entry"),
    ],
)
def test_an_entry_is_named_by_its_slug_or_its_address(entry: str, slug: str) -> None:
    assert slug_of(entry) == slug


def test_feedback_over_rest_is_counted_once_for_an_address(client: TestClient) -> None:
    place = f"/api/v1/entries/{SLUG}/feedback"
    for word in ("solved", "outdated"):
        assert client.post(place, json={"said": word}).json() == {"slug": SLUG, "said": word}
    assert client.post(place, json={"said": "great"}).status_code == 422
    assert client.post("/api/v1/entries/no/such/feedback", json={"said": "solved"}).status_code == 404
