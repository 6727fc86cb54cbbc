"""The REST API of an application in this process, as the tools ask it."""

from typing import Any

import httpx2

from app.web.middleware import App
from errdex_client.mcp.rest import Caller, Rest, RestAnswer


def inside(app: App) -> Rest:
    """Return the API of an application in this process."""

    async def ask(method: str, path: str, query: dict[str, str], body: Any, caller: Caller) -> RestAnswer:
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False, client=(caller.address, 0))
        headers = {"authorization": caller.authorization, "accept-language": caller.languages}
        given = {name: value for name, value in headers.items() if value}
        async with httpx2.AsyncClient(transport=transport, base_url=caller.base) as client:
            # An earlier slug is redirected to the present one.
            response = await client.request(method, path, params=query, json=body, headers=given, follow_redirects=True)
        try:
            value = response.json()
        except ValueError:
            value = {}
        return RestAnswer(response.status_code, value if isinstance(value, dict) else {})

    return ask
