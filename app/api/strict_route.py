"""Routes of the API that take only what they know, so that a typo is told and not overlooked."""

import difflib
import hashlib
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from fastapi import Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from fastapi.responses import Response
from fastapi.routing import APIRoute

from app import i18n
from app.api.problems import Responses, with_error
from app.errors import UnknownParameter
from app.web.dependencies import language, told_allowance

# What a 304 does not say, having no body.
_OF_A_BODY = frozenset({"content-length", "content-type"})
# names that are listed in one refusal, and characters of each
_MOST_NAMED, _LONGEST = 10, 60


class StrictRoute(APIRoute):
    """A route that refuses query parameters which its operation does not have, tells the language of its answer and
    what is left of a rate, and answers 304 to who has it already.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], *, responses: Responses, **more: Any) -> None:
        super().__init__(path, endpoint, responses=with_error(responses, UnknownParameter), **more)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what serves a request. It raises `UnknownParameter` before anything of the request is read."""
        handler = super().get_route_handler()
        known = frozenset(one.alias for one in get_flat_params(self.dependant) if isinstance(one.field_info, Query))
        speaks = "lang" in known

        async def handle(request: Request) -> Response:
            if request.scope["query_string"]:
                refuse_unknown(request.query_params, known)
            response = await handler(request)
            response.headers.update(told_allowance(request))
            if speaks:
                _tell_language(request, response)
            return _unchanged(request, response) if request.method == "GET" else response

        return handle


def _tell_language(request: Request, response: Response) -> None:
    headers = response.headers
    if "content-language" not in headers:
        headers["content-language"] = language(request, i18n.known(request.query_params.get("lang")))
    headers.add_vary_header("accept-language")


def _unchanged(request: Request, response: Response) -> Response:
    """Return an answer with its entity tag, or 304 where the caller has it already (RFC 9110, sections 8.8.3, 13.1.2).

    The tag is made of the body: whoever has the same one has the same answer, whichever worker gave it.
    """
    if response.status_code != 200 or "no-store" in response.headers.get("cache-control", ""):
        return response
    tag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    response.headers["etag"] = tag
    response.headers.setdefault("cache-control", "no-cache")
    held = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if held.isdisjoint({tag, "*"}):
        return response
    kept = {name: value for name, value in response.headers.items() if name not in _OF_A_BODY}
    return Response(status_code=304, headers=kept)


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise `UnknownParameter` for names of query parameters or JSON keys that are not among the known ones.

    Its sentence names the nearest known one where one is near, else all of them.
    """
    names = sorted(known)
    strange = [name for name in dict.fromkeys(given) if name not in names]
    if not strange:
        return
    fields = {name[:_LONGEST]: _advice(name, names) for name in strange[:_MOST_NAMED]}
    raise UnknownParameter(detail="; ".join(f"{name}: {what}" for name, what in fields.items()), fields=fields)


def _advice(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name[:_LONGEST].lower(), names, n=1)
    if near:
        return f"unknown; did you mean {near[0]}?"
    return f"unknown; known are {', '.join(names)}" if names else "unknown; none is taken here"
