"""One log line and one count per request, without anything that a person typed."""

import re
import time
from uuid import uuid4

from starlette.datastructures import Headers
from structlog.contextvars import bound_contextvars

from app.logs import described, log
from app.web import metrics
from app.web.middleware import App, Message, Receive, Scope, Send
from app.web.routes import route_of

REQUEST_ID = "x-request-id"
_SANE = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)


class AccessLog:
    """Logs and counts route, method and status of every request, and how long it took; gives each an id.

    The route is its template, such as `/{lang}/s/{token}`: an address can hold a submitter's token or words of a
    paste, so neither path nor query nor body is written. The id is that of `X-Request-Id` when it is 1 to 64 letters,
    digits and `._:-`, else a new one; the answer carries it.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        request = _Request(scope, send)
        with bound_contextvars(request_id=request.id), metrics.running():
            try:
                await self.app(scope, receive, request.send)
            except Exception as error:
                # It is not raised again: the server would log it with its message, which can quote what somebody
                # pasted.
                log.error("failed", route=route_of(scope), error=described(error))
            finally:
                request.log()


class _Request:
    """One request and what became of it."""

    def __init__(self, scope: Scope, send: Send) -> None:
        given = Headers(scope=scope).get(REQUEST_ID, "")
        self.id = given if _SANE.fullmatch(given) else uuid4().hex
        self._scope = scope
        self._send = send
        self._began = time.perf_counter()
        self._status = 500
        self._counted = False

    async def send(self, message: Message) -> None:
        """Send a part of the answer. The request is counted before its last part is sent, so that a caller who has the
        answer finds it counted.
        """
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [*message["headers"], (REQUEST_ID.encode(), self.id.encode())]
        elif not message.get("more_body", False):
            self._count()
        await self._send(message)

    def log(self) -> None:
        """Write the line of this request."""
        self._count()
        spent = round((time.perf_counter() - self._began) * 1000, 1)
        log.info("request", route=route_of(self._scope), method=self._scope["method"], status=self._status, ms=spent)

    def _count(self) -> None:
        if not self._counted:
            self._counted = True
            spent = time.perf_counter() - self._began
            metrics.request(route_of(self._scope), self._scope["method"], self._status, spent)
