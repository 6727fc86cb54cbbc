"""Reading the recall index: two plain tables that are asked for our own terms, in the same way on every database."""

import math
from collections.abc import Collection, Mapping, Sequence

from app.matching.ranking.query import Query
from app.matching.text.rules import weights
from app.store.index_cache import IndexState, KnownTerm
from app.store.session import ReadTransaction

# What sync keeps about the shipped folder bears the id that lies in it.
SHIPPED = "errdex-shipped"


def candidates_for(transaction: ReadTransaction, index: IndexState, query: Query) -> list[int]:
    """Return the ids of the entries that may answer a query: some seats are kept for what the cause or a sign asks for.

    A question looks further: its words are those of many entries, while an error's are its own.
    """
    knobs = weights()["recall"]
    further = int(knobs["question"]) if query.is_question else 1
    found = candidates(transaction, index, query.terms, further)
    if query.seat_terms:
        own = candidates(transaction, index, query.seat_terms, further)[: knobs["seats"] * further]
        found = list(dict.fromkeys([*own, *found]))[: knobs["candidates"] * further]
    return found


def candidates(
    transaction: ReadTransaction, index: IndexState, asked: Mapping[str, float], further: int = 1
) -> list[int]:
    """Return the ids of the entries that share the rarest of the asked terms, the best first, at most `further` times
    so many as the weights say.

    `index` is what is known of the index as the transaction sees it. `asked` maps a term to how much it counts. Equal
    ones are in the order of their ids, so that the result is the same on every database.
    """
    terms = index.terms(transaction, asked)
    terms.sort(key=lambda term: (term[2] / asked[term[1]] ** 2, term[1]))
    knobs = weights()["recall"]
    worth = _worth(terms, asked, knobs["enough"], knobs["most_postings"] * further)
    if not worth:
        return []
    scores: dict[int, float] = {}
    postings = index.postings(transaction, worth)
    # the order of the ids makes the sums the same to the last digit, whatever was read when
    for key in sorted(worth):
        own = worth[key]
        for entry in postings[key]:
            scores[entry] = scores.get(entry, 0.0) + own
    if not scores:
        return []
    floor = max(scores.values()) * knobs["least"]
    kept = sorted((-score, entry) for entry, score in scores.items() if score >= floor)
    return [entry for _, entry in kept[: knobs["candidates"] * further]]


def state(transaction: ReadTransaction) -> int:
    """Return a number that is another one after anything was published: that of the newest revision.

    Publishers take turns, so that no revision appears under a newer one.
    """
    return int(transaction.select("SELECT MAX(id) FROM revision")[0][0] or 0)


def _worth(
    terms: Sequence[KnownTerm], asked: Mapping[str, float], enough: float, most_postings: int
) -> dict[int, float]:
    """Return what sharing each of the rarest terms is worth (its inverse document frequency, squared).

    Together they are worth the part `enough` (0–1) of all asked terms. An entry that shares only the other terms is no
    candidate.
    """
    knobs = weights()["recall"]
    known = [
        (key, asked[text] * math.log(1 + size / entries) ** 2, entries)
        for key, text, entries, size in terms[: knobs["most_terms"]]
    ]
    wanted = enough * sum(worth for _, worth, _ in known)
    found: dict[int, float] = {}
    postings = 0
    for key, worth, entries in known:
        if found and (postings + entries > most_postings or wanted <= 0):
            break
        found[key] = worth
        wanted -= worth
        postings += entries
    return found


def features(
    transaction: ReadTransaction, ids: Collection[int], words: bool = True
) -> Sequence[tuple[int, int, str, str | None]]:
    """Return id, present revision and stored features of published entries, and with them the words of their texts when
    these are asked for.
    """
    which = "words" if words else "NULL"
    sql = f"SELECT id, revision, features, {which} FROM entry WHERE status = 'published' AND id IN"  # noqa: S608
    return transaction.rows(sql, list(ids)) if ids else []


def projects(transaction: ReadTransaction) -> list[str]:
    """Return the projects of published entries."""
    return [row[0] for row in transaction.select("SELECT DISTINCT project FROM entry WHERE status = 'published'")]


def shipped(transaction: ReadTransaction) -> frozenset[str]:
    """Return the slugs of the entries that came with Errdex, whatever became of them since; none where nobody knows."""
    return frozenset(row[0] for row in transaction.select("SELECT slug FROM sync_base WHERE folder = ?", [SHIPPED]))


def named(transaction: ReadTransaction, slugs: Collection[str]) -> list[int]:
    """Return the ids of the published entries with these slugs, in no order."""
    sql = "SELECT id FROM entry WHERE status = 'published' AND slug IN"
    return [row[0] for row in transaction.rows(sql, list(slugs))] if slugs else []


def revisions(transaction: ReadTransaction, ids: Collection[int]) -> dict[int, int]:
    """Return the present revision of published entries by id."""
    sql = "SELECT id, revision FROM entry WHERE status = 'published' AND id IN"
    return dict(transaction.rows(sql, list(ids))) if ids else {}
