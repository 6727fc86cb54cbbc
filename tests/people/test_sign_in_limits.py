"""Wrong sign-ins are counted by address and account, nobody is locked out, and nobody who writes waits for them."""

import itertools
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from limits import parse
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import Engine
from sqlmodel import select
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.network.addresses import address_group
from app.people import accounts, attempts, members
from app.people.sign_in import SignIns, Terms
from app.store import people
from app.store.columns import now
from app.store.people_tables import KnownAddress, Person, SignInCount
from app.store.session import reading, writing
from tests.conftest import NAME, PASSWORD, create

RATE = parse("10/minute")
START = datetime.fromisoformat("2026-11-20T12:00:00+00:00")
Post = Callable[..., Any]


class Tries:
    """Tries of people at their addresses, without comparing any password; `at` is in seconds from the start."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._others = itertools.count(1)

    def wrong(self, address: str, name: str = NAME, at: float = 0) -> int:
        """Try a wrong password; return the seconds to wait when the try is refused, else 0."""
        moment = START + timedelta(seconds=at)
        with writing(self._engine) as session:
            keys = attempts.keys_of(session, name, address_group(address), "key", moment)
            looked = attempts.seconds_refused(session, keys, RATE, moment)
            counted = attempts.count(session, keys, RATE, moment)
        # who only looks never refuses what would be counted
        assert looked in (0, counted)
        return counted

    def right(self, address: str, name: str = NAME, at: float = 0) -> int:
        """Try the right password; return the seconds to wait when the try is refused, else 0."""
        if wait := self.wrong(address, name, at):
            return wait
        moment = START + timedelta(seconds=at)
        with writing(self._engine) as session:
            person = people.by_name(session, name)
            assert person
            keys = attempts.keys_of(session, name, address_group(address), "key", moment)
            attempts.take_back(session, keys, moment)
            attempts.keep_known(session, person.id or 0, keys, moment)
        return 0

    def strangers(self, number: int, name: str = NAME, at: float = 0) -> list[int]:
        """Let strangers try wrong passwords, each at an address of its own."""
        return [self.wrong(f"2001:db8:{next(self._others):x}::1", name, at) for _ in range(number)]


@pytest.fixture
def tries(engine: Engine) -> Tries:
    """Tries that are counted in an empty database."""
    return Tries(engine)


@pytest.mark.parametrize(
    ("addresses", "refused"),
    [
        ([f"2001:db8:1:2::{host:x}" for host in range(1, 12)], [10]),
        ([f"2001:db8:1:{net:x}::1" for net in range(1, 12)], []),
        ([f"203.0.113.{host}" for host in range(1, 12)], []),
        (["203.0.113.7", "::ffff:203.0.113.7"] * 5 + ["203.0.113.7"], [10]),
        (["127.0.0.1"] * 11, [10]),
        (["one that is no address", "another"] * 5 + ["a third"], [10]),
    ],
    ids=["one-64", "many-64", "ipv4-neighbours", "ipv4-in-ipv6", "loopback", "no-address"],
)
def test_a_group_of_addresses_has_ten_wrong_tries_a_minute_whatever_the_names(
    tries: Tries, addresses: list[str], refused: list[int]
) -> None:
    waits = [tries.wrong(address, f"name-{number}") for number, address in enumerate(addresses)]
    assert [number for number, wait in enumerate(waits) if wait] == refused
    assert not [wait for wait in waits if wait not in (0, 60)]


def test_right_sign_ins_are_not_counted_and_after_a_minute_an_address_may_try_again(tries: Tries) -> None:
    assert [tries.right("203.0.113.7", at=second) for second in range(12)] == [0] * 12
    assert [tries.wrong("203.0.113.7", f"name-{number}", at=20) for number in range(10)] == [0] * 10
    assert tries.right("203.0.113.7", at=40) == 20
    assert tries.right("203.0.113.7", at=60) == 0


def test_an_account_is_slowed_by_wrong_tries_from_anywhere_up_to_thirty_seconds(tries: Tries) -> None:
    assert tries.strangers(5) == [0] * 5
    waits = []
    for number in range(8):
        waits.append(tries.wrong(f"203.0.113.{number}", at=number * 31))
        assert tries.wrong(f"203.0.113.{number}", at=number * 31 + 30) == 0
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]
    assert tries.strangers(1, "another") == [0]
    # a quarter of an hour after the last wrong try all is forgotten
    assert tries.strangers(5, at=300 + 15 * 60) == [0] * 5


def test_no_account_is_locked_each_address_waits_thirty_seconds_at_most_whatever_others_do(
    tries: Tries, engine: Engine
) -> None:
    tries.strangers(5)
    with writing(engine) as session:
        account = session.exec(select(SignInCount).where(SignInCount.number == 5)).one()
        account.number = 1_000_000_000
    assert tries.right("203.0.113.7", at=1) == 30
    # trying too early makes it no longer, and neither do others
    assert [tries.right("203.0.113.7", at=second) for second in range(2, 31)] == list(range(29, 0, -1))
    assert tries.strangers(20, at=30) == [30] * 20
    assert tries.right("203.0.113.7", at=31) == 0


def test_strangers_do_not_slow_a_person_where_that_person_signed_in_within_thirty_days(tries: Tries) -> None:
    day = 24 * 3600
    assert tries.right("2001:db8:1:2::1") == 0
    tries.strangers(8, at=29 * day)
    assert tries.right("2001:db8:1:2::99", at=29 * day) == 0
    # another name is a stranger there
    tries.strangers(5, "somebody", at=29 * day)
    assert tries.wrong("2001:db8:1:2::1", "somebody", at=29 * day) == 1
    tries.strangers(5, at=60 * day)
    assert tries.right("2001:db8:1:2::1", at=60 * day) == 1


def test_wrong_tries_at_a_known_address_are_counted_apart_until_a_right_one(tries: Tries) -> None:
    assert tries.right("203.0.113.7") == 0
    assert [tries.wrong("203.0.113.7") for _ in range(6)] == [0] * 5 + [1]
    assert tries.wrong("203.0.113.8") == 0
    assert tries.right("203.0.113.7", at=1) == 0
    assert tries.wrong("203.0.113.7", at=1) == 0


def test_a_new_password_or_a_removed_person_makes_every_address_a_stranger_again(tries: Tries, engine: Engine) -> None:
    tries.right("203.0.113.7")
    accounts.set_password(engine, NAME, "another long password")
    tries.strangers(5)
    assert tries.right("203.0.113.7") == 1
    assert tries.right("203.0.113.7", at=2) == 0
    with writing(engine) as session:
        members.remove(session, accounts.named(session, NAME), by=0)
    with reading(engine) as session:
        assert not session.exec(select(KnownAddress)).all()


def test_what_is_counted_names_no_address_and_no_person_and_is_forgotten(tries: Tries, engine: Engine) -> None:
    tries.right("203.0.113.7")
    tries.strangers(6)
    with reading(engine) as session:
        kept = [row.key for row in session.exec(select(SignInCount))]
        kept += [known.address for known in session.exec(select(KnownAddress))]
    assert len(kept) >= 8
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in kept)
    tries.strangers(1, "another", at=3600)
    with reading(engine) as session:
        assert {row.key for row in session.exec(select(SignInCount))}.isdisjoint(kept)


def test_of_tries_at_the_same_moment_no_more_than_ten_are_let_through(tries: Tries) -> None:
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda number: tries.wrong("203.0.113.7", f"name-{number}"), range(16)))
    assert waits.count(0) == 10


@pytest.fixture
def strict(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application with two wrong sign-ins a day for an address."""
    with TestClient(create_app(settings.model_copy(update={"rate_login": "2/day"}))) as client:
        yield client


def post(client: TestClient, address: str, name: str = NAME, password: str = "wrong", lang: str = "en") -> Any:
    """Send the form from an address."""
    stranger = TestClient(client.app, client=(address, 50000))
    return stranger.post(f"/{lang}/sign-in", data={"name": name, "password": password}, follow_redirects=False)


def test_a_host_with_many_addresses_is_told_how_long_to_wait_and_its_name_is_kept(strict: TestClient) -> None:
    tried = [post(strict, f"2001:db8::{host}", f"name-{host}").status_code for host in range(1, 4)]
    assert tried == [401, 401, 429]
    for lang, told in (("en", r"Too many wrong sign-ins</strong><br>Wait [\d,]+ minutes"), ("zh", "登录失败次数太多")):
        refused = post(strict, "2001:db8::4", password=PASSWORD, lang=lang)
        assert refused.status_code == 429
        assert 3600 < int(refused.headers["retry-after"]) <= 24 * 3600
        assert re.search(told, refused.text)
        assert f'value="{NAME}"' in refused.text
    assert post(strict, "2001:db8:0:1::1", password=PASSWORD).status_code == 303


def test_a_name_that_nobody_has_is_answered_like_one_that_somebody_has(empty_client: TestClient) -> None:
    seen = {}
    for name in (NAME, "nobody"):
        answers = [post(empty_client, f"203.0.113.{host}", name) for host in range(6)]
        seen[name] = [(answer.status_code, answer.text.replace(name, "")) for answer in answers]
    assert [status for status, _ in seen[NAME]] == [401] * 5 + [429]
    assert seen[NAME] == seen["nobody"]


@pytest.fixture
def slow(settings: Settings, shipped: Settings) -> Iterator[TestClient]:
    """The application with room for one sign-in, and somebody whose password takes seconds to compare."""
    create(settings, shipped)
    app = create_app(settings)
    services = app.state.services
    services.sign_ins.close()
    one_place = SignIns(services.engine, lambda: Terms("10/minute", 1, "key"), places=1, seconds=60)
    app.state.services = replace(services, sign_ins=one_place)
    kept = PasswordHash([Argon2Hasher(time_cost=25, memory_cost=65536, parallelism=1)]).hash("their password")
    with TestClient(app) as client:
        with writing(app.state.services.engine) as session:
            session.add(Person(name="slow", password=kept))
        yield client


def test_while_a_password_is_compared_everybody_writes_and_more_sign_ins_are_told_to_come_back(
    slow: TestClient, settings: Settings
) -> None:
    with ThreadPoolExecutor(1) as pool:
        compared = pool.submit(post, slow, "203.0.113.7", "slow", "their password")
        until = now() + timedelta(seconds=60)
        # a count that others can see was committed before the comparison began
        while not _counted(slow) and now() < until:
            time.sleep(0.01)
        if settings.url.get_backend_name() == "sqlite":
            with closing(sqlite3.connect(str(settings.url.database), timeout=0, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
        address = "/en/e/verl/tensordict-membership-check/feedback"
        assert slow.post(address, data={"vote": "solved"}, follow_redirects=False).status_code == 303
        for lang, told in (("en", "Many sign-ins at once"), ("zh", "同时登录的人太多")):
            refused = post(slow, "203.0.113.8", lang=lang)
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
            assert told in refused.text
            assert f'value="{NAME}"' in refused.text
        assert not compared.done()
        assert compared.result().status_code == 303
    assert post(slow, "203.0.113.8", password=PASSWORD).status_code == 303


def _counted(client: TestClient) -> bool:
    with reading(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        return session.exec(select(SignInCount)).first() is not None
