"""The REST API: routes under /api/v1, the two health checks, and errors as problem+json."""

from fastapi import FastAPI
from fastapi.routing import APIRoute

from app.api import audit, entries, feedback, health, match, search, submissions
from app.api.entries import moved_response
from app.api.openapi import describe
from app.api.problems import error_response

__all__ = ["error_response", "include", "moved_response"]

_FAMILIES = (match, search, entries, feedback, submissions, audit)


def include(app: FastAPI) -> None:
    """Give `app` the routes of the API and the document that describes them."""
    # A generated client calls an operation by the name of its function. Each family goes right into the application,
    # for a router inside a router is looked through once more for every request.
    for family in _FAMILIES:
        app.include_router(family.router, prefix="/api/v1", generate_unique_id_function=_named)
    app.include_router(health.router, generate_unique_id_function=_named)
    describe(app)


def _named(route: APIRoute) -> str:
    return route.name
