"""One log line per request, without anything that a person typed."""

import logging
import time
from typing import Any

from app.middleware import App, Message, Receive, Scope, Send

access = logging.getLogger("errdex.access")

UNKNOWN = "(no such route)"


class AccessLog:
    """Logs method, route and status of every request, and how long it took.

    The route is its template, such as `/{lang}/s/{token}`: an address can hold a submitter's token or words of a
    paste, so neither path nor query nor body is written.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        began = time.perf_counter()
        status = 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            return await self.app(scope, receive, noted)
        finally:
            spent = (time.perf_counter() - began) * 1000
            access.info("%s %s %d %.0f ms", scope["method"], route_of(scope), status, spent)


def route_of(scope: Scope) -> str:
    """Return the template of the route that served a request."""
    # a route that was included under a prefix knows only its own part; the whole is where FastAPI keeps the inclusion
    included = scope.get("fastapi", {}).get("effective_route_context")
    found = getattr(included or scope.get("route"), "path", None)
    if found is None and scope["path"].startswith("/static/"):
        return "/static"
    return str(found) if found else UNKNOWN


def log_config(level: str) -> dict[str, Any]:
    """Return the logging configuration of the server; `level` is the least severe that is written."""
    plain = {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}
    loggers = {
        name: {"handlers": ["stderr"], "level": level.upper(), "propagate": False} for name in ("uvicorn", "errdex")
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": plain},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"}},
        "loggers": loggers,
    }
