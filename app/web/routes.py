"""Which route serves a request, by the template of its address."""

from collections.abc import MutableMapping
from typing import Any

UNKNOWN = "(no such route)"


def route_of(scope: MutableMapping[str, Any]) -> str:
    """Return the template of the route that served a request."""
    # a route that was included under a prefix knows only its own part; the whole is where FastAPI keeps the inclusion
    included = scope.get("fastapi", {}).get("effective_route_context")
    found = getattr(included or scope.get("route"), "path", None)
    if found is None and scope["path"].startswith("/static/"):
        return "/static"
    return str(found) if found else UNKNOWN
