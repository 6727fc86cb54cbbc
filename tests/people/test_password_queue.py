"""Whoever signs in waits for a turn, not for ever, and one whose turn has come is not sent away."""

import asyncio
from collections.abc import Callable
from threading import Event

import pytest
from sqlalchemy import create_engine

from app.errors import SignInsBusy, Unavailable
from app.people.password_queue import PasswordQueue
from app.people.sign_in import LOOKED_UP_AT_ONCE, Attempt, SignIns, Terms
from tests.servers import ServerProcess


def test_one_at_a_time_and_what_has_begun_is_awaited_while_what_waits_is_sent_away() -> None:
    done: list[str] = []
    begun, ended = Event(), Event()

    def long() -> str:
        begun.set()
        ended.wait()
        done.append("long")
        return "signed in"

    async def story() -> None:
        queue = PasswordQueue(places=2, seconds=0.05)
        first = asyncio.create_task(queue.run(long))
        await asyncio.to_thread(begun.wait)
        with pytest.raises(SignInsBusy):
            await queue.run(lambda: done.append("never"))
        # its place is free again, so this one waits too and is not refused at once
        with pytest.raises(SignInsBusy):
            await queue.run(lambda: done.append("never"))
        assert not first.done()
        ended.set()
        assert await first == "signed in"
        await queue.run(lambda: done.append("next"))
        queue.close()

    asyncio.run(story())
    assert done == ["long", "next"]


def test_beyond_its_places_it_refuses_at_once() -> None:
    ended = Event()

    async def story() -> None:
        queue = PasswordQueue(places=2, seconds=60)
        waiting = [asyncio.create_task(queue.run(ended.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(SignInsBusy):
            await queue.run(ended.wait)
        ended.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await queue.run(ended.wait)
        queue.close()

    asyncio.run(story())


def test_what_work_raises_is_raised_and_gives_its_place_back() -> None:
    async def story() -> None:
        queue = PasswordQueue(places=1, seconds=60)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await queue.run(lambda: 1 // 0)
        queue.close()

    asyncio.run(story())


def test_few_are_looked_up_at_once_and_who_waits_for_that_in_vain_is_told_so() -> None:
    """Else many tries at the same moment would take every thread from those who read."""
    begun: list[int] = []
    ended = Event()
    attempt = Attempt("rita", "wrong", "192.0.2.1")

    def terms() -> Terms:
        begun.append(1)
        ended.wait()
        raise Unavailable

    async def story() -> None:
        sign_ins = SignIns(create_engine("sqlite://"), terms, seconds=0.05)
        looking = [asyncio.create_task(sign_ins.sign_in(attempt)) for _ in range(LOOKED_UP_AT_ONCE)]
        await asyncio.sleep(0)
        for _ in range(3):
            with pytest.raises(SignInsBusy):
                await sign_ins.sign_in(attempt)
        ended.set()
        for one in looking:
            with pytest.raises(Unavailable):
                await one
        assert len(begun) == LOOKED_UP_AT_ONCE
        with pytest.raises(Unavailable):
            await sign_ins.sign_in(attempt)
        sign_ins.close()

    asyncio.run(story())


def test_all_workers_count_together(start: Callable[..., ServerProcess]) -> None:
    """A proxy names the address; which worker takes a connection is up to the system."""
    server = start(ERRDEX_WORKERS="2", ERRDEX_RATE_LOGIN="2/hour")
    statuses = []
    for number in range(6):
        with server.client() as client:
            form = {"name": f"name-{number}", "password": "wrong"}
            answer = client.post("/en/sign-in", data=form, headers={"x-forwarded-for": f"2001:db8::{number + 1:x}"})
            statuses.append(answer.status_code)
    assert statuses == [401] * 2 + [429] * 4
