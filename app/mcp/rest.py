"""The REST API as the tools ask it: the application in this process, or a server far away."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import httpx2

from app.web.middleware import App
from errdex_client.asking import restored
from errdex_client.excerpts import excerpt_of
from errdex_client.secrets import mask

# A question is waited for so many seconds; the server gives it up earlier.
PATIENCE = 60
# Whoever asks over standard streams is on this machine.
HERE = "http://127.0.0.1"
# Here a text is asked about.
MATCH = "/api/v1/match"


class Caller(NamedTuple):
    """The caller of a tool: the address of their machine, the address by which they know the site, their token, their
    languages.
    """

    address: str = "127.0.0.1"
    base: str = HERE
    authorization: str = ""
    languages: str = ""


class RestAnswer(NamedTuple):
    """A status and the JSON values that came with it."""

    status: int
    value: dict[str, Any]


# The arguments are method, path, query, JSON body and caller.
Rest = Callable[[str, str, dict[str, str], Any, Caller], Awaitable[RestAnswer]]


def inside(app: App) -> Rest:
    """Return the API of an application in this process."""

    async def ask(method: str, path: str, query: dict[str, str], body: Any, caller: Caller) -> RestAnswer:
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False, client=(caller.address, 0))
        headers = {"authorization": caller.authorization, "accept-language": caller.languages}
        async with httpx2.AsyncClient(transport=transport, base_url=caller.base) as client:
            return await _asked(client, method, path, query, body, headers)

    return ask


def at(url: str, token: str) -> Rest:
    """Return the API of the server at an address; `token` is sent to it unless it is empty.

    What looks secret in a text that is asked about, or in the examples of an entry that is proposed, is masked before.
    """

    async def ask(method: str, path: str, query: dict[str, str], body: Any, _caller: Caller) -> RestAnswer:
        headers = {"authorization": f"Bearer {token}" if token else ""}
        asks = path == MATCH
        excerpt = excerpt_of(body["text"] if asks else "")
        masked = mask(excerpt.text)
        sent = body | {"text": masked.text} if asks else without_secrets(body)
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
            try:
                answer = await _asked(client, method, path, query, sent, headers)
            except httpx2.HTTPError as error:
                return RestAnswer(503, {"detail": f"{url} cannot be reached: {error}"})
        if not asks or answer.status != 200:
            return answer
        return answer._replace(value=restored(answer.value, masked, excerpt))

    return ask


def without_secrets(body: Any) -> Any:
    """Return a body with what looks secret in the examples of its entry masked, where it has one."""
    entry = body.get("entry") if isinstance(body, dict) else None
    if not isinstance(entry, dict) or not isinstance(entry.get("examples"), list):
        return body
    examples = [mask(one).text if isinstance(one, str) else one for one in entry["examples"]]
    return body | {"entry": entry | {"examples": examples}}


async def _asked(  # noqa: PLR0917
    client: httpx2.AsyncClient, method: str, path: str, query: dict[str, str], body: Any, headers: dict[str, str]
) -> RestAnswer:
    given = {name: value for name, value in headers.items() if value}
    # An earlier slug is redirected to the present one.
    response = await client.request(method, path, params=query, json=body, headers=given, follow_redirects=True)
    try:
        value = response.json()
    except ValueError:
        value = {}
    if not isinstance(value, dict):
        value = {}
    return RestAnswer(response.status_code, value)
