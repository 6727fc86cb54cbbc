"""The word search: words, of which the last may still be being typed, and filters, to entries.

Site, API and command line search by it. A paste is a matter of `app.asking.question_service`, which asks here what is
near a text that nothing answers. Titles weigh most, then other titles, then texts; a word that few entries have weighs
more than one that many have; the last word may be only begun.
"""

import math
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Engine

from app.content.search_terms import ALSO, FACETS, TITLE, Facet, Typed, facet, facet_of, typed
from app.finding.vocabulary import Vocabulary
from app.store import entries, search_box
from app.store.columns import LARGEST_NUMBER
from app.store.search_box import Hit
from app.store.session import ReadTransaction, read_transaction, reading

# A word counts by where the entry has it: in its title, in its other titles, slug or names, or in its text.
WEIGHTS = {TITLE: 3.0, ALSO: 2.0, "": 1.0}
MOST_FOUND = 1_000
# So many suggestions are remembered: many people type the beginnings of the same words.
REMEMBERED = 1_000
# An entry is found if it has at least this share of the best entry's points.
LEAST = 0.12
# Every entry has one of these two facets, so together they count all entries.
_KINDS = (facet("kind", "error"), facet("kind", "question"))


class Reach(NamedTuple):
    """How far a search looks: places where words stand that are read, the rarest words first, and titles looked at.

    The best are put in order once more by their titles as they are written.
    """

    read: int
    titles: int


class Sought(NamedTuple):
    """A term that is looked for: how many entries hold it, which word of the search it stands for, and its points.

    It is worth more at a place that weighs more, and when few hold it.
    """

    key: int
    held: int
    place: int
    worth: float


# At most so many terms are not read whole but only looked up among the entries that other terms found.
MOST_CHECKED = 6
# A suggestion reads less than a search, since it is asked for at every letter.
SUGGESTED, SEARCHED = Reach(150, 10), Reach(2_000, 32)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is narrowed to; entries have all of it. `since` is heeded by `unseen`: when they changed last."""

    project: str = ""
    kind: str = ""
    components: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None

    def chosen(self) -> tuple[tuple[Facet, str], ...]:
        """Return the facets that are chosen, as kind and key."""
        single: list[tuple[Facet, str]] = [("project", self.project), ("kind", self.kind)]
        several: list[tuple[Facet, str]] = [("component", key) for key in self.components]
        several += [("tag", key) for key in self.tags]
        return tuple((kind, key) for kind, key in (*single, *several) if key)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Entries, best first or newest first, and how many there are; `more` says that there are even more than that.

    `next` is the id after which the next page begins, 0 on the last. `facets` are the numbers of entries by facet.
    """

    hits: tuple[Hit, ...]
    total: int
    more: bool
    next: int
    facets: Mapping[tuple[Facet, str], int]


class Lookup:
    """Finds entries for what is typed. Keeps the words of the index; always answers from what is published.

    Safe to use from several threads.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._vocabulary = Vocabulary()
        self._suggested: OrderedDict[tuple[str, int], tuple[Hit, ...]] = OrderedDict()
        self._state: tuple[int, str] | None = None
        self._lock = Lock()

    def suggest(self, text: str, limit: int) -> tuple[Hit, ...]:
        """Return the best entries for words that are being typed. Raises `Unavailable`."""
        asked = typed(text)
        if not _enough(asked):
            return ()
        with read_transaction(self._engine) as store:
            state = search_box.newest_revision(store)
            known = self._remembered(state, (text, limit))
            if known is not None:
                return known
            ids, _ = self._ranked(store, text, asked, (), SUGGESTED)
            hits = tuple(search_box.hits(store, ids[:limit]))
        with self._lock:
            if state == self._state:
                self._suggested[text, limit] = hits
                while len(self._suggested) > REMEMBERED:
                    self._suggested.popitem(last=False)
        return hits

    def _remembered(self, state: tuple[int, str] | None, asked: tuple[str, int]) -> tuple[Hit, ...] | None:
        """Return what was suggested for the same; every change of an entry is a revision and makes all forgotten."""
        with self._lock:
            if state != self._state:
                self._suggested.clear()
                self._state = state
            found = self._suggested.get(asked)
            if found is not None:
                self._suggested.move_to_end(asked)
            return found

    def search(self, text: str, filters: Filters, after: int, limit: int) -> SearchResult:
        """Return the entries for words and filters, best first; without words the newest first. Raises `Unavailable`.

        `after` is the `next` of the page before, 0 for the first one.
        """
        asked = typed(text)
        with read_transaction(self._engine) as store:
            chosen = _terms_of(store, filters)
            if chosen is None:
                return SearchResult((), 0, False, 0, {})
            if not text.strip():
                return self._browsed(store, chosen, after, limit)
            ids, more = self._all(store, text, asked, chosen)
            return self._searched(store, ids, more, after, limit)

    def unseen(self, text: str, filters: Filters, seen: Collection[int], limit: int) -> tuple[list[int], bool]:
        """Return the ids of the best entries for words and filters that are not in `seen`, and whether there are more.

        Who adds them to `seen` and asks again gets each once, whatever is published meanwhile. Raises `Unavailable`.
        """
        asked = typed(text)
        with read_transaction(self._engine) as store:
            chosen = _terms_of(store, filters)
            found = self._all(store, text, asked, chosen)[0] if chosen is not None else []
        left = [key for key in found if key not in seen]
        if filters.since is not None and left:
            with reading(self._engine) as session:
                left = entries.changed_since(session, left, filters.since)
        return left[:limit], len(left) > limit

    def nearest(self, text: str, limit: int) -> list[int]:
        """Return the ids of what the words of a text find, all of them whole, best first. Raises `Unavailable`."""
        asked = typed(f"{text} ")
        if not _enough(asked):
            return []
        with read_transaction(self._engine) as store:
            ids, _ = self._ranked(store, text, asked, (), SUGGESTED)
        return ids[:limit]

    def facets(self) -> dict[tuple[Facet, str], int]:
        """Return every facet and the number of its entries. Raises `Unavailable`."""
        with read_transaction(self._engine) as store:
            return _by_facet({row[1]: row[2] for row in self._all_facets(store)})

    def _all(self, store: ReadTransaction, text: str, asked: Typed, chosen: Sequence[int]) -> tuple[list[int], bool]:
        """Return the ids of what words and filters find, best first, and whether there is more."""
        if not _enough(asked):
            return [], False
        ids, more = self._ranked(store, text, asked, (), SEARCHED)
        if chosen and more:
            # The entries that were not read may be the very ones that the filters leave.
            return self._ranked(store, text, asked, chosen, SEARCHED)
        return (search_box.having_all(store, ids, chosen) if chosen else ids), more

    def _searched(self, store: ReadTransaction, ids: list[int], more: bool, after: int, limit: int) -> SearchResult:
        first = ids.index(after) + 1 if after in ids else 0
        shown = ids[first : first + limit]
        names = {row[0]: row[1] for row in self._all_facets(store)}
        counts = search_box.facet_counts_of(store, list(names), ids)
        facets = _by_facet({names[key]: count for key, count in counts.items()})
        following = shown[-1] if first + limit < len(ids) else 0
        return SearchResult(tuple(search_box.hits(store, shown)), len(ids), more, following, facets)

    def _browsed(self, store: ReadTransaction, chosen: Sequence[int], after: int, limit: int) -> SearchResult:
        hits = search_box.newest(store, chosen, after or LARGEST_NUMBER, limit + 1)
        known = self._all_facets(store)
        if chosen:
            names = {row[0]: row[1] for row in known}
            counted = search_box.facet_counts(store, list(names), chosen)
            counts = {names[key]: count for key, count in counted.items()}
            total = search_box.amount(store, chosen)
        else:
            counts = {row[1]: row[2] for row in known}
            total = sum(counts.get(name, 0) for name in _KINDS)
        following = hits[limit - 1].id if len(hits) > limit else 0
        return SearchResult(tuple(hits[:limit]), total, False, following, _by_facet(counts))

    def _all_facets(self, store: ReadTransaction) -> Sequence[tuple[int, str, int]]:
        self._vocabulary.refresh(store)
        return search_box.terms(store, self._vocabulary.facets())

    def _ranked(
        self, store: ReadTransaction, text: str, asked: Typed, chosen: Sequence[int], reach: Reach
    ) -> tuple[list[int], bool]:
        """Return the ids of what is found, best first, and whether there is more than was read."""
        self._vocabulary.refresh(store)
        wanted = self._wanted(asked)
        rows = search_box.terms(store, [*wanted, *_KINDS])
        number = sum(row[2] for row in rows if row[1] in _KINDS)
        sought = [
            Sought(key, held, wanted[name][0], wanted[name][1] * math.log(1 + number / held))
            for key, name, held in rows
            if name in wanted
        ]
        points, more = _points(store, sought, chosen, reach.read)
        best = _best(points)
        least = points[best[0]] * LEAST if best else 0.0
        kept = [entry for entry in best if points[entry] >= least][:MOST_FOUND]
        return _by_title(store, text, kept, points, reach.titles), more

    def _wanted(self, asked: Typed) -> dict[str, tuple[int, float]]:
        """Return the terms to look for: which word of the question each stands for, and how surely (0–1)."""
        found: dict[str, tuple[int, float]] = {}
        groups = [{word: 1.0} for word in asked.words]
        groups += [self._vocabulary.begun(asked.begun)] if asked.begun else []
        for place, group in enumerate(groups):
            for word, sure in group.items():
                for field, weight in WEIGHTS.items():
                    found.setdefault(field + word, (place, weight * sure))
        return found


def _terms_of(store: ReadTransaction, filters: Filters) -> list[int] | None:
    """Return the terms of filters, the rarest first; None where no entry has one of them."""
    names = [facet(kind, key) for kind, key in filters.chosen()]
    rows = sorted(search_box.terms(store, names), key=lambda row: row[2])
    return [row[0] for row in rows] if len(rows) == len(names) else None


def _enough(asked: Typed) -> bool:
    """Tell whether enough was typed to look for: one letter begins too many words."""
    return bool(asked.words) or len(asked.begun) > 1 or (bool(asked.begun) and not asked.begun.isascii())


def _points(
    store: ReadTransaction, sought: Sequence[Sought], chosen: Sequence[int], most: int
) -> tuple[dict[int, float], bool]:
    """Return the points of what holds the terms, and whether more holds them than was read.

    1. The terms that give most points for the entries that must be read are read whole, up to `most` entries.
    2. Of a word none of whose terms could be read whole, the newest entries that hold its best term are read.
    3. Whether the entries found so far also hold the terms that were not read is looked up.
    """
    ordered = sorted(sought, key=lambda one: (one.held / one.worth**2, one.key))
    taken, rest, left = [], [], most
    for one in ordered:
        if one.held <= left:
            taken.append(one)
            left -= one.held
        else:
            rest.append(one)
    tally = Tally(sought)
    if taken:
        tally.count(search_box.holders(store, [one.key for one in taken], chosen))
    if not rest:
        return tally.points(), False
    for one in _crowded(sought, rest):
        tally.count(search_box.newest_holders(store, one.key, chosen, most // 2))
    telling = sorted(rest, key=lambda one: (-one.worth, one.key))[:MOST_CHECKED]
    candidates = _best(tally.points())[: most * 3 // len(telling)]
    tally.count(search_box.holders_among(store, [one.key for one in telling], candidates))
    return tally.points(), True


class Tally:
    """The points of entries: for each word of the question the best place where an entry has it."""

    def __init__(self, sought: Sequence[Sought]) -> None:
        self._best: dict[int, dict[int, float]] = {one.place: {} for one in sought}
        self._worth = {one.key: (self._best[one.place], one.worth) for one in sought}

    def count(self, held: Sequence[tuple[int, int]]) -> None:
        """Take in who holds what, as (term, entry)."""
        worth = self._worth
        for term, entry in held:
            best, value = worth[term]
            if value > best.get(entry, 0.0):
                best[entry] = value

    def points(self) -> dict[int, float]:
        """Return the points of each entry, more for one that has more of the words."""
        total: dict[int, float] = {}
        words: dict[int, int] = {}
        for best in self._best.values():
            for entry, value in best.items():
                total[entry] = total.get(entry, 0.0) + value
                words[entry] = words.get(entry, 0) + 1
        asked = len(self._best)
        return {entry: value * (1 + words[entry] / asked) for entry, value in total.items()}


def _crowded(sought: Sequence[Sought], rest: Sequence[Sought]) -> list[Sought]:
    """Return the best terms of those words whose best term was not read, of two words at most."""
    best: dict[int, Sought] = {}
    for one in sought:
        if one.place not in best or one.worth > best[one.place].worth:
            best[one.place] = one
    return sorted((one for one in best.values() if one in rest), key=lambda one: (one.held, one.key))[:2]


def _best(points: Mapping[int, float]) -> list[int]:
    return sorted(points, key=lambda entry: (-points[entry], entry))


def _by_title(store: ReadTransaction, text: str, ids: list[int], points: Mapping[int, float], most: int) -> list[int]:
    """Put the best in order once more: a title that has the words as they were typed comes first, then shorter ones."""
    said = " ".join(text.lower().split())
    best = search_box.hits(store, ids[:most])

    def order(hit: Hit) -> tuple[float, int, str]:
        titles = [" ".join(title.lower().replace("`", "").split()) for title in (hit.title_en, hit.title_zh)]
        place = max((2 if title.startswith(said) else 1 for title in titles if said in title), default=0)
        shortest = min(len(title) for title in titles if title) if any(titles) else 0
        return -round(points[hit.id] * (1 + 0.15 * place), 1), shortest, hit.slug

    return [hit.id for hit in sorted(best, key=order)] + ids[most:]


def _by_facet(counts: Mapping[str, int]) -> dict[tuple[Facet, str], int]:
    found = {known: count for term, count in counts.items() if (known := facet_of(term))}
    return dict(sorted(found.items(), key=lambda item: (FACETS.index(item[0][0]), -item[1], item[0][1])))
