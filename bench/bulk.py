#!/usr/bin/env python3
"""Import many entries into each database, and print what they take: time, room, memory, and the time of a question.

    python -m bench.bulk [--entries 100000]

The entries are the raise sites of ../shared where those are, and made of words where there are none or too few. Each
database is filled and asked in a process of its own. Prints Markdown. Talks to loopback only; PostgreSQL is left out
where ERRDEX_BENCH_POSTGRESQL (default: port 5432 of 127.0.0.1) does not answer.
"""

import argparse
import gc
import json
import multiprocessing
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from itertools import chain, islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from sqlalchemy import Engine, text

from app.asking.question_service import Questions
from app.transfer.jsonl import import_lines
from bench import databases, machine
from bench.figures import clock, say, spread
from bench.pastes import QUERIES, SITES, shipped
from bench.raise_sites import UPDATED, entry, rows

ENTRIES = 100_000
EXAMPLES = 200
MIB = 2**20
WORDS = ("valve", "pump", "gauge", "rotor", "flange", "nozzle", "piston", "gasket", "boiler", "spindle")
STATES = ("stuck", "frozen", "worn", "cracked", "leaking", "bent", "missing", "reversed", "overheated", "loose")

# SQLite says what each table and its indexes take by the pages they are on
_PAGES = """
SELECT coalesce(schema.tbl_name, pages.name), sum(pages.pgsize) FROM dbstat AS pages
LEFT JOIN sqlite_schema AS schema ON schema.name = pages.name WHERE pages.aggregate = TRUE GROUP BY 1
"""
_RELATIONS = "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables"

Figures = dict[str, Any]
Place = Callable[[], AbstractContextManager[Engine]]


def lines(number: int) -> Iterator[str]:
    """Yield entries as JSON lines: the raise sites first, then made ones."""
    sites = (entry(site, True) for site in rows(SITES)) if SITES.is_file() else iter(())
    made = (_made(at) for at in range(number))
    for one in islice(chain(sites, made), number):
        yield json.dumps(one, ensure_ascii=False)


def _made(at: int) -> dict[str, Any]:
    pick = random.Random(at)
    words = " ".join(f"{pick.choice(WORDS)} {pick.randrange(16**4):x}" for _ in range(3))
    title = f"The {words} is {pick.choice(STATES)}"
    signatures = [{"pattern": f"PlantError: {title}"}, {"frame": f"plant/{pick.choice(WORDS)}_{at % 997}.py:turn"}]
    return {"slug": f"plant/v{at}", "updated": UPDATED, "signatures": signatures, "en": {"title": title, "body": ""}}


def pastes() -> list[str]:
    """Return what is asked: the pastes of ../shared, else examples of the repository's entries."""
    if QUERIES.is_file():
        return [str(row["text"]) for row in rows(QUERIES)]
    return [text for document in shipped() for text in document.examples][:EXAMPLES]


def measure(name: str, entries: int) -> Figures:
    """Return the figures of one database; run it in a process of its own, whose peak of memory is one of them."""
    place, sizes = PLACES[name]
    with place() as engine:
        done: list[Any] = []
        seconds = clock(lambda: done.append(import_lines(engine, lines(entries))))
        peak, helper = _peak(), getrusage(RUSAGE_CHILDREN).ru_maxrss * 1024
        total, tables = sizes(engine)
        asked, questions = pastes(), Questions(engine)
        gc.collect()
        spent = [clock(lambda paste=paste: questions.ask(paste)) for paste in asked]  # type: ignore[misc]
    about = {"database": name, "added": done[0].added, "broken": len(done[0].broken), "seconds": seconds}
    room = {"peak": peak, "helper": helper, "total": total, "tables": tables}
    return about | room | {"asked": len(asked)} | spread(spent)


def _peak() -> int:
    rows = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmHWM")) * 1024


def _of_sqlite(engine: Engine) -> tuple[int, dict[str, int]]:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        raw = connection.connection
        for statement in ("VACUUM", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"):
            # This statement must run outside of a transaction, and SQLAlchemy would begin one.
            raw.cursor().execute(statement).fetchall()
        cursor = raw.cursor()
        tables = dict(cursor.execute(_PAGES).fetchall())
    return Path(str(engine.url.database)).stat().st_size, tables


def _of_postgresql(engine: Engine) -> tuple[int, dict[str, int]]:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))
        total = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return int(total), {name: int(size) for name, size in connection.execute(text(_RELATIONS))}


PLACES: dict[str, tuple[Place, Callable[[Engine], tuple[int, dict[str, int]]]]] = {
    "SQLite": (databases.sqlite, _of_sqlite),
    "PostgreSQL": (databases.postgresql, _of_postgresql),
}


def page(found: list[Figures], about: dict[str, str]) -> str:
    """Return the figures as Markdown."""
    head = ("", *(figures["database"] for figures in found))
    body: list[tuple[str, ...]] = [
        ("entries", *(f"{figures['added']:,}" for figures in found)),
        ("lines not taken", *(f"{figures['broken']:,}" for figures in found)),
        ("imported, entries a second", *(f"{figures['added'] / figures['seconds']:,.0f}" for figures in found)),
        ("peak memory of the import, MiB", *(f"{figures['peak'] / MIB:,.0f}" for figures in found)),
        ("of the largest process that helps, MiB", *(f"{figures['helper'] / MIB:,.0f}" for figures in found)),
        ("on disk, MiB", *(f"{figures['total'] / MIB:,.1f}" for figures in found)),
        ("on disk, KiB an entry", *(f"{figures['total'] / 1024 / figures['added']:.2f}" for figures in found)),
    ]
    tables = sorted(set().union(*(figures["tables"] for figures in found)), key=lambda name: -_largest(found, name))
    for name in tables:
        if _largest(found, name) >= MIB:
            cells = (f"{figures['tables'].get(name, 0) / MIB:,.1f}" for figures in found)
            body.append((f"table `{name}` with its indexes, MiB", *cells))
    body += [
        ("pastes asked", *(f"{figures['asked']:,}" for figures in found)),
        ("a question, median ms", *(f"{figures['median_ms']:.2f}" for figures in found)),
        ("a question, p99 ms", *(f"{figures['p99_ms']:.2f}" for figures in found)),
    ]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *body))
    return f"## Bulk\n\n{table}\n\n{'; '.join(f'{what} {which}' for what, which in about.items())}.\n"


def _largest(found: list[Figures], name: str) -> int:
    return max(int(figures["tables"].get(name, 0)) for figures in found)


def main() -> None:
    """Measure each database that is there, and print the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    asked = parser.parse_args()
    about = machine.described()
    names = list(PLACES)
    if version := databases.postgresql_version():
        about["PostgreSQL"] = version
    else:
        names.remove("PostgreSQL")
        say("PostgreSQL is not measured: no server answers")
    found: list[Figures] = []
    for name in names:
        say(f"{name}: {asked.entries:,} entries")
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
            found.append(alone.submit(measure, name, asked.entries).result())
    print(page(found, about))


if __name__ == "__main__":
    main()
