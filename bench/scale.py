"""Many entries: how right and how quick Errdex and its peers are at 1,000, 10,000 and 109,663 raise sites."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Engine

from app.exchange import import_lines
from app.search import Questions
from bench import databases, peers
from bench.figures import clock, say, spread
from bench.pastes import QUERIES, SITES, folder_of, last_error_line
from bench.raise_sites import HOLE, entry, rows

SMALLER = (1_000, 10_000)
# seconds that the pastes of one row may take; the row says how many were asked
PATIENCE = 40.0
MESSAGE, FRAMES = "message", "message, file, function"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Query:
    """A paste, its last error line, the site that printed it, and all sites that print the same."""

    paste: str
    line: str
    own: str
    same: frozenset[str]


class Contest(NamedTuple):
    """A peer, what is indexed, what it is asked with, and how many pastes: all, or each n-th where it is slow."""

    peer: Callable[[], peers.Peer]
    indexed: str
    whole: bool
    every: int


CONTESTS = (
    Contest(peers.Tantivy, FRAMES, True, 1),
    Contest(peers.Tantivy, FRAMES, False, 1),
    Contest(peers.Tantivy, MESSAGE, True, 1),
    Contest(peers.Tantivy, MESSAGE, False, 1),
    Contest(peers.Fts5, FRAMES, True, 10),
    Contest(peers.Fts5, FRAMES, False, 5),
    Contest(peers.Bm25s, FRAMES, True, 1),
    Contest(peers.Bm25s, FRAMES, False, 1),
    Contest(peers.Rapidfuzz, FRAMES, False, 50),
)


def measure() -> dict[str, Any]:
    """Return the rows of all engines; `{"absent": file}` where the raise sites are not there."""
    if not (SITES.is_file() and QUERIES.is_file()):
        return {"absent": folder_of(SITES)}
    queries = [
        Query(row["text"], last_error_line(row["text"]), row["expect"], frozenset(row["same_message"]))
        for row in rows(QUERIES)
    ]
    sites = _ordered({query.own for query in queries})
    sizes = [size for size in SMALLER if size < len(sites)] + [len(sites)]
    found: list[Row] = []
    firsts: list[list[str | None]] = []
    for place in _places():
        part, first = _errdex(place, sites, sizes, queries)
        found += part
        if place.indexed == FRAMES:
            firsts.append(first)
    found += _peers(sites, sizes, queries)
    return {"sizes": sizes, "queries": len(queries), "rows": found, "same_on_both": _same(firsts)}


def _same(firsts: Sequence[Sequence[str | None]]) -> float | None:
    """Return the share of the pastes that both databases give the same first answer; None where one was asked."""
    if len(firsts) != 2:
        return None
    one, other = firsts
    same = [first == second for first, second in zip(one, other, strict=False)]
    return sum(same) / len(same)


class Place(NamedTuple):
    """Where Errdex keeps the entries, how that is made, and what they hold."""

    name: str
    made: Callable[[], AbstractContextManager[Engine]]
    indexed: str


def _places() -> Iterator[Place]:
    yield Place("Errdex on SQLite", databases.sqlite, MESSAGE)
    yield Place("Errdex on SQLite", databases.sqlite, FRAMES)
    if databases.postgresql_version():
        yield Place("Errdex on PostgreSQL", databases.postgresql, FRAMES)
    else:
        say("no PostgreSQL server: measured on SQLite only")


def _ordered(first: set[str]) -> list[Row]:
    """Return the sites, those that a paste comes from first, so that every size can answer every paste."""
    sites = list(rows(SITES))
    random.Random(1).shuffle(sites)
    return sorted(sites, key=lambda site: site["slug"] not in first)


def _errdex(
    place: Place, sites: Sequence[Row], sizes: Sequence[int], queries: Sequence[Query]
) -> tuple[list[Row], list[str | None]]:
    found: list[Row] = []
    first: list[str | None] = []
    with place.made() as engine:
        done = 0
        for size in sizes:
            say(f"scale: {place.name}, {place.indexed}, {size} entries")
            lines = [json.dumps(entry(site, place.indexed == FRAMES), ensure_ascii=False) for site in sites[done:size]]
            seconds = clock(lambda lines=lines: import_lines(engine, lines))  # type: ignore[misc]
            databases.analyze(engine)
            # a new one for each size, so that nothing is kept from the smaller one
            asking = Questions(engine)
            row, first = _asked(lambda query, asking=asking: _first(asking, query.paste), queries)  # type: ignore[misc]
            about = {"engine": place.name, "indexed": place.indexed, "query": "whole paste", "entries": size}
            found.append(about | row | {"filled_per_second": (size - done) / seconds})
            done = size
    return found, first


def _first(asking: Questions, paste: str) -> str | None:
    matches = asking.ask(paste).matches
    return matches[0].slug if matches else None


def _peers(sites: Sequence[Row], sizes: Sequence[int], queries: Sequence[Query]) -> list[Row]:
    found: list[Row] = []
    kinds = dict.fromkeys((contest.peer, contest.indexed) for contest in CONTESTS)
    for size in sizes:
        for kind, indexed in kinds:
            peer = kind()
            say(f"scale: {peer.name}, {indexed}, {size} entries")
            texts = [_text(site, indexed) for site in sites[:size]]
            seconds = clock(lambda peer=peer, texts=texts: peer.fill(texts))  # type: ignore[misc]
            for contest in CONTESTS:
                if (contest.peer, contest.indexed) == (kind, indexed):
                    about = {"engine": peer.name, "indexed": indexed, "entries": size}
                    row = _contested(peer, contest, sites, queries)
                    found.append(about | row | {"filled_per_second": size / seconds})
    return found


def _contested(peer: peers.Peer, contest: Contest, sites: Sequence[Row], queries: Sequence[Query]) -> Row:
    def first(query: Query) -> str | None:
        best = peer.ask(query.paste if contest.whole else query.line)
        return str(sites[best[0][0]]["slug"]) if best else None

    row, _ = _asked(first, queries[:: contest.every])
    return row | {"query": "whole paste" if contest.whole else "last error line"}


def _text(site: Row, indexed: str) -> str:
    message = f"{site['type']}: {HOLE.sub(' ', site['template'])}"
    return message if indexed == MESSAGE else f"{message} {site['file']} {site['function']}"


def _asked(ask: Callable[[Query], str | None], queries: Sequence[Query]) -> tuple[Row, list[str | None]]:
    spent: list[float] = []
    firsts: list[str | None] = []
    for query in queries:
        spent.append(clock(lambda query=query: firsts.append(ask(query))))  # type: ignore[misc]
        if sum(spent) > PATIENCE:
            break
    asked = list(zip(firsts, queries, strict=False))
    shares = {
        "asked": len(asked),
        "right": sum(first in query.same for first, query in asked) / len(asked),
        "own": sum(first == query.own for first, query in asked) / len(asked),
        "silent": sum(first is None for first in firsts) / len(asked),
    }
    return shares | spread(spent), firsts
