"""What was typed into a form that could not be taken: given back, so that it can be sent again or copied."""

from dataclasses import dataclass

from fastapi import Request

from app import i18n
from app.content.schema import choices
from app.errors import CrossSite, ErrdexError
from app.i18n import Lang
from app.site.frame.forms import PASTE, Fields, read_fields
from app.site.frame.page import page_of
from app.web.dependencies import same_site
from app.web.services import services_of

# After an error with one of these statuses the same form can be sent again.
AGAIN = frozenset({401, 422, 429, 500, 503})
# The error page keeps a form of at most so many characters; for a longer one there is the browser's Back button.
MOST = 256 * 1024
_LABELS = {PASTE: "home.label", "reason": "review.reject-reason"}
_OTHER = "other_"
_OTHER_TEXT = "error-page.other-text"


@dataclass(frozen=True, slots=True)
class KeptField:
    """A field as it was sent; one without a label is sent along unseen."""

    name: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A form as it was sent, and where it goes."""

    action: str
    fields: tuple[KeptField, ...]


async def kept_form(request: Request, error: ErrdexError) -> Kept | None:
    """Return the form of a request that failed; None when it was none, is too long, or cannot be sent again.

    A password is never given back, nor what another site sent.
    """
    if request.method != "POST" or error.status not in AGAIN or await _is_foreign(request):
        return None
    fields = getattr(request.state, "fields", None) or await _read(request)
    if fields is None:
        return None
    items = fields.items()
    if any(name == "password" for name, _ in items) or sum(len(value) for _, value in items) > MOST:
        return None
    shown = tuple(KeptField(name, _label(page_of(request).lang, name, value), value) for name, value in items)
    return Kept(request.url.path, shown) if any(field.label for field in shown) else None


async def _is_foreign(request: Request) -> bool:
    try:
        await same_site(request)
    except CrossSite:
        return True
    return False


async def _read(request: Request) -> Fields | None:
    """Read a form that was refused before anybody read it."""
    length = request.headers.get("content-length", "")
    # A character can have four bytes, and percent-encoding makes three of each.
    if not length.isdigit() or int(length) > 12 * MOST:
        return None
    try:
        return await read_fields(request, services_of(request).settings)
    except (ErrdexError, RuntimeError):
        # The form is too large, or its body was read already.
        return None


def _label(lang: Lang, name: str, value: str) -> str:
    key = _LABELS.get(name, f"submit.field.{name.removeprefix(_OTHER)}")
    if not value.strip() or not i18n.has(key) or name in choices():
        return ""
    label = i18n.text(lang, key)
    return f"{label} ({i18n.text(lang, _OTHER_TEXT)})" if name.startswith(_OTHER) else label
