"""A one-time link: the first admin, an invited person, somebody who needs a new password, or to be let in."""

from dataclasses import dataclass, replace
from functools import partial

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Engine

from app.errors import BadInput, PasswordsOff
from app.people import members
from app.people.members import Invitation
from app.people.permissions import OPEN
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.site.frame.sign_in import begin_session_of, sign_ins_of
from app.site.people.secret import SHOWN_ONCE
from app.store.session import reading
from app.web.dependencies import EngineDep, Reading
from app.web.services import services_of

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class JoinPage:
    """Context of `join.html`: what the link is for, what was typed, and what was wrong by field, as text keys.

    `asks_password`: a password is chosen with it.
    """

    invitation: Invitation
    typed_name: str
    problems: dict[str, str]
    asks_password: bool = True


@get("/{lang}/join/{token}", OPEN)
def join_form(request: Request, lang: Language, token: str, session: Reading) -> Response:
    """Show what the link is for; looking does not use it up."""
    return _shown(request, JoinPage(members.invitation(session, token), "", {}))


@post("/{lang}/join/{token}", OPEN)
async def join(request: Request, lang: Language, token: str, fields: FormFields, engine: EngineDep) -> Response:
    """Use the link up, and sign in."""
    name = fields.one("name")
    password = fields.raw("password") if services_of(request).settings.local_passwords else None
    work = partial(members.join, engine, token, name, password)
    try:
        person = await sign_ins_of(request).run_alone(work)
    except BadInput as wrong:
        problems = wrong.fields or {"password": "join.password-wrong"}
        return await run_in_threadpool(_again, request, engine, token, name, problems)
    return await begin_session_of(request, RedirectResponse(f"/{lang}/", 303, SHOWN_ONCE), person)


def _again(request: Request, engine: Engine, token: str, name: str, problems: dict[str, str]) -> Response:
    with reading(engine) as session:
        return _shown(request, JoinPage(members.invitation(session, token), name, problems), 422)


def _shown(request: Request, page: JoinPage, status: int = 200) -> HTMLResponse:
    has_passwords, kind = services_of(request).settings.local_passwords, page.invitation.kind
    if kind == "reset" and not has_passwords:
        raise PasswordsOff
    page = replace(page, asks_password=has_passwords and kind != "sign-in")
    response = render_page(request, "join.html", page, status)
    response.headers.update(SHOWN_ONCE)
    return response
