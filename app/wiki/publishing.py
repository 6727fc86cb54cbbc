"""Publish and restore: how a document becomes the present state of an entry, and how it is found by its slugs."""

from sqlmodel import Session

from app.content.schema import SLUG, EntryDocument
from app.errors import Conflict, Moved, NotFound
from app.people import audit
from app.people.accounts import Who, reviewer
from app.store import entries, entry_index
from app.store.columns import now
from app.store.entry_tables import Entry, Revision

# A former slug is followed to the present one through at most so many renamings.
MOST_NAMES = 5


def published(session: Session, slug: str) -> tuple[Entry, EntryDocument]:
    """Return an entry and its document. Raises `NotFound` when there is none or it was withdrawn."""
    entry = entries.by_slug(session, slug)
    if entry is None or entry.status != "published":
        raise NotFound(what=slug)
    return entry, EntryDocument.model_validate_json(entry.document)


def present(session: Session, slug: str) -> tuple[Entry, EntryDocument]:
    """Return the entry that has this slug, or had it earlier, and its document. Raises `NotFound`."""
    if not SLUG.fullmatch(slug):
        raise NotFound(what=slug[:200])
    wanted = slug
    # The number of steps is bounded, since two withdrawn entries can each bear the other's earlier name.
    for _ in range(MOST_NAMES):
        try:
            return published(session, wanted)
        except NotFound:
            moved = entries.moved_to(session, wanted)
            if moved is None or moved == wanted:
                break
            wanted = moved
    raise NotFound(what=slug)


def named(session: Session, slug: str) -> tuple[Entry, EntryDocument]:
    """Return the entry that has this slug, and its document. Raises `Moved` when an entry had the slug earlier, else
    `NotFound`.
    """
    entry, document = present(session, slug)
    if entry.slug != slug:
        raise Moved(slug, entry.slug)
    return entry, document


def publish(
    session: Session,
    document: EntryDocument,
    *,
    actor: str,
    author: str = "",
    note: str = "",
    expected: int | None = None,
) -> int:
    """Make `document` the published state of its slug and return the revision number.

    `author` is the person who wrote it, where one is known. `expected` is the revision that the change was made from
    (0: new); None takes whatever is there now.
    Raises `Conflict` when the entry is at another revision. The same document again changes nothing.
    """
    entries.one_publisher(session)
    entry = entries.by_slug(session, document.slug)
    current = entry.revision if entry else 0
    if entry and entry.digest == document.digest():
        return current
    if expected is not None and expected != current:
        raise Conflict(what=document.slug)
    number = current + 1
    stored, head = entry_index.stored(document), {"revision": number, "changed": now()}
    if entry is None:
        entries.insert(session, [(stored, head)])
    elif entries.write(session, entry.id or 0, stored, current, head):
        session.expire(entry)
    else:
        raise Conflict(what=document.slug)
    session.add(
        Revision(
            slug=document.slug, number=number, digest=stored.digest, document=stored.columns["document"],
            actor=actor, note=note[:2000], author=author,
        )
    )  # fmt: skip
    entries.redirect(session, document.former, document.slug)
    return number


def restore(session: Session, slug: str, number: int, expected: int, who: Who, *, note: str = "") -> int:
    """Publish an earlier revision anew, its document unchanged, and return the number of the new revision.

    `expected` is the revision that the reviewer saw as the present one. Raises `Conflict` when somebody has published
    since, `Forbidden` when the person may not review, `NotFound` when there is no such revision.
    """
    reviewer(who)
    found = next(iter(entries.revisions(session, slug, 1, before=number + 1)), None)
    if found is None or found.number != number:
        raise NotFound(what=f"{slug} {number}")
    entry = entries.by_slug(session, slug)
    # For `publish` the same document again is no conflict, but here the note of somebody else would be taken for this
    # one.
    if entry is None or entry.revision != expected:
        raise Conflict(what=slug)
    document = EntryDocument.model_validate_json(found.document)
    restored = publish(session, document, actor=who.name, author=found.author, note=note.strip(), expected=expected)
    audit.record(session, "restored", who.id, ("entry", entry.id), before=str(expected), after=str(restored))
    return restored
