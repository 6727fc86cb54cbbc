"""Single sign-on: to the identity provider, and back with what it says.

The way there is a link and no form: the page's `form-action 'self'` holds for redirects after a form too.
"""

import hmac
import time
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from app.errors import NotFound, SignOnFailed, SignOnOver, SignOnUntrusted
from app.i18n import Lang
from app.logs import log
from app.people import sign_on
from app.people.identity_provider import BegunSignOn, IdentityProvider, ProvenIdentity
from app.people.permissions import OPEN
from app.people.sign_on import EntryTerms
from app.site.frame.page import Language, getter, limited, page_of, render_page
from app.site.frame.sign_in import enter, known_lang, local
from app.site.people.secret import SHOWN_ONCE
from app.web.dependencies import base_url
from app.web.routes import told_path
from app.web.services import services_of

router = APIRouter()
get = getter(router)
COOKIE, BACK = "errdex_sign_on", "/sign-on/back"
# characters of the address to come back to; a cookie has 4096 bytes, and this is encrypted and encoded in it
LONGEST_BACK = 1000
_LIMITED = [Depends(limited("sign-on", "rate_match"))]


@dataclass(frozen=True, slots=True)
class SignedOutPage:
    """Context of `signed_out.html`: what the provider is known as, and where people sign out of it, if known."""

    label: str
    address: str


def provider_of(request: Request) -> IdentityProvider:
    """Return the identity provider of the site. Raises `NotFound` when there is none."""
    found = services_of(request).identity_provider
    if found is None:
        raise NotFound(what=told_path(request.url.path))
    return found


@get("/{lang}/sign-on", OPEN, dependencies=_LIMITED)
async def begin(request: Request, lang: Language, next: str = "") -> Response:  # noqa: A002
    """Lead to the provider; the browser keeps what proves that it began."""
    provider, services = provider_of(request), services_of(request)
    goal = local(next) if len(next) <= LONGEST_BACK else ""
    try:
        address, begun = await provider.run(partial(provider.begin, base_url(request) + BACK, lang, goal))
    except SignOnFailed as failed:
        return _failed(failed, lang, goal)
    sealed = await run_in_threadpool(lambda: sign_on.seal(begun, services.key(), time.time()))
    response = RedirectResponse(address, 303, SHOWN_ONCE)
    response.set_cookie(
        COOKIE,
        sealed,
        max_age=sign_on.PATIENCE,
        path=BACK,
        httponly=True,
        samesite="lax",
        secure=services.settings.secure,
    )
    return response


@get(BACK, OPEN, dependencies=_LIMITED)
async def back(request: Request) -> Response:
    """Take what the provider sent, and let the person in or say why not."""
    provider = provider_of(request)
    lang, goal = page_of(request).lang, ""
    try:
        begun = await run_in_threadpool(_begun, request)
        lang, goal = known_lang(begun.lang, lang), local(begun.back)
        identity = await provider.run(
            partial(provider.finish, begun, base_url(request) + BACK, dict(request.query_params))
        )
        token = await run_in_threadpool(_let_in, request, identity)
        response = await enter(request, lang, token, goal)
    except SignOnUntrusted as failed:
        await run_in_threadpool(sign_on.note_failure, services_of(request).engine, None, failed)
        response = _failed(failed, lang, goal)
    except SignOnFailed as failed:
        response = _failed(failed, lang, goal)
    response.delete_cookie(COOKIE, path=BACK)
    response.headers.update(SHOWN_ONCE)
    return response


def _begun(request: Request) -> BegunSignOn:
    """Return what this browser began. Raises `SignOnOver` unless the answer is to that."""
    begun = sign_on.unseal(request.cookies.get(COOKIE, ""), services_of(request).key(), time.time())
    state = request.query_params.get("state", "")
    if not hmac.compare_digest(begun.state.encode(), state.encode("utf-8", "surrogatepass")):
        raise SignOnOver("the state is another one")
    return begun


def _let_in(request: Request, identity: ProvenIdentity) -> str:
    services = services_of(request)
    found = services.settings
    terms = EntryTerms(
        domains=found.oidc_domain_names,
        roles=found.oidc_group_roles,
        joins_by_email=found.oidc_join_by_email,
        days=found.session_days,
        key=services.key(),
        audit_days=found.audit_days,
    )
    return sign_on.enter(services.engine, identity, terms)


def _failed(failed: SignOnFailed, lang: Lang, goal: str) -> Response:
    """Lead to the page for signing in, which says what happened; no code of the provider stays in the address."""
    log.warning("sign-on failed", problem=failed.key, reason=failed.reason)
    return RedirectResponse(f"/{lang}/sign-in?{urlencode({'problem': failed.key, 'next': goal})}", 303)


@get("/{lang}/signed-out", OPEN, dependencies=_LIMITED)
async def signed_out(request: Request, lang: Language) -> Response:
    """Say that the session here has ended, and offer to end that of the provider."""
    provider = provider_of(request)
    try:
        address = await provider.run(provider.end_session_address)
    except SignOnFailed:
        address = ""
    page = SignedOutPage(services_of(request).settings.oidc_label, address)
    return await run_in_threadpool(render_page, request, "signed_out.html", page)
