"""The links of a text to other entries, and those of them that lead nowhere."""

import re

from sqlmodel import Session

from app.content.schema import EntryDocument
from app.store import entries

_LINK = re.compile(r"errdex:([a-z0-9][a-z0-9-]{0,79}/[a-z0-9][a-z0-9-]{0,79})(?![a-z0-9/-])", re.IGNORECASE)
# So many links of a text are looked up, which is more than a good text has.
MOST = 100


def linked(document: EntryDocument) -> tuple[str, ...]:
    """Return the slugs that the texts of an entry link to, each once, in the order of the texts."""
    bodies = [text.body for text in (document.en, document.zh) if text is not None]
    found = (match[1].lower() for body in bodies for match in _LINK.finditer(body))
    return tuple(dict.fromkeys(found))[:MOST]


def dead_links(session: Session, document: EntryDocument) -> tuple[str, ...]:
    """Return the slugs that the texts of an entry link to although no published entry has or had them."""
    wanted = linked(document)
    if not wanted:
        return ()
    present = entries.present(session, wanted)
    return tuple(
        slug
        for slug in wanted
        if slug not in present and slug != document.slug and entries.moved_to(session, slug) is None
    )
