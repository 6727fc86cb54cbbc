"""Work that other processes do ahead comes back whole and in order, whatever becomes of them."""

import os
import signal
from collections.abc import Iterator

import pytest

from app.transfer.parallel import made_ahead

JOBS = range(12)


def doubled(number: int) -> int:
    return 2 * number


def refused_at_five(number: int) -> int:
    if number == 5:
        raise ValueError("not five")
    return number


def by_whom(_number: int) -> int:
    return os.getpid()


def killed_in_helpers(parent_and_number: tuple[int, int]) -> int:
    parent, number = parent_and_number
    if os.getpid() != parent and number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("processes", [0, 1, 2, 3])
def test_every_job_comes_back_in_order(processes: int) -> None:
    assert list(made_ahead(doubled, JOBS, processes)) == [(number, 2 * number) for number in JOBS]


def test_one_process_is_this_one_and_more_are_others() -> None:
    assert {made for _, made in made_ahead(by_whom, JOBS, 1)} == {os.getpid()}
    others = {made for _, made in made_ahead(by_whom, JOBS, 2)}
    assert os.getpid() not in others
    assert 1 <= len(others) <= 2


def test_jobs_are_drawn_only_as_far_ahead_as_they_are_worked_on() -> None:
    drawn: list[int] = []

    def jobs() -> Iterator[int]:
        for number in JOBS:
            drawn.append(number)
            yield number

    made = made_ahead(doubled, jobs(), 2)
    next(made)
    assert drawn == [0, 1, 2]
    assert len(list(made)) == len(JOBS) - 1


@pytest.mark.parametrize("processes", [1, 2])
def test_what_the_work_raises_is_raised_at_its_job(processes: int) -> None:
    made = made_ahead(refused_at_five, JOBS, processes)
    assert [next(made) for _ in range(5)] == [(number, number) for number in range(5)]
    with pytest.raises(ValueError, match="not five"):
        next(made)


def test_a_helper_that_is_killed_costs_no_job() -> None:
    jobs = [(os.getpid(), number) for number in JOBS]
    assert [made for _, made in made_ahead(killed_in_helpers, jobs, 2)] == list(JOBS)
