"""Asking the recall index: two plain tables, asked for our own terms; the same on every database."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from app.store.session import Asking

CANDIDATES = 28
# of these for what shares the words and frames of the cause, whatever longer errors follow it
SEATS = 10
# An entry that shares less than this part of what the best one shares is not scored. Over the labelled pastes and the
# raise sites it costs no right answer; 0.17 costs three where entries of several projects share rare words.
LEAST = 0.08
# The rarest terms are asked until this many terms or postings are taken; common terms say little.
MOST_TERMS = 48
# of the worth of these; the rest of it is spread over terms that so many entries hold that most postings are theirs
ENOUGH = 0.9
MOST_POSTINGS = 250
_BATCH = 500

T = TypeVar("T")
# with each term about how many entries there are: the newest id, which both databases find at once
_TERMS = "SELECT id, text, entries, (SELECT MAX(id) FROM entry) FROM term WHERE entries > 0 AND text IN"


def candidates(asking: Asking, asked: Mapping[str, float], *, wide: bool = False, limit: int = CANDIDATES) -> list[int]:
    """Return the ids of at most `limit` entries that share the rarest of the asked terms, the best first.

    `asked` maps a term to how much it counts. `wide` takes entries too that share only little, or only common terms, as
    suits words typed into a search box. Equal ones are in the order of their ids, so that the result is the same on
    every database.
    """
    rows: list[tuple[int, str, int, int]] = []
    for batch in _batches(list(asked)):
        rows += asking.rows(_TERMS, batch)
    rows.sort(key=lambda row: (row[2] / asked[row[1]] ** 2, row[1]))
    worth = _worth(rows, asked, 1 if wide else ENOUGH)
    scores: dict[int, float] = {}
    if worth:
        for term, entry in asking.rows("SELECT term, entry FROM posting WHERE term IN", list(worth)):
            scores[entry] = scores.get(entry, 0.0) + worth[term]
    if not scores:
        return []
    floor = 0 if wide else max(scores.values()) * LEAST
    kept = sorted((-score, entry) for entry, score in scores.items() if score >= floor)
    return [entry for _, entry in kept[:limit]]


def state(asking: Asking) -> int:
    """Return a number that is another one after anything was published: that of the newest revision.

    Publishers take turns, so that no revision appears under a newer one.
    """
    return int(asking.select("SELECT MAX(id) FROM revision")[0][0] or 0)


def _worth(rows: Sequence[tuple[int, str, int, int]], asked: Mapping[str, float], enough: float) -> dict[int, float]:
    """Return what sharing each of the rarest terms is worth (its inverse document frequency, squared).

    They are worth the part `enough` (0–1) of all together; what only shares the others is not a candidate.
    """
    known = [
        (key, asked[text] * math.log(1 + size / entries) ** 2, entries)
        for key, text, entries, size in rows[:MOST_TERMS]
    ]
    wanted = enough * sum(worth for _, worth, _ in known)
    found: dict[int, float] = {}
    postings = 0
    for key, worth, entries in known:
        if found and (postings + entries > MOST_POSTINGS or wanted <= 0):
            break
        found[key] = worth
        wanted -= worth
        postings += entries
    return found


def features(asking: Asking, ids: Collection[int], words: bool = True) -> Sequence[tuple[int, str, str | None]]:
    """Return the stored features of entries by id, and with them the words of their texts when these are asked for."""
    which = "words" if words else "NULL"
    return asking.rows(f"SELECT id, features, {which} FROM entry WHERE id IN", list(ids)) if ids else []  # noqa: S608


def revisions(asking: Asking, ids: Collection[int]) -> dict[int, int]:
    """Return the present revision of published entries by id."""
    sql = "SELECT id, revision FROM entry WHERE status = 'published' AND id IN"
    return dict(asking.rows(sql, list(ids))) if ids else {}


def _batches(items: Sequence[T]) -> Iterable[Sequence[T]]:
    return (items[at : at + _BATCH] for at in range(0, len(items), _BATCH))
