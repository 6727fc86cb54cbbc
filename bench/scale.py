"""Many entries: how right and how quick Errdex and its peers are at 1,000, 10,000 and 109,663 raise sites."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Engine

from app.asking.question_service import Questions
from app.transfer.jsonl import import_lines
from bench import databases, peers
from bench.figures import clock, say, spread
from bench.pastes import QUERIES, SITES, folder_of, last_error_line
from bench.raise_sites import HOLE, entry, rows

SMALLER = (1_000, 10_000)
# Every engine is asked all pastes so many times. Slow ones are asked only some pastes, and once.
TURNS = 3
# The pastes of one turn may take so many seconds; the row says how many were asked.
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


Ask = Callable[[Query], str | None]


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
    with ExitStack() as stack:
        places = [_Errdex(place, stack.enter_context(place.made())) for place in _places()]
        for size in sizes:
            asked = [place.filled(sites, size) for place in places] + list(_peers(sites[:size]))
            _in_turns(asked, queries, size)
            found += [one.row(size, queries) for one in asked]
    firsts = [
        one.firsts for one in asked if one.about["engine"].startswith("Errdex") and one.about["indexed"] == FRAMES
    ]
    return {"sizes": sizes, "queries": len(queries), "turns": TURNS, "rows": found, "same_on_both": _same(firsts)}


def _in_turns(asked: Sequence["_Asked"], queries: Sequence[Query], size: int) -> None:
    """Have all engines asked in turn, several times, so that none of them has the machine's bad minutes alone."""
    for turn in range(TURNS):
        for one in asked:
            if not turn or one.every == 1:
                say(f"scale: {size} entries, {one.about['engine']}, {one.about['indexed']}, {one.about['query']}")
                one.ask_all(queries)


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


class _Errdex:
    """Errdex with a database that grows from size to size."""

    def __init__(self, place: Place, engine: Engine) -> None:
        self._place, self._engine, self._size = place, engine, 0

    def filled(self, sites: Sequence[Row], size: int) -> "_Asked":
        """Import the sites up to `size` and return what is to be asked."""
        say(f"scale: {self._place.name}, {self._place.indexed}, {size} entries are imported")
        new = sites[self._size : size]
        lines = [json.dumps(entry(site, self._place.indexed == FRAMES), ensure_ascii=False) for site in new]
        seconds = clock(lambda: import_lines(self._engine, lines))
        databases.analyze(self._engine)
        self._size = size
        # Each turn has a new one, so that nothing is kept from the turn before.
        about = {"engine": self._place.name, "indexed": self._place.indexed, "query": "whole paste"}
        return _Asked(about, lambda: _first_of(Questions(self._engine)), len(lines) / seconds)


def _first_of(asking: Questions) -> Ask:
    def first(query: Query) -> str | None:
        matches = asking.ask(query.paste).matches
        return matches[0].slug if matches else None

    return first


def _peers(sites: Sequence[Row]) -> Iterator["_Asked"]:
    """Fill the peers with the sites and return what is to be asked."""
    for kind, indexed in dict.fromkeys((contest.peer, contest.indexed) for contest in CONTESTS):
        peer = kind()
        say(f"scale: {peer.name}, {indexed}, {len(sites)} entries are filled in")
        texts = [_text(site, indexed) for site in sites]
        seconds = clock(lambda peer=peer, texts=texts: peer.fill(texts))  # type: ignore[misc]
        for contest in CONTESTS:
            if (contest.peer, contest.indexed) == (kind, indexed):
                query = "whole paste" if contest.whole else "last error line"
                about = {"engine": peer.name, "indexed": indexed, "query": query}
                first = partial(_first_of_peer, peer, contest.whole, sites)
                yield _Asked(about, lambda first=first: first, len(sites) / seconds, contest.every)  # type: ignore[misc]


def _first_of_peer(peer: peers.Peer, whole: bool, sites: Sequence[Row], query: Query) -> str | None:
    best = peer.ask(query.paste if whole else query.line)
    return str(sites[best[0][0]]["slug"]) if best else None


def _text(site: Row, indexed: str) -> str:
    message = f"{site['type']}: {HOLE.sub(' ', site['template'])}"
    return message if indexed == MESSAGE else f"{message} {site['file']} {site['function']}"


class _Asked:
    """An engine as it is asked: `about` describes it, `begin` gives what answers a query."""

    def __init__(self, about: Row, begin: Callable[[], Ask], filled_per_second: float, every: int = 1) -> None:
        self.about, self._begin, self.every = about, begin, every
        self._filled_per_second = filled_per_second
        self._spent: list[float] = []
        self.firsts: list[str | None] = []

    def ask_all(self, queries: Sequence[Query]) -> None:
        """Ask each query, or each n-th, until `PATIENCE` is used up; the first answers are those of the last turn."""
        ask, firsts, spent = self._begin(), list[str | None](), list[float]()
        for query in queries[:: self.every]:
            spent.append(clock(lambda query=query: firsts.append(ask(query))))  # type: ignore[misc]
            if sum(spent) > PATIENCE:
                break
        self._spent += spent
        self.firsts = firsts

    def row(self, size: int, queries: Sequence[Query]) -> Row:
        """Return what was measured."""
        asked = list(zip(self.firsts, queries[:: self.every], strict=False))
        shares = {
            "asked": len(asked),
            "right": sum(first in query.same for first, query in asked) / len(asked),
            "own": sum(first == query.own for first, query in asked) / len(asked),
            "silent": sum(first is None for first in self.firsts) / len(asked),
        }
        filled = {"filled_per_second": self._filled_per_second}
        return self.about | {"entries": size} | shares | spread(self._spent) | filled
