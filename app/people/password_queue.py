"""The queue of people who sign in: comparing a password takes all processors for a tenth of a second.

Readers need the processors, and the threads that would wait for them.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from app.errors import SignInsBusy

# At most so many passwords wait, the one whose turn it is among them: that is a few seconds of work.
PLACES = 20
# A password waits at most so long for its turn.
PATIENCE_SECONDS = 10.0
# Whoever found no place or waited in vain is told to come back after so many seconds.
RETRY_SECONDS = 5
T = TypeVar("T")


class PasswordQueue:
    """Works on one password at a time, in a thread of its own, so that no thread of those who read is taken.

    At most `places` wait, each for `seconds` at most.
    """

    def __init__(self, places: int, seconds: float) -> None:
        self._thread = ThreadPoolExecutor(1, "password")
        self._seconds = seconds
        self._free = places
        self._lock = Lock()

    def close(self) -> None:
        """Take no more work, and forget what has not begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns when its turn has come, and raise what it raises.

        Raises `SignInsBusy` when all places are taken, or the turn does not come in time.
        """
        self._take()
        waiting = self._thread.submit(work)
        waiting.add_done_callback(self._give_back)
        answer = asyncio.wrap_future(waiting)
        done, _ = await asyncio.wait([answer], timeout=self._seconds)
        # Work that has begun is waited for, since it may have signed somebody in.
        if not done and waiting.cancel():
            raise SignInsBusy(seconds=RETRY_SECONDS)
        return await answer

    def _take(self) -> None:
        with self._lock:
            if not self._free:
                raise SignInsBusy(seconds=RETRY_SECONDS)
            self._free -= 1

    def _give_back(self, _done: Future[T]) -> None:
        with self._lock:
            self._free += 1
