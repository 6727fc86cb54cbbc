"""Limits and headers that hold for every answer."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request

from app.errors import TooLarge

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# form encoding can triple the bytes of a paste, multipart adds boundaries and the other fields
FORM_ALLOWANCE = 3
OTHER_FIELDS = 64 * 1024

# bytes; what fits into one packet gains nothing
COMPRESSED_FROM = 1200
# of 9: half the time of the most thorough, for one byte in a hundred
COMPRESSION = 6
UNCOMPRESSED = ("/api/", "/healthz", "/readyz", "/metrics", "/openapi.json")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class BodyLimit:
    """Refuses a body that is larger than `limit` bytes (as decoded text) before it is read whole."""

    def __init__(self, app: App, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        most = self._most(scope)
        length = Request(scope).headers.get("content-length", "0")
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most or (length.isdigit() and int(length) > most):
                raise TooLarge(limit=self.limit)
            return message

        return await self.app(scope, counted, send)

    def _most(self, scope: Scope) -> int:
        kind = Request(scope).headers.get("content-type", "").partition(";")[0]
        if kind == "application/x-www-form-urlencoded":
            return self.limit * FORM_ALLOWANCE + OTHER_FIELDS
        # JSON escapes a newline or a quote with one more byte, and other characters with up to six for one
        return self.limit * 2 + OTHER_FIELDS if kind == "application/json" else self.limit + OTHER_FIELDS


class Compressed(GZipMiddleware):
    """Compresses pages, styles and scripts for browsers that take gzip.

    Answers for programs stay as they are: they are small, and most callers sit beside the server.
    """

    def __init__(self, app: App) -> None:
        super().__init__(app, minimum_size=COMPRESSED_FROM, compresslevel=COMPRESSION)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        plain = scope["type"] == "http" and scope["path"].startswith(UNCOMPRESSED)
        await (self.app if plain else super().__call__)(scope, receive, send)


class SecurityHeaders:
    """Adds the security headers to every answer."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        return await self.app(scope, receive, with_headers)
