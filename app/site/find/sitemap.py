"""For crawlers: where they may go, and the addresses of all entries in both languages."""

from collections.abc import Iterator, Sequence
from typing import Annotated
from xml.sax.saxutils import escape

from fastapi import APIRouter, Path, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from sqlalchemy import Engine
from sqlmodel import Session

from app.errors import NotFound
from app.i18n import LANGS
from app.people.permissions import OPEN, PROGRAM_READ
from app.site.frame.page import HTML_LANG, getter
from app.store import entries
from app.store.entries import Dated
from app.store.session import reading
from app.web.dependencies import EngineDep, Reading, SettingsDep, base_url

program_router = APIRouter()
get = getter(program_router)

# The format allows so many addresses in one file.
MOST_ADDRESSES = 50_000
# Each entry has an address in every language, and a thousand places stay free for the pages of projects.
ENTRIES_A_FILE = MOST_ADDRESSES // len(LANGS) - 1_000
_BATCH = 1_000
_KEPT_OUT = ("s/", "review", "sign-in", "submit", "search", "suggest", "match")
_XML = "application/xml"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


@get("/robots.txt", OPEN)
def robots(request: Request, settings: SettingsDep) -> PlainTextResponse:
    """Tell crawlers to stay away from forms, queues and searches, and where the addresses are.

    Where only members read, they are to stay away from everything.
    """
    if settings.reading == "members":
        return PlainTextResponse("User-agent: *\nDisallow: /\n")
    kept_out = [f"/{lang}/{place}" for lang in LANGS for place in _KEPT_OUT]
    lines = ["User-agent: *", *(f"Disallow: {place}" for place in kept_out), "Disallow: /api/", "Allow: /", ""]
    lines += [f"Sitemap: {base_url(request)}/sitemap.xml", ""]
    return PlainTextResponse("\n".join(lines))


@get("/sitemap.xml", PROGRAM_READ)
def sitemap(request: Request, session: Reading, engine: EngineDep) -> Response:
    """Return the addresses of all entries, or an index of the files that have them."""
    files = -(-entries.total(session) // ENTRIES_A_FILE)
    base = base_url(request)
    if files <= 1:
        return StreamingResponse(_addresses(engine, base, 0, _places(session)), media_type=_XML)
    parts = "".join(f"<sitemap><loc>{escape(base)}/sitemap-{n}.xml</loc></sitemap>\n" for n in range(1, files + 1))
    return Response(f'{_DECLARATION}<sitemapindex xmlns="{_SITEMAP}">\n{parts}</sitemapindex>\n', media_type=_XML)


@get("/sitemap-{number}.xml", PROGRAM_READ)
def part(
    request: Request, session: Reading, engine: EngineDep, number: Annotated[int, Path(ge=1, le=10_000)]
) -> Response:
    """Return one file of a sitemap that has several."""
    first = (number - 1) * ENTRIES_A_FILE
    if first >= max(entries.total(session), 1):
        raise NotFound(what=request.url.path[:200])
    places = () if first else _places(session)
    return StreamingResponse(_addresses(engine, base_url(request), first, places), media_type=_XML)


def _places(session: Session) -> tuple[str, ...]:
    """Return the pages beside those of the entries."""
    return ("", "browse", "changes", *(f"p/{project}" for project in entries.counts(session)))


def _addresses(engine: Engine, base: str, first: int, places: Sequence[str]) -> Iterator[str]:
    yield f'{_DECLARATION}<urlset xmlns="{_SITEMAP}" xmlns:xhtml="{_XHTML}">\n'
    yield "".join(_in_every_language(base, place, "") for place in places)
    # Each piece that is yielded goes through a thread, so entries are sent by the batch.
    for rows in _dated(engine, first):
        yield "".join(_in_every_language(base, f"e/{row.slug}", row.changed.isoformat()) for row in rows)
    yield "</urlset>\n"


def _dated(engine: Engine, first: int) -> Iterator[Sequence[Dated]]:
    """Yield the entries of one file, a batch from each transaction, so that a slow reader keeps no transaction open."""
    after, left = "", ENTRIES_A_FILE
    skip = first
    while left > 0:
        with reading(engine) as session:
            rows = entries.dated(session, after, min(_BATCH, left), skip)
        yield rows
        if len(rows) < min(_BATCH, left):
            return
        after, left, skip = rows[-1].slug, left - len(rows), 0


def _in_every_language(base: str, place: str, changed: str) -> str:
    other = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{escape(base)}/{lang}/{place}"/>'
        for code, lang in (*((HTML_LANG[lang], lang) for lang in LANGS), ("x-default", "en"))
    )
    date = f"<lastmod>{changed}</lastmod>" if changed else ""
    return "".join(f"<url><loc>{escape(base)}/{lang}/{place}</loc>{date}{other}</url>\n" for lang in LANGS)
