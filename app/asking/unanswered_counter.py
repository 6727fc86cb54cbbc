"""Gathers what found no entry and writes it down at most once a second, so that counting does not slow the answers."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import Engine

from app.asking import day_digest, unanswered
from app.asking.unanswered import AskCount
from app.logs import described, log

EVERY = 1.0
# At most so many different patterns wait to be written; further ones are not counted.
MOST_WAITING = 1_000


class UnansweredCounter:
    """Counts patterns for one process. Safe to use from several threads; what a killed process had not written is lost.

    The first asking after a quiet second is written at once, those of the next second together.
    """

    def __init__(self, engine: Engine, key: Callable[[], str]) -> None:
        """Count into this database; `key` returns the secret of the installation, and may raise `Unavailable`."""
        self._engine = engine
        self._key = key
        self._lock = threading.Lock()
        self._one_writes = threading.Lock()
        self._waiting: dict[str, AskCount] = {}
        self._written = -EVERY
        self._timer: threading.Timer | None = None
        self._midnight: threading.Timer | None = None

    def count(self, pattern: str, address: str, person: int | None = None) -> None:
        """Count one asking of what `counted_pattern.pattern_of` made of a report; it is written by a thread of its own.

        `address` is the client's, `person` the number of somebody who had signed in.
        """
        with self._lock:
            if pattern in self._waiting or len(self._waiting) < MOST_WAITING:
                self._waiting.setdefault(pattern, AskCount()).add(day_digest.client(address), person)
            if self._timer is None:
                self._timer = _later(max(0.0, self._written + EVERY - time.monotonic()), self.write)

    def write(self) -> None:
        """Write down what waits, in a transaction of its own. Never raises: what fails is logged and not counted."""
        with self._one_writes:
            with self._lock:
                waiting, self._waiting = self._waiting, {}
                self._written, self._timer = time.monotonic(), None
            if not waiting:
                return
            try:
                unanswered.count(self._engine, waiting, self._key())
            except Exception as error:
                log.warning("not counted", error=described(error))
            self._forget_at_midnight()

    def forget(self) -> None:
        """Delete the digests of days that are over. Never raises: a failure is logged, and deleting is tried again
        whenever something is counted.
        """
        try:
            day_digest.forget(self._engine, datetime.now(UTC))
        except Exception as error:
            log.warning("earlier days not forgotten", error=described(error))

    def close(self) -> None:
        """Write down what waits and stop waiting for the end of the day."""
        self.write()
        with self._lock:
            if self._midnight is not None:
                self._midnight.cancel()
                self._midnight = None

    def _forget_at_midnight(self) -> None:
        with self._lock:
            if self._midnight is None:
                self._midnight = _later(day_digest.seconds_left(datetime.now(UTC)) + 1, self._end_day)

    def _end_day(self) -> None:
        with self._lock:
            self._midnight = None
        self.forget()


def _later(seconds: float, run: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, run)
    timer.daemon = True
    timer.start()
    return timer
