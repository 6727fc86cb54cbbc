"""The clients of the soak: each writes entries of its own, remembers what was acknowledged, and reads."""

import http.client
import json
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any
from urllib.parse import urlencode

_LETTERS = "bcdfghklmn"
_PATIENCE = 60
# The server closes a connection after so many seconds without a request, so one that has rested so long is opened anew.
_KEPT = 4
_FORM = {"content-type": "application/x-www-form-urlencoded"}
_JSON = {"content-type": "application/json"}
NO_ANSWER = 0
PROJECT = "soak"


@dataclass(slots=True)
class Proposed:
    """A submission that was sent once. `number` and `token` are 0 and empty when no acknowledgement came.

    `amended` and `approved` say what was acknowledged after that; `revision` is the one that an approval makes.
    """

    slug: str
    note: str
    title: str
    revision: int
    number: int = 0
    token: str = ""
    amended: bool = False
    approved: bool = False


@dataclass(slots=True)
class Seen:
    """What a client saw: its submissions, the statuses of all answers, and seconds from publishing to finding."""

    proposed: list[Proposed] = field(default_factory=list)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    asked_again: int = 0


class Client:
    """One client. Run it in a thread of its own."""

    def __init__(self, number: int, port: int, cookie: str, ended: Event, pause: float = 0.0) -> None:
        """`pause` are the seconds between the beginnings of two requests."""
        self.seen = Seen()
        self._pause = pause
        # The clients do not begin all at once.
        self._next = time.monotonic() + random.random() * pause
        self._used: dict[http.client.HTTPConnection, float] = {}
        self._number = number
        self._port = port
        self._cookie = cookie
        self._ended = ended
        self._writing, self._reading = self._connection(), self._connection()

    def run(self) -> Seen:
        """Work until the end; return what was seen."""
        turn = 0
        while not self._ended.is_set():
            self._turn(turn)
            turn += 1
        return self.seen

    def _turn(self, turn: int) -> None:
        name = f"c{self._number}-t{turn}"
        message = f"SoakError: {_words(self._number)} lost {_words(turn)}"
        first = self._propose(Proposed(f"{PROJECT}/{name}", f"{name} new", message, 1), message)
        if not (first.token and self._amend(first, message) and self._approve(first, version=2)):
            return
        self._find(first.slug, message)
        self._read(first.slug)
        change = self._propose(Proposed(first.slug, f"{name} change", f"{message}, changed", 2), message)
        if change.token:
            self._approve(change, version=1)

    def _propose(self, sent: Proposed, message: str) -> Proposed:
        entry = {
            "slug": sent.slug,
            "updated": "2026-11-20",
            "signatures": [{"pattern": message}],
            "en": {"title": sent.title, "body": "## Fix\n\nFind it again."},
        }
        self.seen.proposed.append(sent)
        body = json.dumps({"entry": entry, "note": sent.note}).encode()
        status, answer = self._ask("submit", "POST", "/api/v1/submissions", body, _JSON)
        if status == 201:
            found = json.loads(answer)
            sent.number, sent.token = found["id"], found["token"]
        return sent

    def _amend(self, sent: Proposed, message: str) -> bool:
        title = f"{sent.title}, amended"
        project, _, name = sent.slug.partition("/")
        fields = {
            "project": project,
            "name": name,
            "signature": message,
            "title": title,
            "fix": "Look.",
            "version": "1",
        }
        status = self._post("amend", f"/en/review/{sent.number}/amend", fields)
        if status == 303:
            sent.amended, sent.title = True, title
        return sent.amended

    def _approve(self, sent: Proposed, version: int) -> bool:
        status = self._post("approve", f"/en/review/{sent.number}/approve", {"version": str(version)})
        sent.approved = status == 303
        return sent.approved

    def _find(self, slug: str, message: str) -> None:
        """Ask on the other connection until the entry is found, from the moment that its approval was acknowledged."""
        began = time.perf_counter()
        body = json.dumps({"text": message}).encode()
        while not self._ended.is_set():
            status, answer = self._ask("match", "POST", "/api/v1/match", body, _JSON, reading=True)
            if status == 200 and any(found["slug"] == slug for found in json.loads(answer)["matches"]):
                self.seen.delays.append(time.perf_counter() - began)
                return
            self.seen.asked_again += status == 200

    def _read(self, slug: str) -> None:
        self._ask("page", "GET", f"/en/e/{slug}", reading=True)
        self._ask("search", "GET", f"/api/v1/search?{urlencode({'q': 'lost cuda'})}", reading=True)

    def _post(self, kind: str, path: str, fields: Mapping[str, str]) -> int:
        return self._ask(kind, "POST", path, urlencode(fields).encode(), _FORM)[0]

    def _ask(
        self, kind: str, method: str, path: str, body: bytes = b"", head: Mapping[str, str] | None = None, *,
        reading: bool = False,
    ) -> tuple[int, bytes]:  # fmt: skip
        """Send a request once; return status and body, `NO_ANSWER` when the connection broke."""
        connection = self._reading if reading else self._writing
        self._wait()
        if time.monotonic() - self._used.get(connection, 0.0) > _KEPT:
            connection.close()
        self._used[connection] = time.monotonic()
        try:
            connection.request(method, path, body, {"cookie": self._cookie, **(head or {})})
            found = connection.getresponse()
            status, answer = found.status, found.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            status, answer = NO_ANSWER, b""
        self.seen.statuses[kind, status] += 1
        return status, answer

    def _wait(self) -> None:
        if self._pause:
            self._ended.wait(max(0.0, self._next - time.monotonic()))
            self._next = max(self._next, time.monotonic()) + self._pause

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=_PATIENCE)


def _words(number: int) -> str:
    """Return a word for a number; a number itself would be masked."""
    return "".join(_LETTERS[int(digit)] + "ao"[place % 2] for place, digit in enumerate(f"{number:04}"))


def together(seen: list[Seen]) -> dict[str, Any]:
    """Return the statuses and delays of all clients."""
    statuses: Counter[tuple[str, int]] = Counter()
    for one in seen:
        statuses.update(one.statuses)
    return {
        "statuses": statuses,
        "delays": [delay for one in seen for delay in one.delays],
        "asked_again": sum(one.asked_again for one in seen),
    }
