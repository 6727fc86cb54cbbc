#!/usr/bin/env python3
"""Write and read for a while, kill workers meanwhile, and count what was acknowledged and is not there.

    python -m bench.soak [--database URL] [--seconds 60] [--clients 20] [--workers 2] [--kill-every 10] [--rate 0]

`--database` is the address of a PostgreSQL server's maintenance database, beside which one is made and dropped again;
without it an SQLite file is used. `--kill-every 0` kills none, `--rate` holds all clients together to so many requests
a second (0: as many as they can). The memory of the workers is told after 1, 10, 30 and 60 minutes and at the end. Ends
with 1 when an acknowledged write is lost or doubled. Talks to loopback only.
"""

import argparse
import os
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from sqlalchemy import Engine, create_engine, make_url, text

from app.config import Settings
from app.people import accounts
from app.store.engine import connect
from app.store.migrate import migrate
from app.store.session import writing
from app.web.authorization import SESSION_COOKIE
from bench import machine, soak_check, soak_memory, soak_server
from bench.figures import say, spread
from bench.soak_check import Verdict
from bench.soak_clients import NO_ANSWER, Client, Seen, together


def main() -> None:
    """Soak, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="maintenance database of a PostgreSQL server (default: SQLite)")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill-every", type=float, default=10, help="seconds between two kills; 0: none")
    parser.add_argument("--rate", type=float, default=0, help="requests a second of all clients together; 0: no limit")
    given = parser.parse_args()
    if given.kill_every and given.workers < 2:
        parser.error("one worker has no supervisor that could bring it back; take two or more")
    about = machine.described()
    with tempfile.TemporaryDirectory() as folder, _database(given.database, Path(folder)) as settings:
        engine = connect(settings)
        migrate(settings, engine)
        seen, about_server = _soak(settings, engine, given, Path(folder) / "server.log")
        verdict = soak_check.check(engine, [sent for one in seen for sent in one.proposed])
        engine.dispose()
    print("\n".join(_page(given, about, together(seen) | about_server, verdict)))
    if sum(verdict.lost.values()) + sum(verdict.duplicated.values()) or verdict.broken:
        sys.exit(1)


@contextmanager
def _database(server: str, folder: Path) -> Iterator[Settings]:
    if not server:
        yield Settings(database_url=f"sqlite:///{folder / 'soak.db'}")
        return
    name = f"errdex_soak_{os.getpid()}"
    _on_server(server, f"CREATE DATABASE {name}")
    try:
        yield Settings(database_url=make_url(server).set(database=name).render_as_string(hide_password=False))
    finally:
        _on_server(server, f"DROP DATABASE {name} WITH (FORCE)")


def _on_server(server: str, statement: str) -> None:
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


def _soak(
    settings: Settings, engine: Engine, given: argparse.Namespace, log: Path
) -> tuple[list[Seen], dict[str, Any]]:
    cookie = f"{SESSION_COOKIE}={_signed_in(engine)}"
    port, ended = _free_port(), Event()
    url = settings.url.render_as_string(hide_password=False)
    with (
        soak_server.serving(url, port, given.workers, log) as supervisor,
        ThreadPoolExecutor(given.clients + 2) as pool,
    ):
        kills = f"one worker killed every {given.kill_every:g} s" if given.kill_every else "no worker killed"
        say(f"{given.clients} clients for {given.seconds:g} s, {kills}")
        pause = given.clients / given.rate if given.rate else 0.0
        clients = [Client(number, port, cookie, ended, pause) for number in range(given.clients)]
        try:
            running = [pool.submit(client.run) for client in clients]
            watching = pool.submit(soak_memory.watch, supervisor, given.seconds, ended)
            every = given.kill_every or None
            killing = pool.submit(soak_server.kill_now_and_then, supervisor, given.workers, every, ended)
            time.sleep(given.seconds)
        finally:
            ended.set()
        seen, took = [one.result() for one in running], killing.result()
    return seen, {"took": took, "memory": watching.result(), "log": log.read_text(encoding="utf-8")}


def _signed_in(engine: Engine) -> str:
    key = accounts.signing_key(engine, "")
    person = accounts.add_person(engine, "soak", "a password for an hour")
    with writing(engine) as session:
        return accounts.open_session(session, person.id or 0, 1, key)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _page(given: argparse.Namespace, about: dict[str, str], found: dict[str, Any], verdict: Verdict) -> Iterator[str]:
    database = "PostgreSQL" if given.database else f"SQLite {about['SQLite']}"
    yield f"{database}; {about['processor']}; load before the run {about['load before the run']}"
    yield f"{given.clients} clients, {given.workers} workers, {given.seconds:g} s, {len(found['took'])} workers killed"
    yield ""
    yield "| write | acknowledged | lost | twice |"
    yield "|---|---|---|---|"
    for kind in soak_check.KINDS:
        yield f"| {kind} | {verdict.acknowledged[kind]:,} | {verdict.lost[kind]} | {verdict.duplicated[kind]} |"
    yield ""
    yield from _answers(found["statuses"])
    yield ""
    if not given.rate:
        # A client that is held to a rate pauses between publishing and looking.
        yield from _delays(found)
        yield ""
    yield from soak_memory.table(found["memory"])
    yield ""
    yield f"tracebacks in the server's log: {found['log'].count('Traceback')}"
    yield from (f"BROKEN {what}" for what in verdict.broken)


def _answers(statuses: Counter[tuple[str, int]]) -> Iterator[str]:
    kinds = sorted({kind for kind, _ in statuses})
    codes = sorted({status for _, status in statuses})
    yield "| request | " + " | ".join("no answer" if code == NO_ANSWER else str(code) for code in codes) + " |"
    yield "|---" * (len(codes) + 1) + "|"
    for kind in kinds:
        yield f"| {kind} | " + " | ".join(f"{statuses[kind, code]:,}" for code in codes) + " |"


def _delays(found: dict[str, Any]) -> Iterator[str]:
    if found["delays"]:
        delay = spread(found["delays"])
        times = f"median {delay['median_ms']:.1f} ms, p99 {delay['p99_ms']:.1f} ms, most {max(found['delays']):.2f} s"
        yield f"acknowledged → found on another connection: {times} ({len(found['delays']):,} entries)"
        yield f"questions that did not find what was published: {found['asked_again']}"
    if found["took"]:
        yield f"killed → as many workers again: {', '.join(f'{seconds:.1f}' for seconds in found['took'])} s"


if __name__ == "__main__":
    main()
