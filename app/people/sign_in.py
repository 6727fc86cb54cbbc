"""Signing in: whether one may try, whether the password is right, and a session.

A password is compared outside any transaction, so nobody who writes waits for it.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from fastapi.concurrency import run_in_threadpool
from limits import parse
from sqlalchemy import Engine

from app.errors import SignInsBusy, TooManySignIns, WrongCredentials
from app.people import accounts, attempts, audit, passwords
from app.people.password_queue import PATIENCE_SECONDS, PLACES, RETRY_SECONDS, PasswordQueue, T
from app.store import people
from app.store.columns import now
from app.store.session import reading, writing

# How many tries are looked up at once. A hundred that come together would take every thread from those who read, and
# then the interpreter from the event loop, for as long as all of them need; one after another they are barely noticed.
LOOKED_UP_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """A name and a password as they were typed, and the group of addresses that they came from."""

    name: str
    password: str
    group: str


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every try: wrong ones from one address (as in "10/minute"), days of a session, the secret key, and
    for how many days it is kept who did what.
    """

    rate: str
    days: int
    key: str
    audit_days: int = 365


def sign_in(engine: Engine, attempt: Attempt, terms: Terms) -> str:
    """Check a password and open a session; return its token.

    Raises `TooManySignIns` when it is too early for another try, `WrongCredentials`, `Unavailable`. All of them take as
    long and say the same whether there is a person of this name or not.
    """
    name = attempt.name.strip()
    with writing(engine) as session:
        keys = attempts.keys_of(session, name, attempt.group, terms.key, now())
        wait = attempts.count(session, keys, parse(terms.rate), now())
        person = people.by_name(session, name)
    if wait:
        raise TooManySignIns(seconds=wait)
    kept = person.password if person and person.state == "active" and person.password else None
    if not passwords.fits(attempt.password, kept):
        with writing(engine) as session:
            # The record names the account only if there is one, for what was typed as a name may be a password.
            audit.record(session, "sign-in-failed", None, ("person", person.id) if person else ("", None))
        raise WrongCredentials
    with writing(engine) as session:
        person = people.by_name(session, name)
        if person is None or person.password != kept or person.state != "active":
            # The person was removed, or got another password, while this one was compared.
            raise WrongCredentials
        attempts.take_back(session, keys, now())
        audit.record(session, "sign-in", person.id, ("person", person.id))
        audit.forget(session, terms.audit_days, now())
        attempts.keep_known(session, person.id or 0, keys, now())
        return accounts.open_session(session, person.id or 0, terms.days, terms.key)


class SignIns:
    """Signing in as a worker offers it: few at a time, people at an address they are known at before the others.

    `terms` is asked at each try, since the database may be away when the worker starts. `places` and `seconds` are
    those of each `PasswordQueue`.
    """

    def __init__(
        self, engine: Engine, terms: Callable[[], Terms], places: int = PLACES, seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._engine = engine
        self._terms = terms
        self._seconds = seconds
        self._door = asyncio.Semaphore(LOOKED_UP_AT_ONCE)
        self._known, self._strangers = PasswordQueue(places, seconds), PasswordQueue(places, seconds)

    def close(self) -> None:
        """Take no more tries."""
        self._known.close()
        self._strangers.close()

    async def sign_in(self, attempt: Attempt) -> str:
        """Return the token of a new session when its turn has come.

        Raises `SignInsBusy` when there are too many before it, and what `sign_in` raises.
        """
        try:
            async with asyncio.timeout(self._seconds):
                await self._door.acquire()
        except TimeoutError as error:
            raise SignInsBusy(seconds=RETRY_SECONDS) from error
        try:
            terms, is_known = await run_in_threadpool(self._look_up, attempt)
        finally:
            self._door.release()
        queue = self._known if is_known else self._strangers
        return await queue.run(partial(sign_in, self._engine, attempt, terms))

    def _look_up(self, attempt: Attempt) -> tuple[Terms, bool]:
        terms = self._terms()
        return terms, _admit(self._engine, attempt, terms)

    async def run_alone(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, which hashes or compares a password of somebody who was let in by a session or a
        link.

        Raises `SignInsBusy`, and what `work` raises.
        """
        return await self._known.run(work)


def _admit(engine: Engine, attempt: Attempt, terms: Terms) -> bool:
    """Tell whether the address is known at the account. A try that is refused takes no place and writes nothing."""
    with reading(engine) as session:
        keys = attempts.keys_of(session, attempt.name.strip(), attempt.group, terms.key, now())
        wait = attempts.seconds_refused(session, keys, parse(terms.rate), now())
    if wait:
        raise TooManySignIns(seconds=wait)
    return keys.is_known
