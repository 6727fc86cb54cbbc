"""What every route needs: settings, a session, the person, the language; and the checks on form posts and rates."""

import base64
import hashlib
import hmac
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import Depends, Request
from sqlalchemy import Engine
from sqlmodel import Session
from starlette.background import BackgroundTask

from app import i18n
from app.config import Settings
from app.errors import CrossSite, SignInNeeded, TooMany
from app.i18n import Lang
from app.network.addresses import address_group, client_address, is_loopback
from app.people import tokens
from app.people.accounts import Who
from app.store.session import reading, writing
from app.web.authorization import bearer, who_of
from app.web.rates import Allowance
from app.web.services import services_of


# A dependency that waits for nothing is a coroutine, since FastAPI runs every other one in a thread, and the switch to
# it costs more than its work.
async def _settings(request: Request) -> Settings:
    return services_of(request).settings


async def _engine(request: Request) -> Engine:
    return services_of(request).engine


def _reading(request: Request) -> Iterator[Session]:
    with reading(services_of(request).engine) as session:
        yield session


async def _turn(request: Request) -> AsyncIterator[None]:
    async with services_of(request).turns.turn():
        yield


async def _place(request: Request) -> AsyncIterator[None]:
    places = services_of(request).places
    await places.take(request)
    try:
        yield
    finally:
        places.give_back()


def _writing(request: Request, _turn: Annotated[None, Depends(_turn, scope="function")]) -> Iterator[Session]:
    services = services_of(request)
    # The key is made when it is first asked for, which cannot wait for the end of a transaction of ours.
    services.key()
    with writing(services.engine) as session:
        yield session


def afterwards(request: Request, work: Callable[..., None], *words: Any) -> BackgroundTask:
    """Return a task that calls `work` when the answer is sent, in one of few threads of its own, so that slow work does
    not keep readers waiting.
    """
    return BackgroundTask(to_thread.run_sync, partial(work, *words), limiter=services_of(request).afterwards)


SettingsDep = Annotated[Settings, Depends(_settings)]
EngineDep = Annotated[Engine, Depends(_engine)]
# With scope="function" the transaction ends before the first byte of the answer, so a failed commit is answered with
# 503.
Reading = Annotated[Session, Depends(_reading, scope="function")]
# A request that writes waits for a turn first. A route names this dependency after the one that reads the body, so that
# nobody holds a turn while still sending.
Writing = Annotated[Session, Depends(_writing, scope="function")]
# A request that renders a text which nobody has reviewed waits for a place. The place is free again before the first
# byte of the answer is sent, so that a slow reader does not hold it.
RENDERING = Depends(_place, scope="function")


MaybeWho = Annotated[Who | None, Depends(who_of)]


async def _signed_in(who: MaybeWho) -> Who:
    if who is None:
        raise SignInNeeded
    return who


SignedIn = Annotated[Who, Depends(_signed_in)]


def base_url(request: Request) -> str:
    """Return the address people use, without a slash at the end: from the settings, else from the request."""
    return services_of(request).settings.base_url or str(request.base_url).rstrip("/")


def language(request: Request, given: Lang | None = None) -> Lang:
    """Return the language that a program gets: the one it named, else that of its Accept-Language header."""
    return given or i18n.negotiate(None, request.headers.get("accept-language", ""))


async def same_site(request: Request) -> None:
    """Refuse a form that another site sent.

    Browsers on plain http send no Sec-Fetch-Site, so the Origin (or Referer) is compared with the base URL and Host.
    A program that sends none of them has no cookies to abuse and is let through. Raises `CrossSite`.
    """
    fetched = request.headers.get("sec-fetch-site")
    if fetched in ("same-origin", "none"):
        return
    origin = request.headers.get("origin") or request.headers.get("referer")
    own = {urlsplit(base_url(request)).netloc, request.headers.get("host", "")}
    if (origin is None and fetched is None) or (origin is not None and urlsplit(origin).netloc in own):
        return
    raise CrossSite


def limit(request: Request, kind: str, rate: str, cost: int = 1) -> int:
    """Count so many requests of this kind from this caller, but none from loopback; return how many fit in one window.

    A caller is a token, else a group of addresses. The answer to the request tells what is left. Raises `TooMany` over
    the rate, and counts nothing then.
    """
    address = client_address(request)
    if is_loopback(address):
        return sys.maxsize
    token = bearer(request)
    # The token was looked up before, see `authorizer`: one that is unknown or expired never comes so far.
    known = token.startswith(tokens.PREFIX)
    caller = hashlib.sha256(token.encode()).hexdigest() if known else address_group(address)
    allowance, allowed = services_of(request).rates.count(kind, rate, caller, cost)
    request.state.allowance = allowance
    if not allowed:
        raise TooMany(seconds=allowance.opens)
    return allowance.quota


def token_maker(request: Request, who: Who | None) -> Callable[[str], str]:
    """Return what makes a token of a text for whoever sends this request: a person, else an address.

    It is the same for the same sender and text, and nobody can make it without the key. Raises `Unavailable`.
    """
    sender = f"person {who.id}" if who else f"address {address_group(client_address(request))}"
    key = services_of(request).key().encode()

    def make(about: str) -> str:
        made = hmac.new(key, f"submission\n{sender}\n{about}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(made[:24]).decode()

    return make


def told_allowance(request: Request) -> dict[str, str]:
    """Return the header fields that tell a caller what is left of a rate; none where the request was not counted."""
    allowance: Allowance | None = getattr(request.state, "allowance", None)
    return allowance.headers() if allowance else {}
