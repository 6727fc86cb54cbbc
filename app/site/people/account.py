"""Oneself: password, language, sessions, tokens."""

from dataclasses import dataclass, field
from functools import partial

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Engine
from sqlmodel import Session

from app import i18n
from app.errors import BadInput, PasswordsOff, WrongCredentials
from app.people import accounts, audit, members, tokens
from app.people.accounts import Who
from app.people.permissions import SELF
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, remember_language, render_page
from app.site.frame.sign_in import begin_session_of, sign_ins_of
from app.site.people.secret import SecretPage, show_once
from app.store import people
from app.store.columns import now, row_number
from app.store.people_tables import AccessToken, LoginSession, Person
from app.store.session import reading
from app.web.authorization import SESSION_COOKIE
from app.web.dependencies import EngineDep, Reading, SignedIn, Writing
from app.web.services import services_of

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class AccountPage:
    """Context of `account.html`.

    `here` is the digest of this browser's session. `typed` is what was typed into the form for a token;
    `problems` names what was wrong by field, as text keys. `done` names the text of what was just done. `has_password`:
    there is one to change.
    """

    person: Person
    sessions: tuple[LoginSession, ...]
    here: str
    tokens: tuple[AccessToken, ...]
    scopes: tuple[str, ...]
    days: int
    today: str
    has_password: bool
    typed: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    done: str = ""


DONE = ("password", "language", "sessions", "token")


@get("/{lang}/account", SELF)
def account(request: Request, lang: Language, who: SignedIn, session: Reading, done: str = "") -> HTMLResponse:
    """Show what one can change about oneself."""
    return _show(request, session, who, AccountChange(done=done if done in DONE else ""))


@dataclass(frozen=True, slots=True)
class AccountChange:
    """What became of a form of the page."""

    typed: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    done: str = ""
    status: int = 200


@post("/{lang}/account/password", SELF)
async def password(
    *, request: Request, lang: Language, who: SignedIn, fields: FormFields, engine: EngineDep
) -> Response:
    """Change the password; every session ends, and this browser gets a new one."""
    if not services_of(request).settings.local_passwords:
        raise PasswordsOff
    work = partial(accounts.change_password, engine, who, fields.raw("old_password"), fields.raw("password"))
    try:
        await sign_ins_of(request).run_alone(work)
    except (BadInput, WrongCredentials) as wrong:
        is_old = isinstance(wrong, WrongCredentials)
        problems = {"old_password" if is_old else "password": "account.old-wrong" if is_old else "join.password-wrong"}
        return await run_in_threadpool(_again, request, engine, who, problems)
    return await begin_session_of(request, RedirectResponse(f"/{lang}/account?done=password", 303), who.id)


def _again(request: Request, engine: Engine, who: Who, problems: dict[str, str]) -> Response:
    with reading(engine) as session:
        return _show(request, session, who, AccountChange(problems=problems, status=422))


@post("/{lang}/account/language", SELF)
def language(lang: Language, who: SignedIn, fields: FormFields, session: Writing) -> Response:
    """Choose the language in which one is greeted after signing in."""
    chosen = i18n.known(fields.one("language"))
    person = members.member(session, who.id)
    person.language = chosen or ""
    session.add(person)
    audit.record(session, "language", who.id, ("person", who.id), after=chosen or "")
    response = RedirectResponse(f"/{chosen or lang}/account?done=language", 303)
    if chosen:
        remember_language(response, chosen)
    return response


@post("/{lang}/account/sessions", SELF)
def end_sessions(request: Request, lang: Language, who: SignedIn, fields: FormFields, session: Writing) -> Response:
    """End one session, or all others."""
    here = _here(request)
    if chosen := fields.one("session"):
        people.forget_one_of(session, who.id, chosen)
    else:
        people.forget_others(session, who.id, here)
    audit.record(session, "sessions-ended", who.id, ("person", who.id))
    return RedirectResponse(f"/{lang}/account?done=sessions", 303)


@post("/{lang}/account/tokens", SELF)
def add_token(request: Request, lang: Language, who: SignedIn, fields: FormFields, session: Writing) -> Response:
    """Make a token, and show it this once."""
    typed = {name: fields.one(name) for name in ("name", "scope", "days")}
    days = int(typed["days"]) if typed["days"].isdecimal() and len(typed["days"]) < 5 else 0
    person = members.member(session, who.id)
    try:
        _, text = tokens.add(session, person, typed["name"], typed["scope"], days, by=who.id)
    except BadInput as wrong:
        return _show(request, session, who, AccountChange(typed, wrong.fields, status=wrong.status))
    return show_once(request, SecretPage("token", text, f"/{lang}/account#tokens"))


@post("/{lang}/account/tokens/{number}/revoke", SELF)
def revoke_token(lang: Language, number: int, who: SignedIn, _fields: FormFields, session: Writing) -> Response:
    """Revoke a token, or take one that is revoked already out of the list."""
    tokens.revoke(session, who.id, row_number(number), by=who.id)
    return RedirectResponse(f"/{lang}/account?done=token#tokens", 303)


def _here(request: Request) -> str:
    return accounts.digest(request.cookies.get(SESSION_COOKIE, ""), services_of(request).key())


def _show(request: Request, session: Session, who: Who, change: AccountChange) -> HTMLResponse:
    at = now()
    person = members.member(session, who.id)
    page = AccountPage(
        person=person,
        sessions=tuple(people.sessions_of(session, who.id, at)),
        here=_here(request),
        tokens=tuple(people.tokens_of(session, who.id)),
        scopes=tuple(tokens.scopes_of(who.role)),
        days=tokens.DAYS,
        today=at.isoformat(),
        has_password=bool(person.password) and services_of(request).settings.local_passwords,
        typed=change.typed,
        problems=change.problems,
        done=change.done,
    )
    return render_page(request, "account.html", page, change.status)
