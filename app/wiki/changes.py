"""What changed in the guide: each revision with what it did, for the page and the feed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session

from app.i18n import in_language
from app.store import changes
from app.store.changes import Recorded
from app.store.columns import LARGEST_NUMBER

What = Literal["new", "changed", "withdrawn", "restored"]


@dataclass(frozen=True, slots=True)
class Change:
    """A revision, which `actor` published and `author` wrote; `author` is empty when that is not known.

    An entry that is withdrawn today is named by its slug alone: its title may be why it is.
    `id` orders the revisions of all entries, `digest` is that of the document, `former` are the entry's earlier slugs.
    """

    id: int
    slug: str
    number: int
    what: What
    title_en: str
    title_zh: str
    actor: str
    author: str
    note: str
    at: datetime
    is_published: bool
    digest: str
    former: tuple[str, ...]

    @property
    def project(self) -> str:
        """The part of the slug before the slash."""
        return self.slug.partition("/")[0]

    def title(self, lang: str) -> str:
        """Return the title in `lang`, else in the other language, else the slug."""
        return in_language(lang, self.title_en, self.title_zh) or self.slug


def is_self_approved(author: str, actor: str) -> bool:
    """Tell whether who published a text had written it, so that nobody else had looked at it."""
    return bool(author) and author == actor


def recent(session: Session, limit: int, before: int = 0) -> list[Change]:
    """Return the newest changes, newest first, those with an id below `before` where it is given."""
    return _described(session, changes.recorded(session, before or LARGEST_NUMBER, limit))


def since(session: Session, seen: int, limit: int) -> list[Change]:
    """Return the changes after the one with the id `seen` (0: all), oldest first."""
    return _described(session, changes.recorded_since(session, seen, limit))


def _described(session: Session, rows: Sequence[Recorded]) -> list[Change]:
    earlier = changes.documents_before(session, rows)
    first = changes.first_numbers(session, rows)
    return [_change(row, earlier.get((row.slug, row.number)), first.get((row.slug, row.digest))) for row in rows]


def _change(row: Recorded, earlier: str | None, first: int | None) -> Change:
    document = json.loads(row.document)
    titles = [(document.get(lang) or {}).get("title", "") if row.is_published else "" for lang in ("en", "zh")]
    return Change(
        row.id,
        row.slug,
        row.number,
        _what(row, document.get("status"), earlier, first),
        titles[0],
        titles[1],
        row.actor,
        row.author,
        row.note,
        row.at,
        row.is_published,
        row.digest,
        tuple(document.get("former", ())),
    )


def _what(row: Recorded, status: str | None, earlier: str | None, first: int | None) -> What:
    # The canonical document leaves out defaults, so that of a published entry has no status.
    if status == "withdrawn":
        return "withdrawn"
    if row.number == 1:
        return "new"
    was_withdrawn = earlier is not None and json.loads(earlier).get("status") == "withdrawn"
    return "restored" if was_withdrawn or (first is not None and first < row.number) else "changed"


def by_day(found: Sequence[Change]) -> list[tuple[datetime, list[Change]]]:
    """Return changes by day, in their order."""
    days: list[tuple[datetime, list[Change]]] = []
    for change in found:
        if not days or days[-1][0].date() != change.at.date():
            days.append((change.at, []))
        days[-1][1].append(change)
    return days
