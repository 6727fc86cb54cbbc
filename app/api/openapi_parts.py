"""What the OpenAPI document says once and refers to: header fields, an example of each problem, a parameter."""

from typing import Any

from app import i18n
from app.web.problem_types import problem_types

_TEXT = {"type": "string"}
_SECONDS = {"type": "integer", "minimum": 1}
# `required` is a field that is always there; the others depend on the caller or on who serves.
HEADERS: dict[str, dict[str, Any]] = {
    "Content-Language": {
        "description": "The language of the answer.",
        "schema": {"type": "string", "enum": ["en", "zh"]},
        "required": True,
    },
    "Cache-Control": {"description": "Who may keep the answer, and how.", "schema": _TEXT, "required": True},
    "ETag": {"description": "Send it back as If-None-Match.", "schema": _TEXT, "required": True},
    "Location": {"description": "Where it is.", "schema": _TEXT, "required": True},
    "Retry-After": {"description": "Seconds until another try may succeed.", "schema": _SECONDS, "required": True},
    "WWW-Authenticate": {"description": "RFC 6750.", "schema": _TEXT, "required": True},
    "RateLimit": {
        "description": "What is left of the rate (draft-ietf-httpapi-ratelimit-headers-11); not for loopback.",
        "schema": _TEXT,
        "example": '"match";r=299;t=60',
    },
    "RateLimit-Policy": {
        "description": "The rate, likewise.",
        "schema": _TEXT,
        "example": '"match";q=300;w=60',
    },
    "X-Request-Id": {"description": "Finds the request in the log of the server.", "schema": _TEXT},
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "If-None-Match": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "schema": _TEXT,
        "description": "The ETag of an answer that the caller has: 304 when it is still the one.",
    }
}
UNCHANGED = {
    "description": "The caller has this answer already.",
    "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
}
# values for what the sentences of problems leave open
_SAMPLE: dict[str, str | int] = {
    "detail": "limit: Input should be less than or equal to 50",
    "what": "verl/no-such-entry",
    "asked": "/api/v2/match",
    "known": "/api/v1",
    "host": "errdex.old.lan",
    "coding": "br",
    "rate": 8192,
    "limit": 16_777_216,
    "seconds": 17,
    "day": "2026-11-20",
}
_DETAILS = {
    "malformed-body": "the body is not valid JSON: Expecting value: line 1 column 1 (char 0)",
    "unsupported-media": "send application/json",
    "unknown-parameter": "projct: unknown; did you mean project?",
}
_FIELDS = {
    "bad-input": {"limit": "Input should be less than or equal to 50"},
    "unknown-parameter": {"projct": "unknown; did you mean project?"},
}


def problem_examples() -> dict[str, Any]:
    """Return an example of each problem type by its key."""
    return {kind.key: {"value": _example(kind.key, kind.status, kind.address)} for kind in problem_types()}


def _example(key: str, status: int, address: str) -> dict[str, Any]:
    values = (
        _SAMPLE
        | ({"detail": _DETAILS[key]} if key in _DETAILS else {})
        | ({"limit": "20"} if key == "too-slow" else {})
    )
    shown = {
        "type": address,
        "title": i18n.text("en", f"error.{key}.title"),
        "status": status,
        "detail": i18n.text("en", f"error.{key}.detail", **values),
        "instance": "/api/v1/entries",
    }
    return shown | ({"fields": _FIELDS[key]} if key in _FIELDS else {})
