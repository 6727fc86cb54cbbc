"""Signing in and out."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from app import accounts
from app.errors import WrongCredentials
from app.site.body import FormFields
from app.site.page import Language, getter, limited, poster, render_page
from app.web import SESSION_COOKIE, SettingsDep, Writing

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class SignInPage:
    """Context of `sign_in.html`; `next` is where to go afterwards, `wrong` says that the last try failed."""

    typed_name: str
    next: str
    wrong: bool


@get("/{lang}/sign-in")
def sign_in_form(request: Request, lang: Language, next: str = "") -> Response:  # noqa: A002
    """Show the sign-in form."""
    return render_page(request, "sign_in.html", SignInPage("", local(next), wrong=False))


@post("/{lang}/sign-in", limited("login", "rate_login"))
def sign_in(request: Request, lang: Language, fields: FormFields, session: Writing, settings: SettingsDep) -> Response:
    """Open a session for a name and password."""
    name, back = fields.one("name"), local(fields.one("next"))
    try:
        token = accounts.sign_in(session, name, fields.raw("password"), settings.session_days, request.app.state.key())
    except WrongCredentials as wrong:
        return render_page(request, "sign_in.html", SignInPage(name, back, wrong=True), wrong.status)
    response = RedirectResponse(back or f"/{lang}/review", 303)
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=settings.session_days * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=settings.secure,
    )
    return response


@post("/{lang}/sign-out")
def sign_out(request: Request, lang: Language, session: Writing) -> Response:
    """End the session of this browser."""
    accounts.sign_out(session, request.cookies.get(SESSION_COOKIE, ""), request.app.state.key())
    response = RedirectResponse(f"/{lang}/", 303)
    response.delete_cookie(SESSION_COOKIE)
    return response


def local(target: str) -> str:
    """Return `target` when it is a page of this site, else an empty string."""
    inside = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if inside and target.isprintable() else ""
