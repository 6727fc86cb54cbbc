"""The OpenAPI document."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.routing import Route

from app.api.batch_schemas import Batch
from app.api.proposal_schemas import Paste, Proposed
from app.api.schemas import FeedbackGiven, Problem, Question
from app.people.permissions import OPEN, requires

DESCRIPTION = (
    "Paste an error, get the entry that explains and fixes it. No account, no cookie, "
    "unless whoever runs it lets only members read or submit: then with a token. See docs/api.md."
)
_REFERENCE = "#/components/schemas/{model}"


def describe(app: FastAPI) -> None:
    """Make `app` serve the OpenAPI document of its routes, with the shapes that routes name by reference."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]
    for route in app.routes:
        # FastAPI adds this route by itself. It tells nothing of the content.
        if isinstance(route, Route) and route.path == app.openapi_url:
            requires(OPEN)(route.endpoint)


def _document(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes)
    # Bodies are read by hand, so FastAPI does not know these shapes.
    _, named = models_json_schema(
        [
            (Problem, "serialization"),
            (Question, "validation"),
            (Batch, "validation"),
            (Proposed, "validation"),
            (Paste, "validation"),
            (FeedbackGiven, "validation"),
        ],
        ref_template=_REFERENCE,
    )
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    for name, schema in named["$defs"].items():
        schemas.setdefault(name, schema)
    found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    # A token is needed only where the settings say so, hence the empty alternative.
    found["security"] = [{}, {"token": []}]
    return found
