#!/usr/bin/env python3
"""Ask pastes as a coding agent does, by the SDK's own client: are the answers those of REST?

    python -m bench.agents FILE [--cases 40] [--reading open|closed]

FILE has a paste a line (JSON with `id`, `text` and `lang`), of which so many are taken, spread over it. They are asked
over HTTP of a server with two workers and over standard streams of `errdex mcp`, on its database and in front of that
server, there also by the light client; where everybody may read, and where only members may, with a token of each
scope. What an agent may propose and report is compared, too, by the status that REST gives the same token. Ends with 1
when anything differs. Databases with the shipped entries are made in a temporary folder.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from sqlmodel import Session

from app.config import Settings
from app.people import accounts, tokens
from app.people.permissions import SCOPES
from app.store.engine import connect
from app.store.people_tables import Person
from app.store.session import writing
from bench import servers
from bench.figures import say
from bench.large_logs import errdex

SLUG = "skyrl/cuda-reinit-forked-subprocess"
NO_ENTRY = {"en": "No known entry", "zh": "还没有对应的条目"}
OPEN = {"ERRDEX_READING": "open", "ERRDEX_SUBMITTING": "anyone"}
CLOSED = {"ERRDEX_READING": "members", "ERRDEX_SUBMITTING": "members"}


class Site(NamedTuple):
    """A running server: what it is called in the table, its address, its database, a home for commands, its rules."""

    name: str
    address: str
    database_url: str
    home: str
    rules: Mapping[str, str]


# A name for the way in, how many answers are equal, and what differs.
Row = tuple[str, int, list[str]]


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--reading", choices=("open", "closed"))
    given = parser.parse_args()
    every = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()]
    rows = [every[number * len(every) // given.cases] for number in range(given.cases)]
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, rules in (("open reading", OPEN), ("closed reading", CLOSED)):
            if given.reading and not name.startswith(given.reading):
                continue
            url = f"sqlite:///{folder}/{name.split()[0]}.db"
            with servers.errdex(url, ERRDEX_WORKERS="2", **rules) as port:
                site = Site(name, f"http://127.0.0.1:{port}", url, folder, rules)
                found += ask_everywhere(site, rows)
    print("| way in | answers equal to REST | different |\n|---|---|---|")
    for way, equal, different in found:
        print(f"| {way} | {equal} of {len(rows)} | {', '.join(different)} |")
    if any(different for _, _, different in found):
        sys.exit(1)


def ask_everywhere(site: Site, rows: Sequence[Mapping[str, str]]) -> list[Row]:
    """Ask one server in every way."""
    closed = site.rules["ERRDEX_READING"] == "members"
    shown = made_tokens(site.database_url)
    expected = rest(site.address, rows, shown["read"])
    found: list[Row] = []
    for scope, token in (shown if closed else {"no token": "", **shown}).items():
        way = f"{site.name}, HTTP, {scope}"
        say(way)
        problems = [] if may_write(site.address, token) else [f"{scope}: other statuses than REST"]
        found.append(_row(way, over_http(site.address, rows, token), expected, rows, problems))
        say(f"{found[-1][1]} of {len(rows)} equal; {found[-1][2]}")
    server = {"ERRDEX_URL": site.address} | ({"ERRDEX_TOKEN": shown["read"]} if closed else {})
    streams = {"server": ([errdex()], server), "light client": ([sys.executable, "-m", "errdex_client"], server)}
    if not closed:
        # Over streams nobody shows a token. The links of a database of its own are those of the server all the same.
        own = {"ERRDEX_DATABASE_URL": site.database_url, "ERRDEX_BASE_URL": site.address}
        streams["database"] = ([errdex()], own)
    for where, (command, env) in streams.items():
        way = f"{site.name}, stdio, {where}"
        say(way)
        results = over_streams([*command, "mcp"], env | {"HOME": site.home}, rows)
        found.append(_row(way, results, expected, rows, []))
        say(f"{found[-1][1]} of {len(rows)} equal; {found[-1][2]}")
    if closed:
        found.append((f"{site.name}, HTTP, no token", len(rows), [] if refused(site.address) else ["is not refused"]))
    return found


def _row(
    way: str,
    results: Sequence[CallToolResult],
    expected: Sequence[Any],
    rows: Sequence[Mapping[str, str]],
    problems: list[str],
) -> Row:
    differ = [
        row["id"] for row, result, rest in zip(rows, results, expected, strict=True) if not equal(result, rest, row)
    ]
    return way, len(rows) - len(differ), differ + problems


def equal(result: CallToolResult, rest: Any, row: Mapping[str, str]) -> bool:
    """Tell whether a result holds the answer of REST, and its text the address of the entry, or that none is known."""
    said = "".join(getattr(block, "text", "") for block in result.content)
    needed = rest["matches"][0]["url"] if rest["matches"] else NO_ENTRY[row["lang"]]
    return bool(result.structured_content == rest and needed in said and "<quoted>" in said)


def made_tokens(url: str) -> dict[str, str]:
    """Return a token of each scope, all of one admin who is made in a database."""
    engine = connect(Settings(database_url=url))
    person = accounts.add_person(engine, "agents", "a password that nobody guesses", "admin")
    with writing(engine) as session:
        found = {scope: _token(session, person, scope) for scope in SCOPES}
    engine.dispose()
    return found


def _token(session: Session, person: Person, scope: str) -> str:
    return tokens.add(session, person, f"for {scope}", scope, 1, by=person.id or 0)[1]


def rest(address: str, rows: Sequence[Mapping[str, str]], token: str) -> list[Any]:
    """Return what REST answers to pastes."""
    with httpx2.Client(base_url=address, headers=_headers(token), timeout=60) as browser:
        asked = ({"text": row["text"], "lang": row["lang"]} for row in rows)
        return [browser.post("/api/v1/match?include=fix", json=one).raise_for_status().json() for one in asked]


def over_http(address: str, rows: Sequence[Mapping[str, str]], token: str) -> list[CallToolResult]:
    """Return what the tools answer to pastes over HTTP."""

    async def ask() -> list[CallToolResult]:
        async with httpx2.AsyncClient(headers=_headers(token), timeout=60) as browser:
            transport = streamable_http_client(f"{address}/mcp", http_client=browser)
            async with Client(transport) as agent:
                return await _matches(agent, rows)

    return anyio.run(ask)


def over_streams(
    command: Sequence[str], env: Mapping[str, str], rows: Sequence[Mapping[str, str]]
) -> list[CallToolResult]:
    """Return what the tools of a command, started with these variables, answer to pastes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ERRDEX_")}

    async def ask() -> list[CallToolResult]:
        first, *others = command
        async with Client(StdioServerParameters(command=first, args=others, env=kept | dict(env))) as agent:
            return await _matches(agent, rows)

    return anyio.run(ask)


async def _matches(agent: Client, rows: Sequence[Mapping[str, str]]) -> list[CallToolResult]:
    asked = ({"text": row["text"], "lang": row["lang"]} for row in rows)
    return [await agent.call_tool("match_log", one) for one in asked]


class Call(NamedTuple):
    """A tool with its arguments, and what REST has for the same."""

    tool: str
    arguments: dict[str, Any]
    path: str
    body: dict[str, Any]


def may_write(address: str, token: str) -> bool:
    """Tell whether an agent with a token may propose and report exactly where REST lets the same token do it."""
    entry: dict[str, Any] = {
        "slug": "skyrl/an-entry-of-an-agent",
        "updated": "2026-11-29",
        "signatures": [{"pattern": "ZorbError: the frob left"}],
        "en": {"title": "Zorb", "body": "## Fix\n\nTurn it."},
    }
    calls = (
        Call("propose_entry", {"entry": entry}, "/api/v1/submissions", {"entry": entry}),
        Call(
            "report_outcome", {"entry": SLUG, "said": "solved"}, f"/api/v1/entries/{SLUG}/feedback", {"said": "solved"}
        ),
    )

    async def ask() -> bool:
        async with httpx2.AsyncClient(base_url=address, headers=_headers(token), timeout=60) as browser:
            transport = streamable_http_client(f"{address}/mcp", http_client=browser)
            async with Client(transport) as agent:
                return all([await _alike(browser, agent, call) for call in calls])

    return anyio.run(ask)


async def _alike(browser: httpx2.AsyncClient, agent: Client, call: Call) -> bool:
    there = await browser.post(call.path, json=call.body)
    here = await agent.call_tool(call.tool, call.arguments)
    if there.status_code < 400:
        return not here.is_error
    return bool(here.is_error and (here.structured_content or {}).get("status") == there.status_code)


def refused(address: str) -> bool:
    """Tell whether a stranger is asked for a token, plainly."""
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"accept": "application/json, text/event-stream"}
    answer = httpx2.post(f"{address}/mcp", json=listing, headers=headers)
    return answer.status_code == 401 and answer.headers.get("www-authenticate") == "Bearer"


def _headers(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


if __name__ == "__main__":
    main()
