#!/usr/bin/env python3
"""Let many clients try wrong passwords, and compare what everybody else waits with what they wait in quiet.

    python -m bench.sign_in [--database postgresql] [--clients 20 100] [--seconds 8] [--one-account]

Each try comes from a /64 of its own, as a trusted proxy names it, so no limit by address holds it back; with
`--one-account` all are for one name, else each is for another. Each client waits half a second between two tries.
Beside them one client votes, one submits and one reads the front page, again and again. Talks to loopback only.
"""

import argparse
import http.client
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import quantiles
from threading import Event
from urllib.parse import urlencode

from bench import databases, servers
from bench.figures import say

PAUSE_TRY, PAUSE_ELSE = 0.5, 0.05
PATIENCE = 60
FORM = {"content-type": "application/x-www-form-urlencoded"}
VOTED = "verl/tensordict-membership-check"
Send = Callable[[http.client.HTTPConnection, int], int]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--clients", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--one-account", action="store_true")
    given = parser.parse_args()
    with getattr(databases, given.database)() as engine:
        url = engine.url.render_as_string(hide_password=False)
        with servers.errdex(url) as port:
            quiet = _phase(port, 0, given, 0)
            print(_row("clients", "what", "p50 ms", "p99 ms", "p50 to quiet", "p99 to quiet", "answers"))
            _print(0, quiet, quiet)
            for number, clients in enumerate(given.clients, 1):
                say(f"{clients} clients")
                _print(clients, _phase(port, clients, given, number), quiet)


Seen = tuple[list[float], Counter[int]]


def _phase(port: int, clients: int, given: argparse.Namespace, phase: int) -> dict[str, Seen]:
    """Run all clients for a while; return by what was sent the seconds it took and the statuses of the answers."""
    others: Mapping[str, Send] = {"vote": _vote, "submission": _submission(phase), "front page": _front_page}
    # The many clients have a process of their own, so that the three others wait for the server and not for them.
    with ProcessPoolExecutor(1, get_context("spawn")) as aside:
        tries = aside.submit(_try, port, clients, given.seconds, given.one_account, phase)
        seen = _together([partial(_client, port, send, PAUSE_ELSE) for send in others.values()], given.seconds)
        found = dict(zip(others, seen, strict=True))
        if clients:
            found["wrong sign-in"] = tries.result()
        return found


def _try(port: int, clients: int, seconds: float, one_account: bool, phase: int) -> Seen:
    wrong = [_wrong(phase, number, one_account) for number in range(clients)]
    seen = _together([partial(_client, port, send, PAUSE_TRY) for send in wrong], seconds)
    return [took for one, _ in seen for took in one], sum((statuses for _, statuses in seen), Counter())


def _together(clients: Sequence[Callable[[Event], Seen]], seconds: float) -> list[Seen]:
    """Run clients side by side for so long."""
    ended = Event()
    with ThreadPoolExecutor(len(clients) or 1) as pool:
        running = [pool.submit(client, ended) for client in clients]
        time.sleep(seconds)
        ended.set()
        return [one.result() for one in running]


def _client(port: int, send: Send, pause: float, ended: Event) -> Seen:
    """Send again and again until the end; a number counts the turns."""
    took, statuses, turn = list[float](), Counter[int](), 0
    while not ended.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        before = time.perf_counter()
        try:
            statuses[send(connection, turn)] += 1
        except OSError:
            statuses[0] += 1
        finally:
            connection.close()
        took.append(time.perf_counter() - before)
        turn += 1
        ended.wait(pause)
    return took, statuses


def _asked(
    connection: http.client.HTTPConnection, method: str, path: str, body: str, headers: Mapping[str, str]
) -> int:
    connection.request(method, path, body.encode(), dict(headers))
    answer = connection.getresponse()
    answer.read()
    return answer.status


def _wrong(phase: int, number: int, one_account: bool) -> Send:
    def send(connection: http.client.HTTPConnection, turn: int) -> int:
        name = "victim" if one_account else f"victim-{phase}-{number}-{turn}"
        address = {"x-forwarded-for": f"2001:db8:{number + 1:x}:{phase * 4096 + turn:x}::1"}
        body = urlencode({"name": name, "password": f"wrong password {turn}"})
        return _asked(connection, "POST", "/en/sign-in", body, FORM | address)

    return send


def _vote(connection: http.client.HTTPConnection, _turn: int) -> int:
    return _asked(connection, "POST", f"/en/e/{VOTED}/feedback", urlencode({"vote": "solved"}), FORM)


def _submission(phase: int) -> Send:
    def send(connection: http.client.HTTPConnection, turn: int) -> int:
        text = {
            "title": f"Valve {phase} {turn}",
            "body": "## Symptom\n\nFrozen.\n\n## Cause\n\nCold.\n\n## Fix\n\nWarm it.",
        }
        entry = {"slug": f"bench/valve-{phase}-{turn}", "updated": "2026-11-20", "en": text}
        return _asked(
            connection,
            "POST",
            "/api/v1/submissions",
            json.dumps({"entry": entry}),
            {"content-type": "application/json"},
        )

    return send


def _front_page(connection: http.client.HTTPConnection, _turn: int) -> int:
    return _asked(connection, "GET", "/en/", "", {})


def _print(clients: int, seen: Mapping[str, Seen], quiet: Mapping[str, Seen]) -> None:
    for name, (took, statuses) in seen.items():
        found = _percentiles(took)
        base = _percentiles(quiet[name][0]) if name in quiet else None
        ratios = [f"{one / other:.1f}" for one, other in zip(found, base, strict=True)] if base else ["", ""]
        told = ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items()))
        print(_row(str(clients), name, *(f"{one * 1000:.0f}" for one in found), *ratios, told), flush=True)


def _percentiles(took: list[float]) -> tuple[float, float]:
    if len(took) < 2:
        return (took[0], took[0]) if took else (math.nan, math.nan)
    cut = quantiles(took, n=100, method="inclusive")
    return cut[49], cut[98]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
