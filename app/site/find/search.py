"""Search: the page with its filters, and what is shown while somebody is typing."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from app import i18n
from app.content.names import KIND_OF, Names
from app.content.schema import EntryDocument
from app.content.search_terms import Facet, is_key
from app.finding.search_service import Filters, SearchResult
from app.i18n import Lang
from app.people.permissions import PAGE_READ, PROGRAM_READ
from app.site.find.hit_excerpt import HitShown, left_out, shown_hit, words_of
from app.site.frame.page import Language, getter, language, names_of, render_page
from app.store import entries
from app.store.search_box import Hit
from app.store.session import reading
from app.web.dependencies import base_url
from app.web.services import services_of

router = APIRouter()
# These routes are asked at every letter that is typed, and need not know who asks.
program_router = APIRouter()
get = getter(router)
get_typing = getter(program_router)

PAGE = 20
SUGGESTED = 8
LONGEST_QUERY = 2000
LONGEST_TYPED = 200
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A filter that is on, and the address without it."""

    kind: Facet
    name: str
    without: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter that can be switched on: its name, how many entries are left then, and the address."""

    name: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What was found: a page of it, its filters, and the address of the next page, empty on the last.

    `more` says that there are more than `total`, which then are the best of them. `left_out` are words that none of the
    entries on the page has.
    """

    q: str
    hits: tuple[HitShown, ...]
    left_out: tuple[str, ...]
    total: int
    more: bool
    chosen: tuple[Chosen, ...]
    choices: tuple[tuple[Facet, tuple[Choice, ...]], ...]
    next: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Context of `search.html`."""

    listing: Listing
    filters: Filters


@dataclass(frozen=True, slots=True)
class FoundPart:
    """Context of `found.html`, the part of the search page that follows what is typed."""

    listing: Listing


@dataclass(frozen=True, slots=True)
class SuggestionsPart:
    """Context of `suggestions.html`, the list below the search box; `whole` is the address of all that is found."""

    q: str
    hits: tuple[Hit, ...]
    whole: str


@get("/{lang}/search", PAGE_READ)
def search(request: Request, lang: Language) -> HTMLResponse:
    """List what words and filters find."""
    listing, filters = _listing(request, lang)
    return render_page(request, "search.html", SearchPage(listing, filters))


@get("/{lang}/search/found", PROGRAM_READ)
def found(request: Request, lang: Language) -> HTMLResponse:
    """Return the part of the search page below its form."""
    return render_page(request, "found.html", FoundPart(_listing(request, lang)[0]))


@get_typing("/{lang}/search/typing", PROGRAM_READ)
async def typing(request: Request) -> HTMLResponse:
    """Return suggestions for what is being typed."""
    return await to_thread.run_sync(_suggestions, request, await language(request))


@get_typing("/{lang}/suggest", PROGRAM_READ)
async def suggest(request: Request) -> JSONResponse:
    """Return suggestions for the address bar of a browser, in the form of the OpenSearch suggestions extension."""
    return await to_thread.run_sync(_completions, request, await language(request))


def _suggestions(request: Request, lang: Lang) -> HTMLResponse:
    q = _typed(request)
    hits = services_of(request).lookup.suggest(q, SUGGESTED)
    q = q.strip()
    return render_page(request, "suggestions.html", SuggestionsPart(q, hits, address(lang, q, Filters())))


def _completions(request: Request, lang: Lang) -> JSONResponse:
    base = base_url(request)
    q = _typed(request)
    hits = services_of(request).lookup.suggest(q, SUGGESTED)
    titles = [hit.title(lang).replace("`", "") for hit in hits]
    names = names_of(request)
    projects = [names.name("projects", hit.project, lang) for hit in hits]
    addresses = [f"{base}/{lang}/e/{hit.slug}" for hit in hits]
    return JSONResponse([q, titles, projects, addresses], media_type="application/x-suggestions+json")


def _typed(request: Request) -> str:
    return request.query_params.get("q", "").replace("\0", " ")[:LONGEST_TYPED]


def _listing(request: Request, lang: Lang) -> tuple[Listing, Filters]:
    q = request.query_params.get("q", "").replace("\0", " ").strip()[:LONGEST_QUERY]
    filters = _filters(request)
    found = services_of(request).lookup.search(q, filters, _number(request.query_params.get("after", "")), PAGE)
    documents, names = _documents(request, found.hits), names_of(request)
    words = words_of(q)
    listing = Listing(
        q=q,
        hits=tuple(shown_hit(hit, documents.get(hit.slug), words, lang) for hit in found.hits),
        left_out=left_out(list(documents.values()), words, q) if found.hits else (),
        total=found.total,
        more=found.more,
        chosen=tuple(
            Chosen(kind, _name(names, kind, key, lang), address(lang, q, _without(filters, kind, key)))
            for kind, key in filters.chosen()
        ),
        choices=_choices(names, lang, q, filters, found),
        next=address(lang, q, filters, found.next) if found.next else "",
    )
    return listing, filters


def _documents(request: Request, hits: Sequence[Hit]) -> dict[str, EntryDocument]:
    """Return the documents of what was found; those that went away a moment ago or cannot be read are left out."""
    with reading(services_of(request).engine) as session:
        rows = entries.documents_of(session, [hit.slug for hit in hits])
    found = {}
    for slug, row in rows.items():
        with suppress(ValueError):
            found[slug] = EntryDocument.model_validate_json(row)
    return found


def _filters(request: Request) -> Filters:
    """Return the filters of an address; a key that nothing can have is left out."""

    def keys(kind: str) -> list[str]:
        return list(dict.fromkeys(key for key in request.query_params.getlist(kind) if is_key(key)))[:8]

    return Filters(
        next(iter(keys("project")), ""), next(iter(keys("kind")), ""), tuple(keys("component")), tuple(keys("tag"))
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _choices(
    names: Names, lang: Lang, q: str, filters: Filters, found: SearchResult
) -> tuple[tuple[Facet, tuple[Choice, ...]], ...]:
    """Return the filters that would leave fewer entries, but some, by kind."""
    on = set(filters.chosen())
    groups: dict[Facet, list[Choice]] = {}
    for (kind, key), count in found.facets.items():
        if (kind, key) not in on and 0 < count < found.total:
            choice = Choice(_name(names, kind, key, lang), count, address(lang, q, _with(filters, kind, key)))
            groups.setdefault(kind, []).append(choice)
    return tuple((kind, tuple(choices)) for kind, choices in groups.items())


def _with(filters: Filters, kind: Facet, key: str) -> Filters:
    match kind:
        case "project":
            return replace(filters, project=key)
        case "kind":
            return replace(filters, kind=key)
        case "component":
            return replace(filters, components=(*filters.components, key))
        case "tag":
            return replace(filters, tags=(*filters.tags, key))


def _without(filters: Filters, kind: Facet, key: str) -> Filters:
    match kind:
        case "project":
            return replace(filters, project="")
        case "kind":
            return replace(filters, kind="")
        case "component":
            return replace(filters, components=tuple(one for one in filters.components if one != key))
        case "tag":
            return replace(filters, tags=tuple(one for one in filters.tags if one != key))


def _name(names: Names, kind: Facet, key: str, lang: Lang) -> str:
    if kind == "kind":
        return i18n.text(lang, f"entry.fact.kind-{key}") if i18n.has(f"entry.fact.kind-{key}") else key
    return names.name(KIND_OF[kind], key, lang)


def address(lang: Lang, q: str, filters: Filters, after: int = 0) -> str:
    """Return the address of a search."""
    asked = [("q", q), *filters.chosen(), ("after", str(after) if after else "")]
    query = urlencode([(kind, value) for kind, value in asked if value])
    return f"/{lang}/search?{query}" if query else f"/{lang}/search"
