"""The question service as it is served: nobody waits longer than the settings say."""

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Engine

from app.asking.question_service import Answer, Questions, SearchStep
from app.errors import TooSlow
from app.finding.search_service import Filters, Lookup

# How many questions are worked on at once. More would only wait for each other: Python runs one thread at a time.
AT_ONCE = 4
# A body of up to so many bytes is answered in a few milliseconds, and handing it to a thread would double that.
QUICK = 64 * 1024
T = TypeVar("T")
# The function takes a text, a language and the largest number of matches.
Ask = Callable[[str, str, int], Answer]


class TimedQuestions(Questions):
    """Answers questions as `Questions` does, each within `seconds`; at most 4 at once, the others wait their turn.

    A thread cannot be stopped: a question that is given up runs to its end, unless it has not begun, and takes one of
    the 4 places until then. It only reads, so nothing is left half done.
    """

    def __init__(self, engine: Engine, seconds: float, remembered: int = 0, lookup: Lookup | None = None) -> None:
        super().__init__(engine, remembered, lookup)
        self._seconds = seconds
        self._places = ThreadPoolExecutor(AT_ONCE, "question")

    def close(self) -> None:
        """Take no more questions."""
        self._places.shutdown(wait=False, cancel_futures=True)

    def ask(self, text: str, lang: str = "en", limit: int = 5) -> Answer:
        """Return the answer. Raises `TooSlow` after the time allowed, `Unavailable` as `Questions.ask` does."""
        return self._within(lambda: super(TimedQuestions, self).ask(text, lang, limit))

    def search_on(self, q: str, lang: str, limit: int, filters: Filters, seen: Collection[int]) -> SearchStep:
        """Return the next entries for words. Raises `TooSlow` after the time allowed, `Unavailable`."""
        return self._within(lambda: super(TimedQuestions, self).search_on(q, lang, limit, filters, seen))

    async def awaited(self, work: Callable[[Ask], T], size: int) -> T:
        """Run `work(ask)` and return what it returns; the whole call is bounded by `seconds`, not each `ask` in it.

        `size` is the number of bytes of the body. A small body is worked on at once where the database is a file beside
        the process, any other in a thread. Raises `TooSlow` after the time allowed, and what `work` raises.
        """
        if size <= QUICK and self._engine.dialect.name == "sqlite":
            return work(super().ask)
        asked = self._places.submit(work, super().ask)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(asked), self._seconds)
        except TimeoutError as error:
            raise self._too_slow() from error

    def _within(self, run: Callable[[], T]) -> T:
        asked = self._places.submit(run)
        try:
            return asked.result(self._seconds)
        except TimeoutError as error:
            if not asked.cancel() and asked.done():
                return asked.result()
            raise self._too_slow() from error

    def _too_slow(self) -> TooSlow:
        return TooSlow(limit=f"{self._seconds:g}")
