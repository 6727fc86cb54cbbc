"""What found no entry, gathered and written down at most once a second: counting must not slow the answers."""

import threading
import time
from collections import Counter

from sqlalchemy import Engine

from app import wanted
from app.logs import described, log

EVERY = 1.0
# different patterns that wait to be written; further ones are not counted
MOST_WAITING = 1_000


class Tally:
    """Counts patterns for one process. Safe to use from several threads; what a killed process had not written is lost.

    The first asking after a quiet second is written at once, those of the next second together.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._one_writes = threading.Lock()
        self._waiting: Counter[str] = Counter()
        self._written = -EVERY
        self._timer: threading.Timer | None = None

    def count(self, pattern: str) -> None:
        """Count one asking of what `wanted.pattern_of` made of a report; it is written by a thread of its own."""
        with self._lock:
            if pattern in self._waiting or len(self._waiting) < MOST_WAITING:
                self._waiting[pattern] += 1
            if self._timer is None:
                self._timer = threading.Timer(max(0.0, self._written + EVERY - time.monotonic()), self.write)
                self._timer.daemon = True
                self._timer.start()

    def write(self) -> None:
        """Write down what waits, in a transaction of its own. Never raises: what fails is logged and not counted."""
        with self._one_writes:
            with self._lock:
                waiting, self._waiting = self._waiting, Counter()
                self._written, self._timer = time.monotonic(), None
            if not waiting:
                return
            try:
                wanted.count(self._engine, waiting)
            except Exception as error:
                log.warning("not counted", error=described(error))
