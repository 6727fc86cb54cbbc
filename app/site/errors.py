"""What went wrong, as a page."""

from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from app.errors import ErrdexError, SignInNeeded, TooMany
from app.site.page import page_of, render_page

RETRY_SECONDS = 5


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """Context of `error.html`; `key` names the texts, `params` fill them."""

    status: int
    key: str
    params: dict[str, str | int]


def error_response(request: Request, error: ErrdexError) -> Response:
    """Return the page for an error, or the way to the sign-in page when that is what is missing."""
    if isinstance(error, SignInNeeded):
        return RedirectResponse(_sign_in(request), 303)
    response = render_page(request, "error.html", ErrorPage(error.status, error.key, error.params), error.status)
    if isinstance(error, TooMany) or error.status == 503:
        response.headers["retry-after"] = str(error.params.get("seconds", RETRY_SECONDS))
    return response


def _sign_in(request: Request) -> str:
    page = page_of(request)
    # a form cannot be sent again by following a link, so the way back leads to the queue
    back = page.here(page.lang) if request.method == "GET" else page.url("/review")
    return f"{page.url('/sign-in')}?{urlencode({'next': back})}"
