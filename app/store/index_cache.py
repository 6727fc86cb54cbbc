"""What was read of the recall index lately, kept in memory for as long as the index is in the same state."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from app.store.installation_tables import INDEX_VERSION
from app.store.session import ReadTransaction

_BATCH = 500
# So many terms are kept, and so many numbers of entries that hold one; a full cache is begun anew, for what is asked
# often is soon there again. Both together take some five megabytes.
MOST_TERMS = 16_384
MOST_POSTINGS = 65_536
# A list that takes more of the room is not kept.
LONGEST = 2_048

T = TypeVar("T")
# With each term about how many entries there are: the newest id, which both databases find at once
_TERMS = "SELECT id, text, entries, (SELECT MAX(id) FROM entry) FROM term WHERE entries > 0 AND text IN"
_POSTINGS = "SELECT term, entry FROM posting WHERE term IN"
# Everything that changes the index writes a revision or another version of the index. The digest tells another database
# that was put in the place of the one before.
_STATE = (
    f"SELECT id, digest, (SELECT text FROM stored WHERE name = '{INDEX_VERSION}') "  # noqa: S608
    "FROM revision ORDER BY id DESC LIMIT 1"
)
# What differs after any change of the index; empty where nothing was ever published, which is no state to rely on.
State = tuple[object, ...]


# A term of the index: its id, its text, how many entries hold it, and about how many there are. Terms and postings are
# plain tuples, which the garbage collector soon looks at no more, however many are kept.
KnownTerm = tuple[int, str, int, int]


class IndexState:
    """The index in one state, as far as it was read.

    Only what entries hold is kept: a word of a paste that no entry has is asked for again.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._terms: dict[str, KnownTerm] = {}
        self._postings: dict[int, tuple[int, ...]] = {}
        self._kept = 0

    def terms(self, transaction: ReadTransaction, texts: Iterable[str]) -> list[KnownTerm]:
        """Return those of some terms that entries hold, in any order."""
        found: list[KnownTerm] = []
        missing: list[str] = []
        for text in texts:
            if known := self._terms.get(text):
                found.append(known)
            else:
                missing.append(text)
        read: list[KnownTerm] = []
        for batch in _batches(missing):
            read += transaction.rows(_TERMS, batch)
        if len(self._terms) + len(read) > MOST_TERMS:
            self._terms.clear()
        self._terms.update((term[1], term) for term in read[:MOST_TERMS])
        return found + read

    def postings(self, transaction: ReadTransaction, keys: Collection[int]) -> dict[int, tuple[int, ...]]:
        """Return which entries hold each of some terms, given by id."""
        found = {key: held for key in keys if (held := self._postings.get(key))}
        missing = [key for key in keys if key not in found]
        if missing:
            read: dict[int, list[int]] = {key: [] for key in missing}
            for term, entry in transaction.rows(_POSTINGS, missing):
                read[term].append(entry)
            for key, entries in read.items():
                found[key] = held = tuple(entries)
                self._keep(key, held)
        return found

    def _keep(self, key: int, entries: tuple[int, ...]) -> None:
        if len(entries) > LONGEST:
            return
        if self._kept + len(entries) > MOST_POSTINGS:
            self._postings.clear()
            self._kept = 0
        self._postings[key] = entries
        self._kept += len(entries)


class IndexCache:
    """Gives what is known of the index in the state in which a transaction sees it. Safe to use from several threads:
    each state has an object of its own, to which is only added what was read in that state or after it.
    """

    def __init__(self) -> None:
        self._latest = IndexState(())

    def at(self, transaction: ReadTransaction) -> IndexState:
        """Return what is known in the state that a transaction sees. It is asked before anything else is read."""
        rows = transaction.select(_STATE)
        state = rows[0] if rows else ()
        latest = self._latest
        if not state or latest.state != state:
            latest = self._latest = IndexState(state)
        return latest


def _batches(items: Sequence[T]) -> Iterable[Sequence[T]]:
    return (items[at : at + _BATCH] for at in range(0, len(items), _BATCH))
