"""The question service as it is served: nobody waits longer than the settings say."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Engine

from app.asking.question_service import Answer, Questions, SearchStep
from app.errors import ErrdexError, TooSlow
from app.finding.search_service import Filters, Lookup
from app.store.team_names import TeamNames

# How many questions are worked on at once. More would only wait for each other: Python runs one thread at a time.
AT_ONCE = 4
# A body of up to so many bytes is answered in a few milliseconds, and handing it to a thread would double that.
QUICK = 64 * 1024
# Of several questions that come together so many are worked on at once, and one that takes longer than this share of
# the time allowed is no longer waited for before the next one begins.
OF_ONE, SHARE = 2, 0.125
T = TypeVar("T")
# The function takes a text, a language and the largest number of matches.
Ask = Callable[[str, str, int], Answer]


class TimedQuestions(Questions):
    """Answers questions as `Questions` does, each within `seconds`; at most 4 at once, the others wait their turn.

    A thread cannot be stopped: a question that is given up runs to its end, unless it has not begun, and takes one of
    the 4 places until then. It only reads, so nothing is left half done.
    """

    def __init__(
        self,
        engine: Engine,
        seconds: float,
        remembered: int = 0,
        lookup: Lookup | None = None,
        names: TeamNames | None = None,
    ) -> None:
        super().__init__(engine, remembered, lookup, names)
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

    def within(self, work: Callable[[Ask], T]) -> T:
        """Run `work(ask)` and return what it returns; the whole call is bounded by `seconds`.

        Raises `TooSlow` after the time allowed, and what `work` raises.
        """
        return self._within(lambda: work(super(TimedQuestions, self).ask))

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

    async def each(self, works: Sequence[Callable[[Ask], T]]) -> list[T | ErrdexError]:
        """Run every `work(ask)` and return what each returned, in their order, or the error that it ended with.

        All together are bounded by `seconds`; what is not done then is `TooSlow`. Two run at once, so that others get
        their turn between them; for one that takes long its successor is begun beside it, so that it does not keep the
        rest from being answered.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + self._seconds
        begun: dict[int, asyncio.Future[T]] = {}
        waiting = iter(enumerate(works))

        async def run() -> None:
            for at, work in waiting:
                if loop.time() >= until:
                    return
                begun[at] = asyncio.wrap_future(self._places.submit(work, super(TimedQuestions, self).ask))
                await asyncio.wait([begun[at]], timeout=min(self._seconds * SHARE, until - loop.time()))

        try:
            await asyncio.gather(*(run() for _ in range(OF_ONE)))
            if begun:
                await asyncio.wait(begun.values(), timeout=max(0.0, until - loop.time()))
            return [self._ended(begun.get(at)) for at in range(len(works))]
        finally:
            for one in begun.values():
                one.cancel()

    def _ended(self, one: asyncio.Future[Any] | None) -> Any:
        if one is None or not one.done():
            return self._too_slow()
        try:
            return one.result()
        except ErrdexError as error:
            return error

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
