#!/usr/bin/env python3
"""Readers and writers beside callers who mean harm: wrong sign-ins, all at once, and bodies that do not come to an end.

    python -m bench.hostile_clients [--seconds 10] [--sign-ins 100] [--bodies 50] [--only sqlite|postgresql]

On an SQLite file and, where there is a server (ERRDEX_BENCH_POSTGRESQL), on PostgreSQL. Ordinary readers and writers
come at the same rate in a quiet part and in a hostile one; what counts is the ratio of the two, in one run. Ends with 1
when the 99th percentile of the readers' times is more than 5 times that of the quiet part, or a writer got no answer or
was refused. Talks to loopback only.
"""

import argparse
import http.client
import json
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Engine

from app.people import accounts
from bench import databases, machine, soak_server
from bench.figures import say, spread
from bench.soak_clients import NO_ANSWER

ALLOWED_RATIO = 5
READERS, WRITERS = 8, 2
# So many seconds lie between the beginnings of two requests of one reader or writer.
READING_PAUSE, WRITING_PAUSE = 0.2, 0.5
PATIENCE = 60
PERSON = "hostile"
PATHS = ("/en/", "/zh/browse", "/en/search?q=cuda+error", "/api/v1/entries", "/en/e/verl/wandb-proxy")
# Each body that is held open promises the first number of bytes, sends the second at once, and then one byte a second.
PROMISED, SENT = 16 * 2**20, 300 * 1024
_JSON = {"content-type": "application/json"}
_FORM = {"content-type": "application/x-www-form-urlencoded"}


@dataclass(slots=True)
class Seen:
    """Statuses and seconds of the answers that one kind of caller got."""

    statuses: Counter[int] = field(default_factory=Counter)
    took: list[float] = field(default_factory=list)

    def ask(self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes, head: Any) -> None:
        """Send one request and note what came of it."""
        began = time.perf_counter()
        try:
            connection.request(method, path, body, head)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            connection.close()
            status = NO_ANSWER
        self.statuses[status] += 1
        self.took.append(time.perf_counter() - began)


def main() -> None:
    """Measure on each database, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="length of each of the two parts")
    parser.add_argument("--sign-ins", type=int, default=100)
    parser.add_argument("--bodies", type=int, default=50)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    given = parser.parse_args()
    kinds: dict[str, Callable[[], AbstractContextManager[Engine]]] = {"sqlite": databases.sqlite}
    if databases.postgresql_version():
        kinds["postgresql"] = databases.postgresql
    about = machine.described()
    print(f"{about['processor']}; load before the run {about['load before the run']}")
    print(f"{given.sign_ins} wrong sign-ins at once, {given.bodies} bodies held, {given.seconds:g} s each part\n")
    good = [_measure(kind, made, given) for kind, made in kinds.items() if given.only in (None, kind)]
    if not all(good):
        sys.exit(1)


def _measure(kind: str, made: Callable[[], AbstractContextManager[Engine]], given: argparse.Namespace) -> bool:
    with made() as engine, tempfile.TemporaryDirectory() as folder:
        accounts.add_person(engine, PERSON, "a password that nobody guesses")
        url, port = engine.url.render_as_string(hide_password=False), _free_port()
        engine.dispose()
        with soak_server.serving(url, port, 1, Path(folder) / "log"):
            say(f"{kind}: quiet")
            _part(port, 2)
            quiet = _part(port, given.seconds)
            say(f"{kind}: hostile")
            hostile = _part(port, given.seconds, given.sign_ins, given.bodies)
    return _tell(kind, quiet, hostile)


def _part(port: int, seconds: float, sign_ins: int = 0, bodies: int = 0) -> dict[str, Seen]:
    seen = {"readers": Seen(), "writers": Seen(), "sign-ins": Seen()}
    ended = Event()
    with ThreadPoolExecutor(READERS + WRITERS + sign_ins + 1) as pool:
        pool.submit(_hold, port, bodies, ended)
        for number in range(READERS):
            requests: Iterator[tuple[str, str, bytes, dict[str, str]]] = (
                ("GET", PATHS[turn % len(PATHS)], b"", {}) for turn in count(number)
            )
            pool.submit(_keep_asking, port, seen["readers"], requests, READING_PAUSE, ended)
        for number in range(WRITERS):
            pool.submit(_keep_asking, port, seen["writers"], _submissions(number), WRITING_PAUSE, ended)
        trying = [pool.submit(_sign_in, port, seen["sign-ins"]) for _ in range(sign_ins)]
        try:
            time.sleep(seconds)
            for one in trying:
                one.result()
        finally:
            ended.set()
    return seen


def _keep_asking(port: int, seen: Seen, requests: Iterator[Any], pause: float, ended: Event) -> None:
    connection = _connection(port)
    # Requests are sent at a steady rate, however slow the answers are; those that a late answer held up follow at once.
    due = time.monotonic()
    while not ended.wait(max(0.0, due - time.monotonic())):
        due += pause
        seen.ask(connection, *next(requests))
    connection.close()


def _submissions(number: int) -> Iterator[tuple[str, str, bytes, dict[str, str]]]:
    for turn in count():
        name = f"w{number}-{time.time_ns()}-{turn}"
        entry = {
            "slug": f"hostile/{name}",
            "updated": "2026-11-20",
            "signatures": [{"pattern": f"ValveError: {name} is stuck"}],
            "en": {"title": f"{name} is stuck", "body": "## Fix\n\nTurn it."},
        }
        yield "POST", "/api/v1/submissions", json.dumps({"entry": entry}).encode(), _JSON


def _sign_in(port: int, seen: Seen) -> None:
    connection = _connection(port)
    fields = urlencode({"name": PERSON, "password": "guessed"}).encode()
    seen.ask(connection, "POST", "/en/sign-in", fields, _FORM)
    connection.close()


def _hold(port: int, bodies: int, ended: Event) -> None:
    """Hold so many requests open whose bodies come a byte a second, after some that came at once."""
    head = (
        f"POST /api/v1/match HTTP/1.1\r\nhost: errdex\r\ncontent-type: text/plain\r\ncontent-length: {PROMISED}\r\n\r\n"
    )
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE)) for _ in range(bodies)]
        for connection in opened:
            with suppress(OSError):
                connection.sendall(head.encode() + b"x" * SENT)
        while not ended.wait(1):
            for connection in opened:
                # The server may have closed the connection, as it should.
                with suppress(OSError):
                    connection.sendall(b"x")


def _tell(kind: str, quiet: dict[str, Seen], hostile: dict[str, Seen]) -> bool:
    print(f"{kind}\n")
    print("| who | part | answers | median, ms | p99, ms | slowest, ms |")
    print("|---|---|---|---|---|---|")
    for who in ("readers", "writers", "sign-ins"):
        for part, seen in (("quiet", quiet[who]), ("hostile", hostile[who])):
            if seen.took:
                codes = ", ".join(f"{status or 'none'}: {number:,}" for status, number in sorted(seen.statuses.items()))
                times = spread(seen.took)
                row = (who, part, codes, f"{times['median_ms']:.0f}", f"{times['p99_ms']:.0f}")
                print("| " + " | ".join((*row, f"{max(seen.took) * 1000:.0f}")) + " |")
    p99 = {part: spread(seen["readers"].took)["p99_ms"] for part, seen in (("quiet", quiet), ("hostile", hostile))}
    ratio = p99["hostile"] / p99["quiet"]
    refused = sum(number for status, number in hostile["writers"].statuses.items() if status != 201)
    refused += sum(number for status, number in hostile["readers"].statuses.items() if status != 200)
    print(f"\nreaders' p99, hostile to quiet: {ratio:.1f} (allowed: {ALLOWED_RATIO}); refused: {refused}\n")
    return ratio <= ALLOWED_RATIO and not refused


def _connection(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
