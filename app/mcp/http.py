"""`/mcp`: the tools over stateless streamable HTTP, so that any worker can take any message."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse

from app.errors import CrossSite
from app.mcp.rest import Caller, inside
from app.mcp.tools import server_for
from app.web.dependencies import same_site
from app.web.middleware import App, Receive, Scope, Send

PATH = "/mcp"


class AgentDoor:
    """The endpoint of an application. It serves while the application does, see `opened`.

    `largest` is in bytes. Which names the site goes by was held against the settings before a request comes here.
    """

    def __init__(self, app: App, largest: int, *, is_closed: bool) -> None:
        self._is_closed = is_closed
        self._rest = inside(app)
        self._largest = largest
        self._serving: Starlette | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Serve for the length of the block."""
        server = server_for(self._rest)
        serving = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=self._largest,
            # our own check stands before this one
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        async with server.session_manager.run():
            self._serving = serving
            try:
                yield
            finally:
                self._serving = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: 401 where only members read and none is told, 403 where another site's page sent it."""
        request = Request(scope, receive)
        if self._serving is None:
            await _refusal(503, "not ready")(scope, receive, send)
            return
        try:
            await same_site(request)
        except CrossSite:
            await _refusal(403, "this was sent by a page of another site")(scope, receive, send)
            return
        if self._is_closed and (status := await self._status(request)) in (401, 403):
            refusal = _refusal(status, "only members read here: send Authorization: Bearer with a token")
            if status == 401:
                refusal.headers["www-authenticate"] = "Bearer"
            await refusal(scope, receive, send)
            return
        await self._serving({**scope, "path": PATH, "root_path": ""}, receive, send)

    async def _status(self, request: Request) -> int:
        """Return what the API answers whoever asks: whether they may read at all."""
        host = request.client.host if request.client else "127.0.0.1"
        caller = Caller(host, str(request.base_url).rstrip("/"), request.headers.get("authorization", ""))
        return (await self._rest("GET", "/api/v1/entries", {"limit": "1"}, None, caller)).status


def _refusal(status: int, text: str) -> JSONResponse:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": text}}
    return JSONResponse(error, status)
