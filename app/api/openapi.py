"""The OpenAPI document."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.routing import Route

from app.api.batch_schemas import Batch
from app.api.examples import EXAMPLES
from app.api.openapi_parts import HEADERS, PARAMETERS, UNCHANGED, problem_examples
from app.api.proposal_schemas import Paste, Proposed
from app.api.schemas import FeedbackGiven, Problem, Question
from app.people.permissions import OPEN, requires

DESCRIPTION = (
    "Paste an error, get the entry that explains and fixes it. No account, no cookie, "
    "unless whoever runs it lets only members read or submit: then with a token. See docs/api.md."
)
# What these answer is for one caller, or for one moment.
_NOT_KEPT = frozenset({"alive", "ready", "read_submission", "list_audit"})
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
    for schema in schemas.values():
        for one in schema.get("properties", {}).values():
            # What is left out of an answer is not there, and a body is not completed by its sender: makers of clients
            # would have both given each time.
            one.pop("default", None)
    found["components"] |= {"examples": problem_examples(), "headers": HEADERS, "parameters": PARAMETERS}
    for operations in found["paths"].values():
        for method, operation in operations.items():
            _complete(operation, is_kept=method == "get" and operation["operationId"] not in _NOT_KEPT)
    found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    # A token is needed only where the settings say so, hence the empty alternative.
    found["security"] = [{}, {"token": []}]
    return found


def _complete(operation: dict[str, Any], *, is_kept: bool) -> None:
    """Add an example to the answers of an operation, and their header fields; `is_kept` ones have a tag for 304."""
    answers: dict[str, dict[str, Any]] = operation["responses"]
    speaks = any(one.get("name") == "lang" for one in operation.get("parameters", ()))
    for status, answer in answers.items():
        fields = ["X-Request-Id", *(("RateLimit", "RateLimit-Policy") if "429" in answers else ())]
        if status in ("200", "201"):
            shown = answer["content"]["application/json"]
            shown["example"] = EXAMPLES[shown["schema"]["$ref"].rpartition("/")[2]]
            fields += ["Cache-Control", *(["Content-Language"] if speaks else ()), *(["ETag"] if is_kept else ())]
        if status in ("201", "308"):
            fields.append("Location")
        answer.setdefault("headers", {}).update({name: {"$ref": f"#/components/headers/{name}"} for name in fields})
    if is_kept:
        answers["304"] = UNCHANGED
        operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/If-None-Match"})
    operation["responses"] = dict(sorted(answers.items()))
