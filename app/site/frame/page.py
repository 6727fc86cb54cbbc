"""What every page shares: its language and address, the template environment, and how a context becomes a response."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, cast
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import APIRouter, Depends, Request
from fastapi.params import Depends as DependsParam
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app import i18n
from app.config import DATA
from app.content.names import Names
from app.errors import NotFound
from app.i18n import Lang
from app.matching.ranking.holes import pieces
from app.people.accounts import Who
from app.people.permissions import RouteRule, requires
from app.store import submissions
from app.store.session import reading
from app.web import authorization, dependencies
from app.web.markdown import inline, markdown
from app.web.routes import told_path
from app.web.services import services_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

HTML_LANG = {"en": "en", "zh": "zh-Hans"}
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Page:
    """What the frame around a page knows: its language, its address below the language, and who looks at it.

    A stranger is shown the way to the form, and signs in on it where that is needed; where `may_read` is false, no way
    to what is in the guide. `waiting` is how many submissions wait for a reviewer, 0 for everybody else.
    """

    lang: Lang
    path: str
    query: str
    base: str
    who: Who | None
    may_submit: bool
    waiting: int = 0
    may_read: bool = True

    @property
    def other(self) -> Lang:
        """The other language."""
        return "en" if self.lang == "zh" else "zh"

    @property
    def html_lang(self) -> str:
        """The language as HTML writes it."""
        return HTML_LANG[self.lang]

    def url(self, path: str) -> str:
        """Return the address of a page in the language of this one; `path` begins with a slash."""
        return f"/{self.lang}{path}"

    def here(self, lang: Lang) -> str:
        """Return the address of this page in `lang`."""
        return f"/{lang}{self.path}{self.query}"

    def entry(self, slug: str) -> str:
        """Return the address of an entry in the language of this page."""
        return self.url(f"/e/{slug}")


async def language(request: Request) -> Lang:
    """Return the language that the address names. Raises `NotFound` for any other first part."""
    lang = i18n.known(request.path_params.get("lang"))
    if lang is None:
        raise NotFound(what=told_path(request.url.path))
    return lang


Language = Annotated[Lang, Depends(language)]


async def remember_who(request: Request, who: dependencies.MaybeWho) -> None:
    """Find the signed-in person, for the frame of the page; for a reviewer also what waits."""
    if who is not None and who.may_review:
        request.state.waiting = await to_thread.run_sync(_waiting, request)


def _waiting(request: Request) -> int:
    with reading(services_of(request).engine) as session:
        return submissions.waiting(session)


def limited(kind: str, setting: str) -> Callable[[Request, dependencies.SettingsDep], Awaitable[None]]:
    """Return a dependency that counts requests of this kind against the rate in `setting`."""

    async def count(request: Request, settings: dependencies.SettingsDep) -> None:
        dependencies.limit(request, kind, getattr(settings, setting))

    return count


def getter(router: APIRouter) -> Callable[..., Callable[..., Any]]:
    """Return a decorator for pages that are read.

    It takes the template of the address, the rule of who may open it, and FastAPI's `dependencies`.
    """
    return partial(_declare, router, ["GET"])


def poster(router: APIRouter) -> Callable[..., Callable[..., Any]]:
    """Return a decorator for forms; one that another site sent is refused.

    It takes the template of the address, the rule of who may send it, and functions that check the request before, or
    FastAPI's dependencies.
    """

    def post(path: str, rule: RouteRule, *checks: Any) -> Callable[..., Any]:
        before = [one if isinstance(one, DependsParam) else Depends(one) for one in (dependencies.same_site, *checks)]
        return _declare(router, ["POST"], path, rule, dependencies=before)

    return post


def _declare(
    router: APIRouter, methods: list[str], path: str, rule: RouteRule, dependencies: list[Any] | None = None
) -> Callable[..., Any]:
    declare = router.api_route(
        path, methods=methods, include_in_schema=False, response_model=None, dependencies=dependencies
    )
    return lambda endpoint: declare(requires(rule)(endpoint))


def same_page(number: int) -> str:
    """Return the query that leads back to a page of a list. Pages count from 0; the first one needs no query."""
    return f"?page={number}" if number > 0 else ""


def page_of(request: Request) -> Page:
    """Return the frame for a request; the language is that of the address, else of cookie and header."""
    named = i18n.known(request.url.path[1:].partition("/")[0])
    path = request.url.path[3:] if named else "/"
    lang = named or _preferred(request)
    query = urlencode(request.query_params.multi_items())
    who = getattr(request.state, "who", None)
    base, may_submit = dependencies.base_url(request), who is None or authorization.may_submit(request)
    waiting = getattr(request.state, "waiting", 0)
    may_read = authorization.may_read(request)
    return Page(lang, path or "/", f"?{query}" if query else "", base, who, may_submit, waiting, may_read)


def _preferred(request: Request) -> Lang:
    return i18n.negotiate(request.cookies.get(i18n.COOKIE), request.headers.get("accept-language", ""))


def render_page(request: Request, template: str, context: "DataclassInstance", status: int = 200) -> HTMLResponse:
    """Return the page that `template` makes of the fields of `context`."""
    page = page_of(request)
    values = {field.name: getattr(context, field.name) for field in fields(context)}
    html = environment().get_template(template).render(values, page=page, **_words(request, page.lang))
    response = HTMLResponse(html.encode("utf-8", "replace"), status, {"cache-control": "private, no-cache"})
    response.headers["content-language"] = page.html_lang
    if page.lang != _preferred(request):
        remember_language(response, page.lang)
    return response


def remember_language(response: Response, lang: Lang) -> None:
    """Set the cookie by which the browser gets this language next time."""
    response.set_cookie(i18n.COOKIE, lang, max_age=_YEAR, samesite="lax")


def names_of(request: Request) -> Names:
    """Return what things are called, the same for all of a request. Raises `Unavailable`."""
    if not hasattr(request.state, "names"):
        request.state.names = services_of(request).names.now()
    found: Names = request.state.names
    return found


def _words(request: Request, lang: Lang) -> dict[str, object]:
    return {
        "t": partial(i18n.text, lang),
        "has_text": i18n.has,
        "day": partial(i18n.day, lang),
        "ago": partial(i18n.ago, lang),
        "moment": partial(i18n.moment, lang),
        "clock": partial(i18n.clock, lang),
        "actor": partial(i18n.actor, lang),
        "number": partial(i18n.number, lang),
        # This stands between two sentences. A Chinese full stop is as wide as a character and needs no space after it.
        "gap": "" if lang == "zh" else " ",
        # Only a page that shows a name asks for them.
        "name": lambda kind, key: names_of(request).name(kind, key, lang),
    }


@cache
def environment() -> Environment:
    """Return the template environment: everything escaped, an unknown name is an error."""
    made = Environment(
        loader=FileSystemLoader(DATA / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = static
    made.globals["markdown"] = cast(Callable[..., Any], markdown)
    made.filters["inline"] = inline
    made.filters["pieces"] = pieces
    return made


@cache
def static(path: str) -> str:
    """Return the address of a static file, with a mark of its content so that browsers fetch it anew after a change."""
    mark = hashlib.sha256((DATA / "static" / path).read_bytes()).hexdigest()[:10]
    return f"/static/{path}?v={mark}"
