"""Who calls, and whether they may: the one place where each request is held against the rule of its route.

Whether a person may do a thing inside a page is asked by `Who.may`.
"""

import hmac
from collections.abc import Awaitable, Callable
from contextlib import suppress

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import MutableHeaders

from app.config import Settings
from app.errors import Forbidden, SignInNeeded, Unavailable
from app.people import accounts, permissions, tokens
from app.people.accounts import Who
from app.people.permissions import ADMIN, METRICS, READING, SUBMITTING, Least, Policy, RouteRule
from app.store.columns import now
from app.store.session import reading, writing
from app.web.middleware import STATIC, App, Message, Receive, Scope, Send
from app.web.services import services_of

SESSION_COOKIE = "errdex_session"
BEARER = "bearer "
PRIVATE = "private, no-cache"
# Health checks tell nothing about anybody, and static files are the same for everybody, so any cache may keep them.
_SHARED = (STATIC, "/healthz", "/readyz")


def policy_of(settings: Settings) -> Policy:
    """Return what the settings say about who may read and who may submit."""
    return Policy(settings.reading == "open", settings.submitting == "anyone")


def authorizer(settings: Settings) -> Callable[[Request], Awaitable[None]]:
    """Return the dependency of every route that refuses callers who may not call it.

    It raises `SignInNeeded` for somebody unknown, `Forbidden` for somebody whose role may not.
    """
    policy = policy_of(settings)
    metrics_token = settings.metrics_token.get_secret_value()

    async def authorize(request: Request) -> None:
        # `create_app` refuses a route without a rule; one that is added to the application later is an admin's.
        rule = permissions.rule_of(request.scope.get("endpoint")) or ADMIN
        request.state.rule = rule
        least = policy.least(rule)
        if rule.least == METRICS and metrics_token:
            if _is_token(request, metrics_token):
                return
            least = "admin"
        # Whoever sends a token that is expired, revoked or unknown is told so even where no token is needed.
        if least is None and not bearer(request).startswith(tokens.PREFIX):
            return
        who = await who_of(request)
        if least is None:
            return
        if who is None:
            raise SignInNeeded
        if not who.is_at_least(least) or (rule.needs_session and who.is_token):
            raise Forbidden

    return authorize


def _is_token(request: Request, token: str) -> bool:
    return hmac.compare_digest(bearer(request).encode(), token.encode())


def bearer(request: Request) -> str:
    """Return the token of an `Authorization: Bearer` field; empty when there is none."""
    field = request.headers.get("authorization", "")
    return field[len(BEARER) :].strip() if field[: len(BEARER)].lower() == BEARER else ""


async def who_of(request: Request) -> Who | None:
    """Return the person who calls, or None. They are looked up once for each request; a token counts before a session.

    Raises `TokenRefused` and its kin. A bearer value that is no token of ours is ignored: it is meant for a proxy.
    """
    if not hasattr(request.state, "who"):
        token, cookie = bearer(request), request.cookies.get(SESSION_COOKIE)
        if token.startswith(tokens.PREFIX):
            request.state.who = await run_in_threadpool(_token_owner, request, token)
        else:
            request.state.who = await run_in_threadpool(_owner, request, cookie) if cookie else None
    found: Who | None = request.state.who
    return found


def _owner(request: Request, token: str) -> Who | None:
    with reading(services_of(request).engine) as session:
        return accounts.who(session, token, services_of(request).key())


def _token_owner(request: Request, token: str) -> Who:
    engine, at = services_of(request).engine, now()
    with reading(engine) as session:
        who, first_today = tokens.owner(session, token, at)
    if first_today is not None:
        # A database that cannot be written to just now must not keep a reader out.
        with suppress(Unavailable, SQLAlchemyError), writing(engine) as session:
            tokens.note_use(session, first_today, at)
    return who


def rule_of(request: Request) -> RouteRule | None:
    """Return the rule that a request was held against; None when no route takes it."""
    found: RouteRule | None = getattr(request.state, "rule", None)
    return found


def may_read(request: Request) -> bool:
    """Tell whether the content may be shown in an answer, as far as it is known who calls."""
    return _may(request, READING)


def may_submit(request: Request) -> bool:
    """Tell whether the caller may propose entries, as far as it is known who calls."""
    return _may(request, SUBMITTING)


def _may(request: Request, what: Least) -> bool:
    least = policy_of(services_of(request).settings).least(RouteRule(what))
    who: Who | None = getattr(request.state, "who", None)
    return least is None or bool(who and who.is_at_least(least))


class PrivateAnswers:
    """Tells caches to keep no answer for others, for a guide that only members may read. An answer that is `no-store`
    stays so.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"].startswith(_SHARED):
            return await self.app(scope, receive, send)

        async def private(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                if "no-store" not in headers.get("cache-control", ""):
                    headers["cache-control"] = PRIVATE
            await send(message)

        return await self.app(scope, receive, private)
