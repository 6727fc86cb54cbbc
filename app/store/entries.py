"""Queries on entries, revisions and redirects."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy import insert as insert_rows
from sqlmodel import Session, col

from app.i18n import in_language
from app.store import postings
from app.store.bulk import insert_many
from app.store.entry_index import StoredEntry
from app.store.entry_tables import Entry, Posting, Redirect, Revision, Term
from app.store.session import alone_in


@dataclass(frozen=True, slots=True)
class Head:
    """What a list shows of an entry."""

    slug: str
    project: str
    kind: str
    title_en: str
    title_zh: str
    revision: int
    digest: str

    def title(self, lang: str) -> str:
        """Return the title in `lang`, or in the other language when it has none."""
        return in_language(lang, self.title_en, self.title_zh)


class Dated(NamedTuple):
    """An entry and when it changed last."""

    slug: str
    changed: datetime


class Credit(NamedTuple):
    """Who wrote a revision (empty when that is not known), and who published it."""

    author: str
    actor: str


_BATCH = 500
# Any number will do that no other program uses for an advisory lock on the same PostgreSQL database.
_PUBLISHING = 7_105_110_102
_HEAD = select(
    col(Entry.slug),
    col(Entry.project),
    col(Entry.kind),
    col(Entry.title_en),
    col(Entry.title_zh),
    col(Entry.revision),
    col(Entry.digest),
).where(col(Entry.status) == "published")


def by_slug(session: Session, slug: str) -> Entry | None:
    """Return the entry with this slug, published or withdrawn."""
    return session.scalars(select(Entry).where(col(Entry.slug) == slug)).first()


def moved_to(session: Session, former: str) -> str | None:
    """Return the present slug of an entry that once had the slug `former`."""
    found = session.get(Redirect, former)
    return found.slug if found else None


def documents(session: Session) -> Iterator[str]:
    """Yield the document of every entry, withdrawn ones too, as JSON in the order of the slugs."""
    # They are sorted here, because each database orders hyphens and slashes in its own way.
    slugs = sorted(session.scalars(select(col(Entry.slug))))
    for at in range(0, len(slugs), _BATCH):
        query = select(col(Entry.slug), col(Entry.document)).where(col(Entry.slug).in_(slugs[at : at + _BATCH]))
        found: dict[str, str] = dict(session.execute(query).all())
        yield from (found[slug] for slug in slugs[at : at + _BATCH] if slug in found)


def documents_of(session: Session, slugs: Sequence[str]) -> dict[str, str]:
    """Return {slug: document as JSON} of the entries, published now, that have these slugs."""
    found: dict[str, str] = {}
    for at in range(0, len(slugs), _BATCH):
        query = select(col(Entry.slug), col(Entry.document)).where(
            col(Entry.slug).in_(slugs[at : at + _BATCH]), col(Entry.status) == "published"
        )
        found.update(dict(session.execute(query).all()))
    return found


def digests_of(session: Session, slugs: Sequence[str]) -> dict[str, str]:
    """Return the digests of those of the entries that are there, by slug."""
    found: dict[str, str] = {}
    for at in range(0, len(slugs), _BATCH):
        query = select(col(Entry.slug), col(Entry.digest)).where(col(Entry.slug).in_(slugs[at : at + _BATCH]))
        found.update(session.execute(query).all())
    return found


def digests(session: Session) -> dict[str, str]:
    """Return the digest of every entry by slug."""
    return dict(session.execute(select(col(Entry.slug), col(Entry.digest))).all())


def published(session: Session) -> list[str]:
    """Return the slugs of all published entries."""
    return list(session.scalars(select(col(Entry.slug)).where(col(Entry.status) == "published")))


def heads(
    session: Session,
    *,
    project: str = "",
    facets: Sequence[str] = (),
    since: datetime | None = None,
    after: str = "",
    limit: int = 50,
    slugs: Sequence[str] | None = None,
) -> list[Head]:
    """Return published entries in the order of their slugs, those after the slug `after`.

    They have all of `facets`, which are terms of the index, and changed last at `since` or later.
    """
    query = _HEAD.where(col(Entry.slug) > after)
    if project:
        query = query.where(col(Entry.project) == project)
    for facet in facets:
        held = select(col(Posting.entry)).join(Term, col(Term.id) == col(Posting.term)).where(col(Term.text) == facet)
        query = query.where(col(Entry.id).in_(held))
    if since is not None:
        query = query.where(col(Entry.changed) >= since)
    if slugs is not None:
        query = query.where(col(Entry.slug).in_(slugs))
    return [Head(*row) for row in session.execute(query.order_by(col(Entry.slug)).limit(limit))]


def present(session: Session, slugs: Sequence[str]) -> set[str]:
    """Return those of the slugs that published entries have."""
    return {head.slug for head in heads(session, slugs=slugs, limit=len(slugs))} if slugs else set()


def changed_since(session: Session, ids: Sequence[int], since: datetime) -> list[int]:
    """Return those of the entries that changed last at `since` or later, in their order."""
    found: set[int | None] = set()
    for at in range(0, len(ids), _BATCH):
        query = select(col(Entry.id)).where(col(Entry.id).in_(ids[at : at + _BATCH]), col(Entry.changed) >= since)
        found.update(session.scalars(query))
    return [key for key in ids if key in found]


def newest(session: Session, limit: int) -> list[Head]:
    """Return the published entries that changed last."""
    query = _HEAD.order_by(col(Entry.changed).desc(), col(Entry.slug))
    return [Head(*row) for row in session.execute(query.limit(limit))]


def dated(session: Session, after: str, limit: int, skip: int = 0) -> list[Dated]:
    """Return published entries in the order of their slugs, those after the slug `after`, `skip` of them left out."""
    query = select(col(Entry.slug), col(Entry.changed)).where(col(Entry.status) == "published", col(Entry.slug) > after)
    return [Dated(*row) for row in session.execute(query.order_by(col(Entry.slug)).offset(skip).limit(limit))]


def counts(session: Session) -> dict[str, int]:
    """Return the number of published entries of each project."""
    query = (
        select(col(Entry.project), func.count()).where(col(Entry.status) == "published").group_by(col(Entry.project))
    )
    return dict(session.execute(query.order_by(col(Entry.project))).all())


def total(session: Session) -> int:
    """Return the number of published entries."""
    query = select(func.count()).select_from(Entry).where(col(Entry.status) == "published")
    return int(session.execute(query).scalar_one())


def one_publisher(session: Session) -> None:
    """Wait until no other transaction publishes; this one then is alone in it until it ends.

    Entries share the terms of the recall index, so two that were published at once would insert the same term.
    """
    alone_in(session, _PUBLISHING)


def insert(session: Session, rows: Sequence[tuple[StoredEntry, Mapping[str, Any]]]) -> dict[str, int]:
    """Insert entries that are not there yet, findable at once, and return their numbers by slug.

    Each comes with what its document does not say: `revision` and `changed`, also `id` where it has a number already.
    This and `write` are the only two that know how an entry is stored. Raises `IntegrityError` when a slug is there.
    """
    insert_many(session, Entry, [{**stored.columns, **head} for stored, head in rows])
    keys = {stored.slug: head["id"] for stored, head in rows if "id" in head}
    slugs = [stored.slug for stored, _ in rows if stored.slug not in keys]
    for at in range(0, len(slugs), _BATCH):
        query = select(col(Entry.slug), col(Entry.id)).where(col(Entry.slug).in_(slugs[at : at + _BATCH]))
        keys.update((slug, key or 0) for slug, key in session.execute(query))
    postings.post_new(session, [(keys[stored.slug], stored.terms) for stored, _ in rows if stored.terms])
    return keys


def write(session: Session, key: int, stored: StoredEntry, revision: int, head: Mapping[str, Any]) -> bool:
    """Store an entry anew if it is still at `revision` (compare-and-set); tell whether it was.

    `head` is what changes beside the document: a new `revision` and when. It is findable by the new terms at once.
    """
    done = session.execute(
        update(Entry)
        .where(col(Entry.id) == key, col(Entry.revision) == revision)
        .values(**stored.columns, **head)
        .execution_options(synchronize_session=False)
    )
    if not done.rowcount:  # type: ignore[attr-defined]
        return False
    postings.post(session, key, stored.terms)
    return True


def redirect(session: Session, former: Sequence[str], slug: str) -> None:
    """Make `former` the earlier slugs of `slug`."""
    session.execute(delete(Redirect).where(col(Redirect.slug) == slug))
    if former:
        session.execute(delete(Redirect).where(col(Redirect.former).in_(former)))
        session.execute(insert_rows(Redirect), [{"former": name, "slug": slug} for name in former])


def revisions(session: Session, slug: str, limit: int = 50, *, before: int | None = None) -> list[Revision]:
    """Return the newest revisions of an entry, newest first, those with a number below `before`."""
    query = select(Revision).where(col(Revision.slug) == slug)
    if before is not None:
        query = query.where(col(Revision.number) < before)
    return list(session.scalars(query.order_by(col(Revision.number).desc()).limit(limit)))


def credit(session: Session, slug: str, number: int) -> Credit | None:
    """Return who wrote and who published a revision; None when there is no such revision."""
    query = select(col(Revision.author), col(Revision.actor)).where(
        col(Revision.slug) == slug, col(Revision.number) == number
    )
    found = session.execute(query).first()
    return Credit(*found) if found else None


def numbers_by_digest(session: Session, slug: str, digests: Collection[str]) -> dict[str, list[int]]:
    """Return for each of these digests the numbers of the revisions of an entry that have it, newest first."""
    query = select(col(Revision.digest), col(Revision.number)).where(
        col(Revision.slug) == slug, col(Revision.digest).in_(digests)
    )
    found: dict[str, list[int]] = {}
    for digest, number in session.execute(query.order_by(col(Revision.number).desc())).all():
        found.setdefault(digest, []).append(number)
    return found
