"""How long we wait for a PostgreSQL server that does not answer, or whose host is gone and left connections open."""

from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus
from sqlalchemy import URL, Engine, event

# These are parameters of libpq. An attempt to connect is given up after `connect_timeout` seconds; the keepalives ask a
# silent host whether it is still there; a host that does not confirm what it was sent is taken for gone after
# `tcp_user_timeout` milliseconds.
PATIENCE: dict[str, int] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# We wait so many seconds longer than the server does, so that its own word about a slow statement comes first.
AFTERWARDS = 2.0
LEAST_SECONDS = 5.0
# For so many seconds after a vain attempt to connect nobody else waits for a connection.
PAUSE = 2.0
Returned = TypeVar("Returned")


def patience(url: URL) -> dict[str, int]:
    """Return those parameters of a connection that its address does not set itself."""
    return {name: value for name, value in PATIENCE.items() if name not in url.query}


def limit_statements(engine: Engine, request_seconds: float) -> None:
    """Limit each statement of an engine, which must not have connected yet, to half of a request's time.

    It leaves time to find out that the database cannot be connected to either.
    """
    event.listen(engine, "do_connect", PostgresConnector(max(LEAST_SECONDS, request_seconds / 2), engine.url))


class PostgresConnector:
    """Makes connections that do not wait longer than `seconds` for an answer."""

    def __init__(self, seconds: float, url: URL) -> None:
        self._seconds = seconds + AFTERWARDS
        # If the database address has options of its own, only those are used.
        self._options = {} if "options" in url.query else {"options": f"-c statement_timeout={int(seconds * 1000)}"}
        self._lock = Lock()
        self._shut_until = 0.0

    def __call__(self, _dialect: object, _record: object, words: list[Any], options: dict[str, Any]) -> object:
        """Return a connection. Raises `psycopg.OperationalError`, and does so at once when another attempt has just
        failed.
        """
        with self._lock:
            if monotonic() < self._shut_until:
                raise psycopg.OperationalError("the server did not answer a moment ago")
        try:
            made = _Limited.connect(*words, **(options | self._options))
        except psycopg.errors.ConnectionTimeout:
            with self._lock:
                self._shut_until = monotonic() + PAUSE
            raise
        made.seconds = self._seconds
        return made


class _Limited(psycopg.Connection[Any]):
    """A connection that is closed when an answer does not come in time.

    The limit of the server itself does not help where the server, or something before it, has stopped.
    """

    seconds = LEAST_SECONDS

    def wait(self, gen: PQGen[Returned], interval: float = 0.1, timeout: float | None = None) -> Returned:
        """Return what the generator returns. Raises `psycopg.OperationalError` when it takes too long."""
        try:
            return super().wait(gen, interval, self.seconds if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                # The next answer on this connection would belong to a question that nobody waits for any more.
                self.pgconn.finish()
            raise
