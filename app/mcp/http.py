"""`/mcp`: the tools over stateless streamable HTTP, so that any worker can take any message."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from app.errors import Unavailable
from app.mcp.rest import inside
from app.people.permissions import PROGRAM_READ, requires
from app.web.dependencies import same_site
from app.web.middleware import App, Receive, Scope, Send
from errdex_client.mcp.tools import server_for

PATH = "/mcp"


class AgentDoor:
    """The endpoint of an application, and the `route` to it. It serves while the application does, see `opened`.

    `largest` is in bytes. `authorize` holds a request against the rule of the route and raises where it is refused;
    each tool is held against the rule of what it asks of the API. Which names the site goes by was held against the
    settings before a request comes here.
    """

    def __init__(self, app: App, largest: int, authorize: Callable[[Request], Awaitable[None]]) -> None:
        self._authorize = authorize
        self._rest = inside(app)
        self._largest = largest
        self._serving: Starlette | None = None
        # Messages are posted, and there is no stream to listen to.
        self.route = Route(PATH, requires(PROGRAM_READ)(self), methods=["POST"])

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Serve for the length of the block."""
        server = server_for(self._rest)
        serving = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=self._largest,
            # `KnownHosts` has checked the host before.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        async with server.session_manager.run():
            self._serving = serving
            try:
                yield
            finally:
                self._serving = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises what `authorize` does, `CrossSite` for another site's page, and `Unavailable`."""
        # FastAPI's own routes note themselves here, for the log and the counts.
        scope["route"] = self.route
        request = Request(scope, receive)
        if self._serving is None:
            raise Unavailable
        await same_site(request)
        await self._authorize(request)
        await self._serving({**scope, "path": PATH, "root_path": ""}, receive, send)
