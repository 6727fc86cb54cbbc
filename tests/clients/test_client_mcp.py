"""A coding agent starts `errdex mcp` of the light client: the SDK's own client asks it over standard streams."""

import subprocess
import sys
import tomllib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from tests.clients.conftest import CLIENT_PYTHON, SOURCE, stand_in
from tests.clients.test_client_match import EXAMPLES, SECRET, SLUG

PROJECT = SOURCE.parent / "pyproject.toml"


def talk(env: dict[str, str], work: Callable[[Client], Awaitable[Any]], **more: str) -> Any:
    """What comes of talking to the light client's command in an environment."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "errdex_client", "mcp"], env=env | more)

    async def _talk() -> Any:
        async with Client(server) as agent:
            return await work(agent)

    return anyio.run(_talk)


def said(result: CallToolResult) -> str:
    """The text of a result."""
    return "".join(getattr(block, "text", "") for block in result.content)


def test_the_answers_are_those_of_rest(address: str, env: dict[str, str]) -> None:
    """Of pastes from all over the guide, of one that nothing explains, and of an empty one."""
    pastes = [path.read_text(encoding="utf-8") for path in EXAMPLES[::3]] + ["the printer is out of paper", ""]

    async def ask(agent: Client) -> list[CallToolResult]:
        return [await agent.call_tool("match_log", {"text": text, "lang": "zh"}) for text in pastes]

    for text, result in zip(pastes, talk(env, ask, ERRDEX_URL=address), strict=True):
        rest = httpx2.post(f"{address}/api/v1/match?include=fix", json={"text": text, "lang": "zh"}).json()
        assert result.structured_content == rest
        assert (rest["matches"][0]["url"] if rest["matches"] else "还没有对应的条目") in said(result)


def test_an_entry_is_searched_read_proposed_and_reported_on(address: str, env: dict[str, str]) -> None:
    async def ask(agent: Client) -> list[CallToolResult]:
        found = await agent.call_tool("search_entries", {"words": "re-initialize CUDA in forked subprocess"})
        entry = await agent.call_tool("get_entry", {"entry": f"{address}/en/e/{SLUG}", "lang": "zh"})
        missing = await agent.call_tool("get_entry", {"entry": "verl/never-heard-of"})
        new = {key: value for key, value in entry.structured_content.items() if key not in ("revision", "url")}
        proposed = await agent.call_tool("propose_entry", {"entry": new | {"slug": "skyrl/seen-by-an-agent"}})
        refused = await agent.call_tool("propose_entry", {"entry": {"slug": "No Slug"}})
        noted = await agent.call_tool("report_outcome", {"entry": SLUG, "said": "solved"})
        return [found, entry, missing, proposed, refused, noted]

    found, entry, missing, proposed, refused, noted = talk(env, ask, ERRDEX_URL=address)
    searched = {"q": "re-initialize CUDA in forked subprocess", "lang": "en", "limit": "10"}
    assert found.structured_content == httpx2.get(f"{address}/api/v1/search", params=searched).json()
    assert entry.structured_content == httpx2.get(f"{address}/api/v1/entries/{SLUG}", params={"lang": "zh"}).json()
    assert "## 修复" in said(entry)
    statuses = [result.structured_content["status"] for result in (missing, refused) if result.is_error]
    assert statuses == [404, 422]
    assert proposed.structured_content["state"] == "open"
    assert noted.structured_content == {"slug": SLUG, "said": "solved"}


def test_the_tools_are_those_of_the_server(address: str, env: dict[str, str]) -> None:
    """With their descriptions, and what is said to the agent of them all."""

    async def ask(agent: Client) -> list[Any]:
        return [agent.instructions, [tool.model_dump() for tool in (await agent.list_tools()).tools]]

    async def there() -> list[Any]:
        async with (
            httpx2.AsyncClient() as browser,
            Client(streamable_http_client(f"{address}/mcp", http_client=browser)) as agent,
        ):
            return await ask(agent)

    assert talk(env, ask, ERRDEX_URL=address) == anyio.run(there)


def test_what_looks_secret_stays_and_a_server_that_is_away_or_refuses_is_told(env: dict[str, str]) -> None:
    """An older server, which does not know a parameter, is asked without it."""
    problem = {"type": "/problems/not-allowed", "title": "Not allowed", "status": 403, "detail": "Show a token."}
    older = {"type": "urn:errdex:problem:unknown-parameter", "title": "Unknown", "status": 422}

    def answer(path: str, _body: bytes) -> tuple[int, Any]:
        return (422, older) if "include" in path else (403, problem)

    async def ask(agent: Client) -> CallToolResult:
        return await agent.call_tool("match_log", {"text": f"token={SECRET}\nValueError: bad"})

    with stand_in(answer) as seen:
        refused = talk(env, ask, ERRDEX_URL=seen.url, ERRDEX_TOKEN="mine")
    away = talk(env, ask, ERRDEX_URL=seen.url)
    assert [body.decode() for body in seen.bodies] == ["token=<TOKEN#1>\nValueError: bad"] * 2
    assert {header["authorization"] for header in seen.headers} == {"Bearer mine"}
    assert (refused.is_error, said(refused)) == (True, "Show a token.")
    assert (away.is_error, "cannot be reached" in said(away)) == (True, True)


@pytest.mark.parametrize("python", dict.fromkeys((CLIENT_PYTHON, sys.executable)))
def test_without_the_sdk_it_says_what_to_install(env: dict[str, str], python: str) -> None:
    """On the oldest Python, too, and before a server is configured. `-S` leaves out what is installed."""
    command = [python, "-S", "-m", "errdex_client", "mcp"]
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("errdex: ")
    (bounded,) = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]["mcp"]
    assert f"errdex-client[mcp], that is: pip install '{bounded}'" in result.stderr
    assert len(result.stderr.splitlines()) == 1
