"""What went wrong, as a page: what happened, what to do, and what was typed if it came in a form."""

from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from app.errors import ErrdexError, SignInNeeded, TooMany
from app.logs import request_id
from app.site.frame.did_you_mean import NearAddress, near
from app.site.frame.page import page_of, render_page
from app.site.frame.unsent_form import Kept, kept_form
from app.web.authorization import may_read
from app.web.routes import told_path

RETRY_SECONDS = 5
# A wait of so many seconds or more is told in minutes.
LONG_WAIT = 120


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """Context of `error.html`; `key` names the texts, `params` fill them.

    `kept` is what was typed, None when nothing was or it cannot be given back. `near` is what an address that leads
    nowhere could have meant. `request_number` finds the request in the log. `minutes` is how long to wait, 0 when it is
    less; `retry` the seconds after which the page may look again whether the answer has changed, 0 for never.
    """

    status: int
    key: str
    params: dict[str, str | int]
    kept: Kept | None
    near: NearAddress | None
    request_number: str
    minutes: int
    retry: int
    is_form: bool


async def error_response(request: Request, error: ErrdexError) -> Response:
    """Return the page for an error, or the way to the sign-in page when that is what is missing and nothing is lost."""
    kept = await kept_form(request, error)
    if isinstance(error, SignInNeeded) and kept is None:
        return RedirectResponse(_sign_in(request), 303)
    return await run_in_threadpool(_page, request, error, kept)


def _page(request: Request, error: ErrdexError, kept: Kept | None) -> Response:
    wait = int(error.params.get("seconds", RETRY_SECONDS))
    page = ErrorPage(
        status=error.status,
        key=error.key,
        params=error.params,
        kept=kept,
        near=near(request, told_path(page_of(request).path)) if error.status == 404 and may_read(request) else None,
        request_number=request_id() if error.status == 500 else "",
        minutes=minutes_to_wait(wait) if isinstance(error, TooMany) else 0,
        retry=RETRY_SECONDS if error.key == "unavailable" else 0,
        is_form=request.method == "POST",
    )
    response = render_page(request, "error.html", page, error.status)
    if isinstance(error, TooMany) or error.status == 503:
        response.headers["retry-after"] = str(wait)
    return response


def minutes_to_wait(seconds: int) -> int:
    """Return a wait in minutes when it is long enough to be told in them, else 0."""
    return -(-seconds // 60) if seconds >= LONG_WAIT else 0


def _sign_in(request: Request) -> str:
    page = page_of(request)
    # A form cannot be sent again by following a link, so after signing in the way leads to the queue.
    back = page.here(page.lang) if request.method == "GET" else page.url("/review")
    return f"{page.url('/sign-in')}?{urlencode({'next': back})}"
