"""The routes of the application: which one serves a request, by the template of its address, and who may call it."""

import re
from collections.abc import Iterable, MutableMapping
from typing import Any

from fastapi import FastAPI

from app.people.permissions import RouteRule, rule_of

UNKNOWN = "(no such route)"
# the addresses of links that hold a secret
_SECRET = re.compile(r"^((?:/[a-z]{2})?/(?:join|s)/|/api/v1/submissions/).+", re.DOTALL)


def route_of(scope: MutableMapping[str, Any]) -> str:
    """Return the template of the route that served a request."""
    # A route that was included under a prefix knows only its own part; FastAPI keeps the whole with the inclusion.
    included = scope.get("fastapi", {}).get("effective_route_context")
    found = getattr(included or scope.get("route"), "path", None)
    if found is None and scope["path"].startswith("/static/"):
        return "/static"
    return str(found) if found else UNKNOWN


def route_rules(app: FastAPI) -> dict[tuple[str, str], RouteRule]:
    """Return the rule of every route by method and template, HEAD being a GET; sorted by template.

    What is mounted, and what takes every method, asks by itself and is left out. Raises `LookupError` with the names of
    routes that have no rule.
    """
    found: dict[tuple[str, str], RouteRule | None] = {}
    for route in app.routes:
        # FastAPI keeps the routes of an included router, with their prefixes, in the inclusion.
        contexts = getattr(route, "effective_route_contexts", None)
        inner: Iterable[Any] = contexts() if contexts else [route]
        for one in inner:
            for method in getattr(one, "methods", None) or ():
                found["GET" if method == "HEAD" else method, one.path] = rule_of(one.endpoint)
    if forgotten := sorted(" ".join(key) for key, rule in found.items() if rule is None):
        raise LookupError("routes without a rule, see app/people/permissions.py: " + ", ".join(forgotten))
    return {key: rule for key, rule in sorted(found.items(), key=lambda item: item[0][::-1]) if rule}


def told_path(path: str) -> str:
    """Return a path as an error may tell it: shortened, and without the secret of a link that holds one."""
    return _SECRET.sub(r"\1…", path)[:200]
