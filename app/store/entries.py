"""Queries on entries, revisions and redirects."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, update
from sqlmodel import Session, col, delete, select

from app.models import Entry, Redirect, Revision


@dataclass(frozen=True, slots=True)
class Head:
    """What a list shows of an entry."""

    slug: str
    project: str
    kind: str
    title_en: str
    title_zh: str

    def title(self, lang: str) -> str:
        """Return the title in `lang`, or in the other language when it has none."""
        return (self.title_zh or self.title_en) if lang == "zh" else (self.title_en or self.title_zh)


_HEAD = (Entry.slug, Entry.project, Entry.kind, Entry.title_en, Entry.title_zh)


def by_slug(session: Session, slug: str) -> Entry | None:
    """Return the entry with this slug, published or withdrawn."""
    return session.exec(select(Entry).where(Entry.slug == slug)).first()


def moved_to(session: Session, former: str) -> str | None:
    """Return the present slug of an entry that once had the slug `former`."""
    found = session.get(Redirect, former)
    return found.slug if found else None


def digests(session: Session) -> dict[str, str]:
    """Return the digest of every entry by slug."""
    return dict(session.execute(select(Entry.slug, Entry.digest)).tuples().all())


def heads(
    session: Session, *, project: str = "", after: str = "", limit: int = 50, slugs: Sequence[str] | None = None
) -> list[Head]:
    """Return published entries in the order of their slugs, those after the slug `after`."""
    query = select(*_HEAD).where(Entry.status == "published", col(Entry.slug) > after)
    if project:
        query = query.where(Entry.project == project)
    if slugs is not None:
        query = query.where(col(Entry.slug).in_(slugs))
    return [Head(*row) for row in session.execute(query.order_by(col(Entry.slug)).limit(limit)).tuples()]


def newest(session: Session, limit: int) -> list[Head]:
    """Return the published entries that changed last."""
    query = select(*_HEAD).where(Entry.status == "published").order_by(col(Entry.changed).desc(), col(Entry.slug))
    return [Head(*row) for row in session.execute(query.limit(limit)).tuples()]


def counts(session: Session) -> dict[str, int]:
    """Return the number of published entries of each project."""
    query = select(Entry.project, func.count()).where(Entry.status == "published").group_by(Entry.project)
    return dict(session.execute(query.order_by(Entry.project)).tuples().all())


def total(session: Session) -> int:
    """Return the number of published entries."""
    return session.execute(select(func.count()).where(Entry.status == "published").select_from(Entry)).scalar_one()


def add(session: Session, entry: Entry) -> int:
    """Insert an entry and return its id."""
    session.add(entry)
    session.flush()
    assert entry.id is not None
    return entry.id


def replace(session: Session, slug: str, revision: int, values: dict[str, object]) -> bool:
    """Compare-and-set: write `values` if the entry still is at `revision`; tell whether it was."""
    done = session.execute(
        update(Entry)
        .where(col(Entry.slug) == slug, col(Entry.revision) == revision)
        .values(**values)
        .execution_options(synchronize_session=False)
    )
    return bool(done.rowcount)  # type: ignore[attr-defined]


def redirect(session: Session, former: Sequence[str], slug: str) -> None:
    """Make `former` the earlier slugs of `slug`."""
    session.exec(delete(Redirect).where(col(Redirect.slug) == slug))
    if former:
        session.exec(delete(Redirect).where(col(Redirect.former).in_(former)))
        session.execute(insert(Redirect), [{"former": name, "slug": slug} for name in former])


def revisions(session: Session, slug: str, limit: int = 50) -> list[Revision]:
    """Return the newest revisions of an entry, newest first."""
    query = select(Revision).where(Revision.slug == slug).order_by(col(Revision.number).desc()).limit(limit)
    return list(session.exec(query))
