"""Queries of the search box: terms, the entries that hold them, and how often each facet is among them.

The statements are built of marks for values only; no value is written into one.
"""
# ruff: noqa: S608

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from app.i18n import in_language
from app.store.session import ReadTransaction

_HEAD = "id, slug, project, kind, title_en, title_zh"
_BATCH = 500


class Hit(NamedTuple):
    """What a list of found entries shows of one."""

    id: int
    slug: str
    project: str
    kind: str
    title_en: str
    title_zh: str

    def title(self, lang: str) -> str:
        """Return the title in `lang`, or in the other language when it has none."""
        return in_language(lang, self.title_en, self.title_zh)


def newest_term(transaction: ReadTransaction) -> tuple[int, str] | None:
    """Return id and text of the term that was added last; None when there is none."""
    rows = transaction.select("SELECT id, text FROM term ORDER BY id DESC LIMIT 1")
    return (rows[0][0], rows[0][1]) if rows else None


def newest_revision(transaction: ReadTransaction) -> tuple[int, str] | None:
    """Return id and digest of the revision that was published last; None when there is none."""
    rows = transaction.select("SELECT id, digest FROM revision ORDER BY id DESC LIMIT 1")
    return (rows[0][0], rows[0][1]) if rows else None


def single_terms(transaction: ReadTransaction, after: int) -> Sequence[tuple[int, str, int]]:
    """Return id, text and number of entries of the terms after an id that are neither pairs of words nor frames."""
    sql = "SELECT id, text, entries FROM term WHERE id > ? AND text NOT LIKE ? AND text NOT LIKE ? ORDER BY id"
    return transaction.select(sql, (after, "% %", "f:%"))


def has_term(transaction: ReadTransaction, key: int, text: str) -> bool:
    """Tell whether the term with this id has this text."""
    return bool(transaction.select("SELECT 1 FROM term WHERE id = ? AND text = ?", (key, text)))


def terms(transaction: ReadTransaction, texts: Sequence[str]) -> Sequence[tuple[int, str, int]]:
    """Return id, text and number of entries of those of the terms that published entries hold."""
    found: list[tuple[int, str, int]] = []
    for at in range(0, len(texts), _BATCH):
        batch = texts[at : at + _BATCH]
        sql = f"SELECT id, text, entries FROM term WHERE entries > 0 AND text IN ({_marks(batch)})"
        found += transaction.select(sql, batch)
    return found


def holders(transaction: ReadTransaction, keys: Sequence[int], facets: Sequence[int]) -> list[tuple[int, int]]:
    """Return (term, entry) for the entries that hold a term of `keys` and every one of `facets`."""
    sql = f"SELECT p.term, p.entry FROM posting p{_joined(facets)} WHERE p.term IN ({_marks(keys)})"
    return _pairs(transaction.select(sql, (*facets, *keys)))


def newest_holders(transaction: ReadTransaction, key: int, facets: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Return (term, entry) for the newest entries that hold a term which too many hold to read them all."""
    sql = f"SELECT p.term, p.entry FROM posting p{_joined(facets)} WHERE p.term = ? ORDER BY p.entry DESC LIMIT ?"
    return _pairs(transaction.select(sql, (*facets, key, most)))


def holders_among(transaction: ReadTransaction, keys: Sequence[int], entries: Sequence[int]) -> list[tuple[int, int]]:
    """Return (term, entry) for those of the entries that hold a term of `keys`."""
    if not keys or not entries:
        return []
    sql = f"SELECT term, entry FROM posting WHERE term IN ({_marks(keys)}) AND entry IN ({_marks(entries)})"
    return _pairs(transaction.select(sql, (*keys, *entries)))


def having_all(transaction: ReadTransaction, entries: Sequence[int], facets: Sequence[int]) -> list[int]:
    """Return those of the entries that have every one of the facets, in their order."""
    held = set(holders_among(transaction, facets, entries))
    return [entry for entry in entries if all((facet, entry) in held for facet in facets)]


def hits(transaction: ReadTransaction, ids: Sequence[int]) -> list[Hit]:
    """Return published entries in the order of `ids`."""
    if not ids:
        return []
    sql = f"SELECT {_HEAD} FROM entry WHERE status = 'published' AND id IN ({_marks(ids)})"
    found = {row[0]: Hit(*row) for row in transaction.select(sql, ids)}
    return [found[key] for key in ids if key in found]


def newest(transaction: ReadTransaction, facets: Sequence[int], before: int, most: int) -> list[Hit]:
    """Return the published entries with all of the facets that were added last, those with an id below `before`."""
    if not facets:
        sql = f"SELECT {_HEAD} FROM entry WHERE status = 'published' AND id < ? ORDER BY id DESC LIMIT ?"
        return [Hit(*row) for row in transaction.select(sql, (before, most))]
    first, *others = facets
    sql = (
        f"SELECT p.entry FROM posting p{_joined(others)} WHERE p.term = ? AND p.entry < ? ORDER BY p.entry DESC LIMIT ?"
    )
    return hits(transaction, [row[0] for row in transaction.select(sql, (*others, first, before, most))])


def amount(transaction: ReadTransaction, facets: Sequence[int]) -> int:
    """Return the number of published entries with all of the facets."""
    first, *others = facets
    sql = f"SELECT COUNT(*) FROM posting p{_joined(others)} WHERE p.term = ?"
    return int(transaction.select(sql, (*others, first))[0][0])


def facet_counts(transaction: ReadTransaction, wanted: Collection[int], facets: Sequence[int]) -> dict[int, int]:
    """Return how many entries with all of `facets` have each of the facets `wanted`."""
    if not wanted:
        return {}
    first, *others = facets
    # The plus sign keeps both databases from looking up every wanted facet for every entry: instead they read the
    # postings of each entry once.
    sql = (
        f"SELECT w.term, COUNT(*) FROM posting p{_joined(others)} JOIN posting w ON w.entry = p.entry "
        f"WHERE p.term = ? AND +w.term IN ({_marks(wanted)}) GROUP BY w.term"
    )
    return dict(map(tuple, transaction.select(sql, (*others, first, *wanted))))


def facet_counts_of(transaction: ReadTransaction, wanted: Collection[int], ids: Sequence[int]) -> dict[int, int]:
    """Return how many of these entries have each of the facets `wanted`."""
    found: dict[int, int] = {}
    for at in range(0, len(ids) if wanted else 0, _BATCH):
        batch = ids[at : at + _BATCH]
        sql = (
            f"SELECT term, COUNT(*) FROM posting WHERE entry IN ({_marks(batch)}) "
            f"AND +term IN ({_marks(wanted)}) GROUP BY term"
        )
        for key, count in transaction.select(sql, (*batch, *wanted)):
            found[key] = found.get(key, 0) + count
    return found


def _joined(facets: Sequence[int]) -> str:
    return "".join(f" JOIN posting f{n} ON f{n}.entry = p.entry AND f{n}.term = ?" for n in range(len(facets)))


def _marks(items: Collection[object]) -> str:
    return ", ".join("?" * len(items))


def _pairs(rows: list[tuple[Any, ...]]) -> list[tuple[int, int]]:
    return rows
