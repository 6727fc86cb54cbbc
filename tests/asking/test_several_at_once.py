"""Several questions at once, of which some take longer than there is time for."""

import asyncio
from threading import Event

import pytest
from sqlalchemy import Engine

from app.asking.deadline import Ask, TimedQuestions
from app.errors import BadInput, TooSlow

# So long everything is waited for, if something never ends.
SECONDS = 4


@pytest.mark.parametrize("held", [1, 3])
def test_questions_that_never_end_do_not_lose_the_others(engine: Engine, held: int) -> None:
    ended = Event()
    questions = TimedQuestions(engine, SECONDS)

    def never(_ask: Ask) -> int:
        ended.wait()
        return 0

    def quick(ask: Ask) -> int:
        return ask("KeyError: 1", "en", 5).report.lines

    try:
        found = asyncio.run(questions.each([never] * held + [quick] * 20))
    finally:
        ended.set()
        questions.close()
    assert [type(one) for one in found[:held]] == [TooSlow] * held
    assert found[held:] == [1] * 20


def test_one_that_fails_is_told_in_its_place(engine: Engine) -> None:
    questions = TimedQuestions(engine, SECONDS)

    def fails(_ask: Ask) -> int:
        raise BadInput(detail="no")

    first, second = asyncio.run(questions.each([fails, lambda ask: ask("x", "en", 5).report.lines]))
    questions.close()
    assert (type(first), second) == (BadInput, 1)
