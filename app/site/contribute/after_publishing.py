"""What follows when a reviewer has published: the bundle is written, and the reviewer is led to the entry."""

from fastapi import Request
from fastapi.responses import RedirectResponse
from sqlmodel import Session

from app import sync
from app.i18n import Lang
from app.store import entries
from app.web import dependencies
from app.web.services import services_of


def led_to_entry(request: Request, lang: Lang, session: Session, slug: str) -> RedirectResponse:
    """Return the way to an entry that was published just now; one that was withdrawn has no page but its history."""
    row = entries.by_slug(session, slug)
    page = "" if row and row.status == "published" else "/history"
    engine, settings = services_of(request).engine, services_of(request).settings
    written = dependencies.afterwards(request, sync.write_out_later, engine, settings.mirror_folder, [slug])
    return RedirectResponse(f"/{lang}/e/{slug}{page}", 303, background=written)
