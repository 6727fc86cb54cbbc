"""What the guide holds, by project, component and tag; each leads to the search that is narrowed to it."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.content.names import KIND_OF, Names
from app.content.search_terms import Facet
from app.finding.search_service import Filters
from app.i18n import Lang
from app.people.permissions import PAGE_READ
from app.site.find.search import address
from app.site.frame.page import Language, getter, names_of, render_page
from app.store import entries
from app.store.entries import Head
from app.store.session import reading
from app.web.services import services_of

router = APIRouter()
get = getter(router)
NEWEST = 5


@dataclass(frozen=True, slots=True)
class Shelf:
    """One value of a facet: its name, the number of entries, and the address of the search for them."""

    key: str
    name: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """Context of `browse.html`; `shelves` are by kind of facet, `total` is the number of entries.

    `newest` are those that changed last.
    """

    total: int
    shelves: tuple[tuple[Facet, tuple[Shelf, ...]], ...]
    newest: tuple[Head, ...]


@get("/{lang}/browse", PAGE_READ)
def browse(request: Request, lang: Language) -> HTMLResponse:
    """List projects, components and tags with the numbers of their entries."""
    counts = services_of(request).lookup.facets()
    total = sum(count for (kind, _), count in counts.items() if kind == "kind")
    shelves = tuple((kind, _shelves(names_of(request), lang, kind, counts)) for kind in KIND_OF)
    with reading(services_of(request).engine) as session:
        newest = tuple(entries.newest(session, NEWEST))
    return render_page(request, "browse.html", BrowsePage(total, tuple(pair for pair in shelves if pair[1]), newest))


def _shelves(names: Names, lang: Lang, kind: Facet, counts: dict[tuple[Facet, str], int]) -> tuple[Shelf, ...]:
    """Return the values of a facet: projects in their order, a team's own first, the others by how many entries they
    have.
    """
    named = KIND_OF[kind]
    known = list(names.names(named))
    found = [(key, count) for (one, key), count in counts.items() if one == kind]
    if kind == "project":
        found.sort(key=lambda item: (known.index(item[0]) if item[0] in known else len(known), item[0]))
    return tuple(
        Shelf(key, names.name(named, key, lang), count, address(lang, "", _only(kind, key))) for key, count in found
    )


def _only(kind: Facet, key: str) -> Filters:
    match kind:
        case "project":
            return Filters(project=key)
        case "component":
            return Filters(components=(key,))
        case "tag":
            return Filters(tags=(key,))
        case "kind":
            return Filters(kind=key)
