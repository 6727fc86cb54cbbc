"""What went wrong, as problem+json (RFC 9457)."""

from typing import Any

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel

from app import i18n
from app.api.json_response import Json
from app.api.schemas import PROBLEM_JSON
from app.errors import (
    Crowded,
    ErrdexError,
    Forbidden,
    MalformedBody,
    MalformedHost,
    SignInNeeded,
    SlowBody,
    TokenExpired,
    TokenOwnerGone,
    TokenRefused,
    TokenRevoked,
    TooLarge,
    Unavailable,
    UnknownHost,
    UnsupportedCoding,
    UnsupportedMedia,
)
from app.i18n import Lang
from app.web.dependencies import language, told_allowance
from app.web.problem_types import PREFIX

Responses = dict[int | str, dict[str, Any]]
RETRY_SECONDS = 5
# Every route that takes a body can raise these while it is read.
BODY_ERRORS: tuple[type[ErrdexError], ...] = (
    MalformedBody,
    SlowBody,
    TooLarge,
    UnsupportedMedia,
    UnsupportedCoding,
    Crowded,
)
# Every route that is not open to everybody can raise these.
GUARD_ERRORS: tuple[type[ErrdexError], ...] = (SignInNeeded, Forbidden)
# Whatever is asked for, the name of the site may be wrong, a token good for nothing, the database away, or we may be.
ANYWHERE: tuple[type[ErrdexError], ...] = (
    MalformedHost,
    UnknownHost,
    TokenRefused,
    TokenExpired,
    TokenOwnerGone,
    TokenRevoked,
    Unavailable,
    ErrdexError,
)
_SCHEMA = {"$ref": "#/components/schemas/Problem"}
# the header fields that an error of a status has beside those of every error
_FIELDS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


def error_response(request: Request, error: ErrdexError) -> Response:
    """Return the problem document for an error, in the language of the Accept-Language header.

    429 and 503 say in Retry-After after how many seconds another try may succeed.
    """
    lang = language(request)
    response = Json(problem_json(request, error, lang), error.status, media_type=PROBLEM_JSON)
    response.headers["content-language"] = lang
    response.headers["vary"] = "accept-language"
    response.headers["cache-control"] = "no-store"
    if error.status in (429, 503):
        response.headers["retry-after"] = str(error.params.get("seconds", RETRY_SECONDS))
    response.headers.update(told_allowance(request))
    return response


def problem_json(request: Request, error: ErrdexError, lang: Lang) -> dict[str, Any]:
    """Return the problem document of an error as JSON values, worded in `lang`."""
    problem: dict[str, Any] = {
        "type": PREFIX + error.key,
        "title": i18n.text(lang, f"error.{error.key}.title", **error.params),
        "status": error.status,
        "detail": i18n.text(lang, f"error.{error.key}.detail", **error.params),
        "instance": request.url.path,
    }
    if error.fields:
        problem["fields"] = {
            name: i18n.text(lang, what, **error.params) if i18n.has(what) else what
            for name, what in error.fields.items()
        }
    return problem


def responses(
    model: type[BaseModel], *kinds: type[ErrdexError], status: int = 200, is_guarded: bool = True
) -> Responses:
    """Return what the OpenAPI document says of a route that answers `model` or raises one of these errors.

    A route that `is_guarded` also refuses callers who may not call it; some errors can come from every route.
    """
    found: Responses = {status: {"model": model}}
    for kind in (*kinds, *(GUARD_ERRORS if is_guarded else ()), *ANYWHERE):
        found = with_error(found, kind)
    return found


def with_error(described: Responses, kind: type[ErrdexError]) -> Responses:
    """Return what is said of the answers of a route that raises one more error; one status says all of its errors.

    What is referred to, an example of each error and the header fields, `app.api.openapi` puts into the document.
    """
    before = described.get(kind.status, {"content": {PROBLEM_JSON: {"schema": _SCHEMA, "examples": {}}}, "headers": {}})
    examples = before["content"][PROBLEM_JSON]["examples"] | {kind.key: {"$ref": f"#/components/examples/{kind.key}"}}
    headers = dict.fromkeys(["Content-Language", "Cache-Control", *_FIELDS.get(kind.status, ())])
    return described | {
        kind.status: {
            "description": " · ".join(i18n.text("en", f"error.{key}.title") for key in examples),
            "content": {PROBLEM_JSON: {"schema": _SCHEMA, "examples": examples}},
            "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        }
    }
