"""The application: routers, error handlers, lifespan; nothing else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial

from anyio import CapacityLimiter
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app import __version__, api, site
from app.asking.ask import AnswerService
from app.asking.deadline import TimedQuestions
from app.asking.unanswered_counter import UnansweredCounter
from app.config import DATA, Settings
from app.errors import (
    BadInput,
    ErrdexError,
    Forbidden,
    MalformedBody,
    MethodNotAllowed,
    Moved,
    NotFound,
    RefusedByFramework,
    SignInNeeded,
    TokenRefused,
    Unavailable,
    UnknownVersion,
)
from app.finding.search_service import Lookup
from app.logs import described, log
from app.mcp.http import PATH, AgentDoor
from app.people import accounts
from app.people.identity_provider import ClientTerms, IdentityProvider
from app.people.sign_in import SignIns, Terms
from app.store.engine import SERVER_CACHE_MIB, connect, need_database
from app.store.errors import UnreachableDatabase
from app.store.team_names import TeamNames
from app.web import metrics
from app.web.authorization import PrivateAnswers, authorizer, rule_of
from app.web.cors import OtherSites
from app.web.middleware import HEADERS, BodyLimit, Compressed, HeadAsGet, KnownHosts, SecurityHeaders
from app.web.rates import Rates
from app.web.render_places import Places
from app.web.routes import route_rules, told_path
from app.web.services import Services
from app.web.static_files import Static
from app.web.writing_turns import Turns

# A request that writes waits for its turn for this part of its time, and then for a lock of another program.
TURN_SHARE, LOCK_SHARE = 0.5, 0.25
# So many threads do the work that is left when an answer has been sent.
AFTERWARDS = 2
# Other servers log this status for a client that went away before it had sent everything.
CLOSED_REQUEST = 499


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application for these settings (default: from the environment).

    The database must exist and be migrated; `errdex serve` sees to it. Raises `NoDatabase` at start-up otherwise. One
    that cannot be reached or read just then does not end it: requests are answered with 503 until it can.
    """
    settings = settings or Settings()
    services = _services(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        try:
            need_database(settings, services.engine)
            services.key()
            services.counter.forget()
        except (UnreachableDatabase, Unavailable) as error:
            # A worker that starts while the database is away must not take the whole server with it.
            _note(error)
        async with agents.opened():
            yield
        app.state.services.close()

    authorize = authorizer(settings)
    app = FastAPI(
        title="Errdex",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(authorize)],
    )
    app.state.services = services
    agents = AgentDoor(app, settings.max_paste, authorize)
    app.add_middleware(BodyLimit, limit=settings.max_paste, held=settings.max_held)
    app.add_middleware(KnownHosts, names=settings.host_names, base_url=settings.base_url, answer=_answer)
    if settings.reading == "members":
        app.add_middleware(PrivateAnswers)
    if settings.origins:
        app.add_middleware(OtherSites, origins=settings.origins)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Compressed)
    app.add_middleware(HeadAsGet)
    app.mount("/static", Static(directory=DATA / "static"), name="static")
    api.include(app)
    app.include_router(site.router)
    app.router.routes.append(agents.route)
    route_rules(app)
    _handle_errors(app)
    return app


def _services(settings: Settings) -> Services:
    engine = connect(settings, settings.request_seconds * LOCK_SHARE, SERVER_CACHE_MIB)
    if engine.dialect.name == "postgresql":
        # It imports psycopg, which SQLite has no need of.
        from app.store.postgresql import limit_statements

        limit_statements(engine, settings.request_seconds)
    key = cache(partial(accounts.signing_key, engine, settings.secret_key.get_secret_value()))
    lookup = Lookup(engine)
    names = TeamNames(engine)
    questions = TimedQuestions(engine, settings.request_seconds, settings.remembered, lookup, names)
    counter = UnansweredCounter(engine, key)
    return Services(
        settings=settings,
        engine=engine,
        key=key,
        sign_ins=SignIns(engine, lambda: Terms(settings.rate_login, settings.session_days, key(), settings.audit_days)),
        identity_provider=_identity_provider(settings),
        counter=counter,
        questions=questions,
        answers=AnswerService(questions, counter if settings.wanted else None, metrics.answered),
        lookup=lookup,
        names=names,
        afterwards=CapacityLimiter(AFTERWARDS),
        turns=Turns(engine, settings.request_seconds * TURN_SHARE),
        places=Places(),
        rates=Rates(settings.workers),
    )


def _identity_provider(settings: Settings) -> IdentityProvider | None:
    if not settings.oidc_issuer:
        return None
    terms = ClientTerms(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_secret,
        settings.oidc_scopes,
        settings.oidc_groups_claim,
    )
    return IdentityProvider(terms)


async def _answer(request: Request, error: ErrdexError) -> Response:
    rule = rule_of(request)
    is_refused = isinstance(error, SignInNeeded | Forbidden | TokenRefused)
    is_problem = _is_api(request) or (is_refused and rule is not None and rule.is_for_programs)
    response = api.error_response(request, error) if is_problem else await site.error_response(request, error)
    response.headers.update(error.headers)
    return response


def _is_api(request: Request) -> bool:
    return request.url.path.startswith(("/api/", PATH, "/healthz", "/readyz", "/metrics", "/openapi.json"))


def _handle_errors(app: FastAPI) -> None:
    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, ErrdexError)
        _note(error)
        return await _answer(request, error)

    async def moved(request: Request, error: Exception) -> Response:
        assert isinstance(error, Moved)
        return api.moved_response(request, error) if _is_api(request) else site.moved_response(request, error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return await _answer(request, _from_validation(error))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.method == "OPTIONS" and error.status_code == 405 and _is_api(request):
            return _allowed(error)
        response = await _answer(request, _from_http(request, error))
        response.headers.update(error.headers or {})
        return response

    async def unavailable(request: Request, error: Exception) -> Response:
        _note(error)
        return await _answer(request, Unavailable())

    async def internal(request: Request, _error: Exception) -> Response:
        response = await _answer(request, ErrdexError())
        # This answer is sent from outside the middleware, so its headers are set here.
        response.headers.update(HEADERS)
        return response

    async def gone(_request: Request, _error: Exception) -> Response:
        # Nobody reads this answer; its status is for the log.
        return Response(status_code=CLOSED_REQUEST)

    app.add_exception_handler(ErrdexError, ours)
    app.add_exception_handler(Moved, moved)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(OperationalError, unavailable)
    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(Exception, internal)


def _allowed(error: HTTPException) -> Response:
    """Answer OPTIONS with the methods of an address (RFC 9110, section 9.3.7)."""
    methods = {name.strip() for name in (error.headers or {}).get("Allow", "").split(",")} - {""} | {"OPTIONS"}
    if "GET" in methods:
        methods.add("HEAD")
    return Response(status_code=204, headers={"allow": ", ".join(sorted(methods))})


def _note(error: Exception) -> None:
    if not isinstance(error, ErrdexError) or error.status >= 500:
        log.warning("unavailable", error=described(error))


def _from_http(request: Request, error: HTTPException) -> ErrdexError:
    if error.status_code == 404:
        if api.is_unknown_version(request.url.path):
            return UnknownVersion(asked=request.url.path[:200], known=api.VERSIONS)
        return NotFound(what=told_path(request.url.path))
    if error.status_code == 405:
        return MethodNotAllowed()
    return RefusedByFramework(error.status_code, str(error.detail))


def _from_validation(error: RequestValidationError) -> ErrdexError:
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        return MalformedBody(detail="the body is not valid JSON: " + str(problems[0].get("ctx", {}).get("error", "")))
    fields = {".".join(str(part) for part in problem["loc"][1:]) or "body": problem["msg"] for problem in problems}
    return BadInput(detail="; ".join(f"{name}: {what}" for name, what in fields.items())[:2000], fields=fields)
