"""The words of the index in memory, so that the beginning of a word finds the word on every database alike.

A range of a column would need its index in the order of code points, which a PostgreSQL database has only by luck.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence
from heapq import nlargest
from threading import Lock

from app.content.search_terms import ALSO, FACET, TITLE
from app.matching.ranking.terms import LONGEST_TERM
from app.matching.text.tokens import stem
from app.store import search_box
from app.store.session import ReadTransaction

# A word that is only begun stands for at most so many words, those that most entries have.
MOST_WORDS = 24
_REMEMBERED = 4_096
# A typed word may lack one of these endings and still be a form of the longer one.
_ENDINGS = ("ization", "ations", "ings", "ies", "ed", "es", "s")
_SHORTEST_STEM = 4
# Nobody types a word of more characters.
_LONGEST = 60


class Vocabulary:
    """The words that entries hold, kept level with the database. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._newest: tuple[int, str] | None = None
        self._forget()

    def _forget(self) -> None:
        self._entries: dict[str, int] = {}
        self._sorted: list[str] = []
        self._facets: dict[str, None] = {}
        self._begun: dict[str, dict[str, float]] = {}

    def refresh(self, store: ReadTransaction) -> None:
        """Take in the words that were added since. Terms are only ever added: the newest one says whether any was."""
        newest = search_box.newest_term(store)
        if newest == self._newest:
            return
        with self._lock:
            known = self._newest
            if known and (newest is None or not search_box.has_term(store, *known)):
                # Another database was put in the place of the one that the words came from.
                known = None
            if known is None:
                self._forget()
            self._take(search_box.single_terms(store, known[0] if known else 0), whole=known is None)
            self._newest = newest

    def _take(self, rows: Sequence[tuple[int, str, int]], *, whole: bool) -> None:
        new: list[str] = []
        for _, text, entries in rows:
            if text.startswith(FACET):
                self._facets[text] = None
                continue
            word = text.removeprefix(TITLE).removeprefix(ALSO)
            if len(word) > _LONGEST:
                continue
            if word not in self._entries:
                new.append(word)
            self._entries[word] = max(entries, self._entries.get(word, 0))
        if whole:
            self._sorted = sorted(new)
        else:
            for word in new:
                insort(self._sorted, word)
        self._begun = {}

    def facets(self) -> list[str]:
        """Return the terms of all facets that entries had."""
        return list(self._facets)

    def begun(self, text: str) -> dict[str, float]:
        """Return the words that `text` can be the beginning of, and how surely each is meant (0–1)."""
        found = self._begun.get(text)
        if found is None:
            if len(self._begun) >= _REMEMBERED:
                self._begun = {}
            found = self._begun[text] = self._look(text)
        return found

    def _look(self, text: str) -> dict[str, float]:
        words = self._sorted
        first = bisect_left(words, text)
        # The words that begin with the text end before the text followed by the last code point.
        end = bisect_left(words, text + "\U0010ffff")
        best = nlargest(MOST_WORDS, words[first:end], key=lambda word: (self._entries[word], word))
        found = {word: 0.6 + 0.4 * len(text) / len(word) for word in best}
        for word in _stems(text):
            if word in self._entries:
                found[word] = 0.95
        # No entry is found under a longer word, and what `stem` remembers is bounded by the length of words.
        whole = (text, stem(text)) if len(text) <= LONGEST_TERM else (text,)
        return found | dict.fromkeys(whole, 1.0)


def _stems(text: str) -> list[str]:
    """Return the words of which a half-typed one may be a form: `traini` may become `training`, a form of `train`."""
    found = {text[:-cut] for ending in _ENDINGS for cut in range(1, len(ending)) if text.endswith(ending[:cut])}
    return [word for word in found if len(word) >= _SHORTEST_STEM]
