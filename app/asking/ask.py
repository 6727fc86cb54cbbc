"""Ask: the one way on which the site, the API and the command line get an answer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.asking.question_service import Answer, Questions

# A command counts nothing and has no deadline: it is spared the imports.
if TYPE_CHECKING:
    from app.asking.deadline import Ask
    from app.asking.unanswered_counter import UnansweredCounter


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody who asks: the address of the client, and the number of the person if they have signed in."""

    address: str
    person: int | None = None


def _nothing(_answer: Answer) -> None:
    """Count nothing."""


@dataclass(frozen=True, slots=True)
class AnswerService:
    """Gives answers. `questions` finds them, with a deadline or without one.

    `counter` counts the errors that have no entry; with None they are not counted. `note` is told of each answer.
    """

    questions: Questions
    counter: "UnansweredCounter | None" = None
    note: Callable[[Answer], None] = _nothing

    def ask(
        self,
        text: str,
        lang: str = "en",
        limit: int = 5,
        *,
        asker: Asker | None = None,
        again: bool = False,
        put: "Ask | None" = None,
    ) -> Answer:
        """Return the answer to a paste or a question, with at most `limit` (1–50) matches and as many related.

        An answer for an `asker` is noted, and its error is counted when it has no entry, unless they ask it `again`.
        Without an asker (None) the question leaves no trace. `put` finds the answer instead of `questions.ask`, for
        callers that keep the deadline themselves. Raises `TooSlow`, `Unavailable`.
        """
        answer = (put or self.questions.ask)(text, lang, limit)
        if asker is None:
            return answer
        self.note(answer)
        if self.counter is None or answer.matches:
            return answer
        from app.asking.counted_pattern import pattern_of

        if not (pattern := pattern_of(answer.report)):
            return answer
        if not again:
            self.counter.count(pattern, asker.address, asker.person)
        return replace(answer, counted=True)
