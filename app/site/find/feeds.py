"""What changed, as an Atom feed (RFC 4287)."""

import hashlib
import uuid
from datetime import UTC, datetime
from xml.etree.ElementTree import Element

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app import i18n
from app.content.names import Names
from app.i18n import Lang
from app.people.permissions import PROGRAM_READ
from app.site.find.xml import element, written
from app.site.frame.page import HTML_LANG, Language, getter, names_of, static
from app.web.dependencies import Reading, base_url
from app.wiki import changes
from app.wiki.changes import Change

program_router = APIRouter()
get = getter(program_router)
NEWEST = 50
ATOM = "http://www.w3.org/2005/Atom"
# The feed of an empty guide was never updated, but the format asks for a moment.
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
# The id of a feed's item is made of its own facts below this namespace, so that it stays the same when the site gets
# another address.
_NAMESPACE = uuid.UUID("5d3b8d2e-0d6e-4f0c-9b5a-6f1c2c7f3a10")


@get("/{lang}/changes.atom", PROGRAM_READ)
def feed(request: Request, lang: Language, session: Reading) -> Response:
    """Return the newest changes as a feed; a reader that has it already gets 304."""
    body = _feed(lang, base_url(request), changes.recent(session, NEWEST), names_of(request))
    mark = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": mark, "cache-control": "no-cache"}
    if mark in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/atom+xml; charset=utf-8", headers=headers)


def _feed(lang: Lang, base: str, found: list[Change], names: Names) -> bytes:
    root = Element("feed", {"xmlns": ATOM, "xml:lang": HTML_LANG[lang]})
    address = f"{base}/{lang}/changes"
    element(root, "id", f"{address}.atom")
    element(root, "title", i18n.text(lang, "find.feed-title"))
    element(root, "updated", (found[0].at if found else _NEVER).isoformat())
    element(root, "link", rel="self", type="application/atom+xml", href=f"{address}.atom")
    element(root, "link", rel="alternate", type="text/html", hreflang=HTML_LANG[lang], href=address)
    element(root, "icon", base + static("mark.svg"))
    for change in found:
        _entry(root, lang, base, change, names.name("projects", change.project, lang))
    return written(root)


def _entry(root: Element, lang: Lang, base: str, change: Change, project: str) -> None:
    entry = element(root, "entry")
    what = i18n.text(lang, f"find.what.{change.what}")
    element(entry, "id", _id(lang, change))
    element(entry, "title", f"{what}: {change.title(lang).replace('`', '')}", type="text")
    element(entry, "updated", change.at.isoformat())
    element(entry, "published", change.at.isoformat())
    writer = change.author or change.actor
    element(element(entry, "author"), "name", writer or project)
    if change.actor and change.actor != writer:
        element(element(entry, "contributor"), "name", change.actor)
    element(entry, "category", term=change.project, label=project)
    element(entry, "link", rel="alternate", type="text/html", href=_address(lang, base, change))
    element(entry, "summary", change.note or what, type="text")


def _id(lang: Lang, change: Change) -> str:
    return uuid.uuid5(_NAMESPACE, f"{lang} {change.slug} {change.number} {change.at.isoformat()}").urn


def _address(lang: Lang, base: str, change: Change) -> str:
    """Return where a change can be read; of what is withdrawn only the list of changes tells."""
    if not change.is_published:
        return f"{base}/{lang}/changes?before={change.id + 1}"
    if change.number == 1:
        return f"{base}/{lang}/e/{change.slug}"
    return f"{base}/{lang}/e/{change.slug}/history/{change.number}"
