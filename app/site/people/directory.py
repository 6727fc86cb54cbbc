"""For admins: everybody who can sign in, and what can be done with each of them."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.errors import BadInput, LastAdmin, PasswordsOff
from app.people import members
from app.people.members import INVITED_ROLE
from app.people.permissions import ADMIN, ROLES
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.site.people.secret import SecretPage, show_once
from app.store import people
from app.store.columns import now
from app.store.people_tables import AccessToken, LoginSession, Person
from app.web.dependencies import Reading, SignedIn, Writing, base_url
from app.web.services import services_of

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Context of `people.html`; `chosen` is the role of the invite form, `problem` a text key.

    `has_passwords`: people can sign in with one, so somebody can be invited.
    """

    everyone: tuple[Person, ...]
    roles: tuple[str, ...]
    chosen: str
    problem: str
    left: str
    has_passwords: bool


@dataclass(frozen=True, slots=True)
class PersonPage:
    """Context of `person.html`; `problem` is the text key of what could not be done, empty when all is well.

    `has_given_role`: the identity provider gives the role at every sign-in. `is_known_there`: it knows the person.
    `has_passwords`: people can sign in with one here.
    """

    person: Person
    roles: tuple[str, ...]
    sessions: tuple[LoginSession, ...]
    tokens: tuple[AccessToken, ...]
    problem: str
    has_given_role: bool
    is_known_there: bool
    has_passwords: bool


@get("/{lang}/people", ADMIN)
def everybody(request: Request, lang: Language, session: Reading, left: str = "") -> HTMLResponse:
    """List everybody, with the form that invites somebody."""
    return _people(request, session, left=left if left.isdecimal() and len(left) < 11 else "")


@post("/{lang}/people", ADMIN)
def invite(request: Request, lang: Language, who: SignedIn, fields: FormFields, session: Writing) -> Response:
    """Make a link by which somebody becomes a member, and show it this once."""
    _need_passwords(request)
    role = fields.one("role")
    try:
        token = members.make_link(session, "invite", by=who.id, role=role)
    except BadInput as wrong:
        return _people(request, session, chosen=role, problem=wrong.fields["role"], status=wrong.status)
    return show_once(request, SecretPage("invite", _address(request, lang, token), f"/{lang}/people"))


@get("/{lang}/people/{number}", ADMIN)
def person(request: Request, lang: Language, number: int, session: Reading) -> HTMLResponse:
    """Show one person and what can be done."""
    return _person(request, session, members.member(session, number))


@post("/{lang}/people/{number}/role", ADMIN)
def change_role(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Give a person another role."""
    found = members.member(session, number)
    if _has_given_role(request, session, found):
        return _person(request, session, found, "people.role-given", 409)
    try:
        members.change_role(session, found, fields.one("role"), by=who.id)
    except BadInput as wrong:
        return _person(request, session, found, wrong.fields["role"], wrong.status)
    except LastAdmin as last:
        return _person(request, session, found, "people.last-admin", last.status)
    return RedirectResponse(f"/{lang}/people/{number}", 303)


@post("/{lang}/people/{number}/state", ADMIN)
def change_state(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Deactivate a person, or let them in again."""
    found = members.member(session, number)
    try:
        members.set_state(session, found, is_active=fields.one("state") == "active", by=who.id)
    except LastAdmin as last:
        return _person(request, session, found, "people.last-admin", last.status)
    return RedirectResponse(f"/{lang}/people/{number}", 303)


@post("/{lang}/people/{number}/reset", ADMIN)
def reset(
    *, request: Request, lang: Language, number: int, who: SignedIn, _fields: FormFields, session: Writing
) -> Response:
    """Make a link by which a person takes a new password, and show it this once."""
    _need_passwords(request)
    found = members.member(session, number)
    token = members.make_link(session, "reset", by=who.id, person=found)
    return show_once(request, SecretPage("reset", _address(request, lang, token), f"/{lang}/people/{number}"))


@post("/{lang}/people/{number}/sessions", ADMIN)
def end_sessions(lang: Language, number: int, who: SignedIn, _fields: FormFields, session: Writing) -> Response:
    """Sign a person out everywhere."""
    members.end_sessions(session, members.member(session, number), by=who.id)
    return RedirectResponse(f"/{lang}/people/{number}", 303)


@post("/{lang}/people/{number}/remove", ADMIN)
def remove(
    *, request: Request, lang: Language, number: int, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Erase who a person is, after their name was typed as a confirmation."""
    found = members.member(session, number)
    if fields.one("name") != found.name:
        return _person(request, session, found, "people.remove-unsure", 422)
    try:
        members.remove(session, found, by=who.id)
    except LastAdmin as last:
        return _person(request, session, found, "people.last-admin", last.status)
    return RedirectResponse(f"/{lang}/people?left={number}", 303)


def _address(request: Request, lang: str, token: str) -> str:
    return f"{base_url(request)}/{lang}/join/{token}"


def _people(
    request: Request,
    session: Session,
    *,
    chosen: str = INVITED_ROLE,
    problem: str = "",
    left: str = "",
    status: int = 200,
) -> HTMLResponse:
    page = PeoplePage(tuple(people.all_of_them(session)), ROLES, chosen, problem, left, _has_passwords(request))
    return render_page(request, "people.html", page, status)


def _has_passwords(request: Request) -> bool:
    return services_of(request).settings.local_passwords


def _need_passwords(request: Request) -> None:
    if not _has_passwords(request):
        raise PasswordsOff


def _is_known_there(request: Request, session: Session, found: Person) -> bool:
    return members.is_known_to(session, found, services_of(request).settings.oidc_issuer)


def _has_given_role(request: Request, session: Session, found: Person) -> bool:
    return bool(services_of(request).settings.oidc_group_roles) and _is_known_there(request, session, found)


def _person(request: Request, session: Session, found: Person, problem: str = "", status: int = 200) -> HTMLResponse:
    number = found.id or 0
    sessions, tokens = people.sessions_of(session, number, now()), people.tokens_of(session, number)
    page = PersonPage(
        person=found,
        roles=ROLES,
        sessions=tuple(sessions),
        tokens=tuple(tokens),
        problem=problem,
        has_given_role=_has_given_role(request, session, found),
        is_known_there=_is_known_there(request, session, found),
        has_passwords=_has_passwords(request),
    )
    return render_page(request, "person.html", page, status)
