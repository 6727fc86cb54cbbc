"""What is shown once: a link that lets somebody in, or a token. No cache keeps the page."""

from dataclasses import dataclass
from typing import Literal

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.site.frame.page import render_page

SHOWN_ONCE = {"cache-control": "no-store"}


@dataclass(frozen=True, slots=True)
class SecretPage:
    """Context of `secret.html`: `kind` names the texts, `back` is where to go on."""

    kind: Literal["invite", "reset", "token"]
    secret: str
    back: str


def show_once(request: Request, page: SecretPage) -> HTMLResponse:
    """Return the page with the secret."""
    response = render_page(request, "secret.html", page)
    response.headers.update(SHOWN_ONCE)
    return response
