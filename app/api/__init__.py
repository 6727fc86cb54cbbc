"""The REST API: routes under /api/v1, the two health checks, and errors as problem+json."""

from fastapi import FastAPI
from fastapi.routing import APIRoute

from app.api import (
    audit,
    batch,
    changes,
    draft,
    entries,
    facets,
    feedback,
    health,
    index,
    match,
    search,
    signatures,
    submissions,
    wanted,
)
from app.api.entries import moved_response
from app.api.openapi import describe
from app.api.problems import error_response

__all__ = ["VERSIONS", "error_response", "include", "is_unknown_version", "moved_response"]

VERSIONS = "/api/v1"
_FAMILIES = (
    index,
    match,
    batch,
    search,
    entries,
    changes,
    facets,
    signatures,
    wanted,
    feedback,
    draft,
    submissions,
    audit,
)


def include(app: FastAPI) -> None:
    """Give `app` the routes of the API and the document that describes them."""
    # A generated client calls an operation by the name of its function. Each family goes right into the application,
    # for a router inside a router is looked through once more for every request.
    for family in _FAMILIES:
        app.include_router(family.router, prefix=VERSIONS, generate_unique_id_function=_named)
    app.include_router(health.router, generate_unique_id_function=_named)
    describe(app)


def is_unknown_version(path: str) -> bool:
    """Tell whether a path asks for a version of the API that there is not."""
    return path.startswith("/api/") and not f"{path}/".startswith(f"{VERSIONS}/")


def _named(route: APIRoute) -> str:
    return route.name
