"""Limits and headers that hold for every answer."""

from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from app.errors import Crowded, ErrdexError, MalformedHost, SlowBody, TooLarge, UnknownHost, UnsupportedCoding
from app.logs import log
from app.network import hosts
from app.network.addresses import address_group
from app.web import metrics
from app.web.connections import LATE
from app.web.content_coding import READ, Decoder

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Form encoding can triple the bytes of a paste; multipart adds boundaries, and there are other fields.
FORM_ALLOWANCE = 3
OTHER_FIELDS = 64 * 1024
# The first bytes of every body, so many, do not count as held, so that a paste of the usual size is taken whatever else
# is being read.
NOT_COUNTED = 256 * 1024
# So many threads make compressed bodies plain.
DECODING = 2
# No address has more than one part in so many of the room for bodies.
SHARES = 2
RETRY_SECONDS = 5

# Answers of fewer bytes are not compressed: what fits into one packet gains nothing by it.
COMPRESSED_FROM = 1200
# The levels go up to 9. Level 6 takes half the time of level 9, and its answers are about one percent larger.
COMPRESSION = 6
UNCOMPRESSED = ("/api/", "/mcp", "/healthz", "/readyz", "/metrics", "/openapi.json")

# These are answered under any host name: health checks, which a watcher may ask by any name, and the style sheets that
# the page of a refusal needs. Nothing in their answers depends on the name.
WATCHED = frozenset({"/healthz", "/readyz", "/metrics"})
STATIC = "/static/"
# Each worker writes so many refused names to the log and no more, so that nobody can fill the disk.
MOST_TOLD = 100

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


_AS_SENT = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class BodyLimit:
    """Refuses a body before it is read whole: one of more than `limit` bytes (as decoded text), one that is compressed
    in a way not read here, one that comes too slowly, and one for which there is no room. Hands on what it holds.

    What has come of the bodies that are being read or answered is `held` bytes at most, half of it from one address.
    """

    def __init__(self, app: App, limit: int, held: int) -> None:
        self.app = app
        self.limit = limit
        self._room = held
        self._held = 0
        self._by_address: Counter[str] = Counter()
        self._decoding = CapacityLimiter(DECODING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        most = self._most(headers.get("content-type", ""))
        told = headers.get("content-length", "0")
        coding = headers.get("content-encoding", "").strip().lower()
        decoder = Decoder(coding, most, self.limit) if coding in READ else None
        length = int(told) if told.isdigit() else 0
        address = address_group(scope["client"][0] if scope.get("client") else "")
        seen = mine = 0

        async def counted() -> Message:
            nonlocal seen, mine
            if decoder is None and coding not in ("", "identity"):
                raise UnsupportedCoding(coding=coding[:40])
            message = await receive() if length <= most else {}
            if decoder is not None and message.get("type") == "http.request":
                message = await self._decoded(decoder, message)
            seen += len(message.get("body", b""))
            if seen > most or length > most:
                raise TooLarge(limit=self.limit)
            if rate := scope.get(LATE):
                raise SlowBody(rate=rate)
            weight = max(0, seen - NOT_COUNTED)
            self._take(address, weight - mine, most)
            mine = weight
            return message

        def give_back() -> None:
            nonlocal mine
            self._give_back(address, mine)
            mine = 0

        async def noticed(message: Message) -> None:
            # The room is given back before the last bytes are sent, for whoever has got them may send the next body at
            # once.
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                give_back()
            await send(message)

        if decoder is not None:
            _forget_coding(scope)
        try:
            await self.app(scope, counted, noticed)
        finally:
            give_back()

    async def _decoded(self, decoder: Decoder, message: Message) -> Message:
        # A small piece may hold the whole limit, which takes as long as many requests do, so a thread does it.
        is_last = not message.get("more_body", False)
        decode = partial(decoder.decode, message.get("body", b""), is_last=is_last)
        return {**message, "body": await to_thread.run_sync(decode, limiter=self._decoding)}

    def _take(self, address: str, size: int, most: int) -> None:
        """Hold so many bytes more. Raises `Crowded`.

        Only bytes that have come count, since a Content-Length takes no memory. When too many bodies come together they
        are refused one after the other, and the bytes of each refused one make room, so that as many as fit are read to
        their end.
        """
        # A body of the allowed size must fit when no other one is being read.
        room, share = max(self._room, most), max(self._room // SHARES, most)
        if size > 0 and (self._held + size > room or self._by_address[address] + size > share):
            raise Crowded(seconds=RETRY_SECONDS)
        if size:
            self._held += size
            self._by_address[address] += size

    def _give_back(self, address: str, size: int) -> None:
        self._held -= size
        self._by_address[address] -= size
        if not self._by_address[address]:
            del self._by_address[address]

    def _most(self, content_type: str) -> int:
        kind = content_type.partition(";")[0]
        if kind == "application/x-www-form-urlencoded":
            return self.limit * FORM_ALLOWANCE + OTHER_FIELDS
        # JSON writes a newline or a quote as two bytes, and may write a Chinese character of three bytes as six; only
        # control characters, which take six for one, are not covered by double the limit.
        return self.limit * 2 + OTHER_FIELDS if kind == "application/json" else self.limit + OTHER_FIELDS


def _forget_coding(scope: Scope) -> None:
    """Take off the headers that are not true of a body that is made plain on its way: its coding and its length."""
    scope["headers"] = [pair for pair in scope["headers"] if pair[0] not in (b"content-encoding", b"content-length")]


Answer = Callable[[Request, ErrdexError], Awaitable[Response]]


class KnownHosts:
    """Refuses a request that gives the site a name which it does not go by, before its body is read.

    `names` are those of the settings; the machine's own are added. `base_url`, where there is one, takes the place of
    the name in redirects that the framework makes of it. `answer` words a refusal.
    """

    def __init__(self, app: App, names: frozenset[str], base_url: str, answer: Answer) -> None:
        self.app = app
        self._names = names
        self._base = base_url
        self._answer = answer
        self._told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] in WATCHED or scope["path"].startswith(STATIC):
            return await self.app(scope, receive, send)
        given = Headers(scope=scope).getlist("host")
        if (error := self._error(scope, given)) is None:
            return await self.app(scope, receive, self._at_base(given, send) if self._base else send)
        metrics.host_refused()
        self._tell(str(error.params.get("host", "(malformed)")))
        # The links on the page of a refusal must not lead to the name that was refused.
        nameless = [header for header in scope["headers"] if header[0] != b"host"]
        response = await self._answer(Request({**scope, "headers": nameless}), error)
        return await response(scope, receive, send)

    def _error(self, scope: Scope, given: list[str]) -> ErrdexError | None:
        # HTTP/1.0 does not require a Host header; the address of the socket is used instead.
        if not given and scope.get("http_version") == "1.0":
            return None
        host = hosts.host_of(given[0]) if len(given) == 1 else None
        if host is None:
            return MalformedHost()
        rules = hosts.rules_of(self._names | hosts.machine_names())
        return None if hosts.host_allowed(given[0], rules) else UnknownHost(host=host)

    def _tell(self, host: str) -> None:
        if host in self._told or len(self._told) >= MOST_TOLD:
            return
        self._told.add(host)
        log.warning("host refused", host=host, setting="ERRDEX_HOSTS")
        if len(self._told) == MOST_TOLD:
            log.warning("hosts refused from here on are only counted")

    def _at_base(self, given: list[str], send: Send) -> Send:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and 300 <= message["status"] < 400:
                headers = MutableHeaders(raw=message["headers"])
                place = urlsplit(headers.get("location", ""))
                if place.netloc and place.netloc in given:
                    base = urlsplit(self._base)
                    headers["location"] = place._replace(scheme=base.scheme, netloc=base.netloc).geturl()
            await send(message)

        return sent


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


class HeadAsGet:
    """Answers HEAD with the head of what GET would answer, on every address (RFC 9110, section 9.3.2)."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            return await self.app(scope, receive, send)

        async def bodiless(message: Message) -> None:
            # The server and the log look at the method again when the answer comes.
            scope["method"] = "HEAD"
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        scope["method"] = "GET"
        return await self.app(scope, receive, bodiless)


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
                set_already = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in _AS_SENT if header[0] not in set_already),
                ]
            await send(message)

        return await self.app(scope, receive, with_headers)
