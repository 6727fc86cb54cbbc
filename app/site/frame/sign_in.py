"""Signing in and out."""

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response
from sqlalchemy import Engine

from app import i18n
from app.config import Settings
from app.errors import PasswordsOff, SignOnFailed, TooMany, WrongCredentials
from app.i18n import Lang
from app.network.addresses import address_group, client_address
from app.people import accounts, audit, members
from app.people.permissions import OPEN
from app.people.sign_in import Attempt, SignIns
from app.site.frame.errors import minutes_to_wait
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, remember_language, render_page
from app.store import people
from app.store.session import writing
from app.web.authorization import SESSION_COOKIE, policy_of
from app.web.dependencies import MaybeWho, SettingsDep, Writing
from app.web.services import services_of

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class SignInPage:
    """Context of `sign_in.html`; `next` is where to go afterwards, `wrong` says that the last try failed.

    `refused` names the texts for a try that was not made, and is empty otherwise; `seconds` is then the time to wait,
    `minutes` the same when it is long, else 0. `readers` names the text that says who needs an account. `has_passwords`
    and `has_provider` say which ways in there are, `label` what the provider is known as.
    """

    typed_name: str
    next: str
    wrong: bool = False
    refused: str = ""
    seconds: int = 0
    minutes: int = 0
    readers: str = "open"
    has_passwords: bool = True
    has_provider: bool = False
    label: str = ""


# what can be told on the page after a way to the provider and back, with its status
_KINDS: tuple[type[SignOnFailed], ...] = (SignOnFailed, *SignOnFailed.__subclasses__())
PROBLEMS = {kind.key: kind.status for kind in _KINDS}


def sign_ins_of(request: Request) -> SignIns:
    """Return where passwords of the application are worked on."""
    return services_of(request).sign_ins


def begin_session(response: Response, settings: Settings, token: str) -> Response:
    """Give a browser the cookie of a session."""
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=settings.session_days * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=settings.secure,
    )
    return response


async def begin_session_of(request: Request, response: Response, person: int) -> Response:
    """Open a session for a person, and give the browser its cookie."""
    services = services_of(request)

    def opened() -> str:
        with writing(services.engine) as session:
            return accounts.open_session(session, person, services.settings.session_days, services.key())

    return begin_session(response, services.settings, await run_in_threadpool(opened))


async def _sign_ins(request: Request) -> SignIns:
    return sign_ins_of(request)


@get("/{lang}/sign-in", OPEN)
def sign_in_form(request: Request, lang: Language, next: str = "", problem: str = "") -> Response:  # noqa: A002
    """Show the ways to sign in, and what went wrong at the provider where something did."""
    refused = problem if problem in PROBLEMS else ""
    return _shown(request, SignInPage("", local(next), refused=refused), PROBLEMS.get(problem, 200))


@post("/{lang}/sign-in", OPEN)
async def sign_in(
    *,
    request: Request,
    lang: Language,
    fields: FormFields,
    sign_ins: Annotated[SignIns, Depends(_sign_ins)],
    settings: SettingsDep,
) -> Response:
    """Open a session for a name and password."""
    name, back = fields.one("name"), local(fields.one("next"))
    if not settings.local_passwords:
        return _shown(request, SignInPage(name, back, refused=PasswordsOff.key), PasswordsOff.status)
    group = address_group(client_address(request))
    try:
        token = await sign_ins.sign_in(Attempt(name, fields.raw("password"), group))
    except WrongCredentials as wrong:
        return _shown(request, SignInPage(name, back, wrong=True), wrong.status)
    except TooMany as refused:
        return _refused(request, SignInPage(name, back), refused)
    return await enter(request, lang, token, back)


async def enter(request: Request, lang: Lang, token: str, back: str = "") -> Response:
    """Lead somebody whose session has this token to `back`, or where they begin; the browser's earlier session ends."""
    services = services_of(request)
    tokens = (request.cookies.get(SESSION_COOKIE, ""), token)
    first, own = await run_in_threadpool(_begin, services.engine, tokens, services.key(), lang)
    response = RedirectResponse(back or first, 303)
    if own:
        remember_language(response, own)
    return begin_session(response, services.settings, token)


def known_lang(name: str, otherwise: Lang) -> Lang:
    """Return a language of the site by its name, or the other one where it is none."""
    return i18n.known(name) or otherwise


def _shown(request: Request, page: SignInPage, status: int = 200) -> Response:
    settings = services_of(request).settings
    policy = policy_of(settings)
    page = replace(
        page,
        readers="members" if not policy.is_reading_open else "open" if policy.is_submitting_open else "writers",
        has_passwords=settings.local_passwords,
        has_provider=bool(settings.oidc_issuer),
        label=settings.oidc_label,
    )
    return render_page(request, "sign_in.html", page, status)


def _begin(engine: Engine, tokens: tuple[str, str], key: str, lang: Lang) -> tuple[str, Lang | None]:
    """End the session that the browser had before; return where a person begins, and the language that they chose."""
    earlier, token = tokens
    with writing(engine) as session:
        if earlier:
            accounts.sign_out(session, earlier, key)
        who = accounts.who(session, token, key)
        person = people.by_number(session, who.id) if who else None
    own = i18n.known(person.language) if person else None
    return f"/{own or lang}/review" if who and who.may_review else f"/{own or lang}/", own


def _refused(request: Request, page: SignInPage, error: TooMany) -> Response:
    seconds = int(error.params["seconds"])
    page = replace(page, refused=error.key, seconds=seconds, minutes=minutes_to_wait(seconds))
    response = _shown(request, page, error.status)
    response.headers["retry-after"] = str(seconds)
    return response


@post("/{lang}/sign-out", OPEN)
def sign_out(request: Request, lang: Language, session: Writing, settings: SettingsDep, who: MaybeWho) -> Response:
    """End the session of this browser."""
    accounts.sign_out(session, request.cookies.get(SESSION_COOKIE, ""), services_of(request).key())
    goal = f"/{lang}/"
    if who:
        audit.record(session, "sign-out", who.id, ("person", who.id))
        if members.is_known_to(session, members.member(session, who.id), settings.oidc_issuer):
            goal = f"/{lang}/signed-out"
    response = RedirectResponse(goal, 303)
    response.delete_cookie(SESSION_COOKIE)
    # The Back button then asks the server again and is refused. Browsers heed this header over https only.
    if settings.secure or request.url.scheme == "https":
        response.headers["clear-site-data"] = '"cache"'
    return response


def local(target: str) -> str:
    """Return `target` when it is a page of this site, else an empty string."""
    inside = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if inside and target.isprintable() else ""
