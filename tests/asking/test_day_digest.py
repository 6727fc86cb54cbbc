"""Different people are told apart on one day, and nothing of that is left when it is over."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, text

from app.asking import day_digest
from app.store.session import reading, writing
from tests.askers import KEY, ask

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
ERROR = "ValueError: the verifier has no conversion for the unit in this table"


def see(engine: Engine, about: str, *clients: str, at: datetime = NOON, key: str = KEY) -> int:
    with writing(engine) as session:
        return day_digest.see(session, day_digest.open_day(session, key, at), {about: clients}, 3)[about]


def stored(engine: Engine) -> tuple[list[str], list[tuple[str, str, str]]]:
    """The days that have a salt, and all digests."""
    with reading(engine) as session:
        salts = session.execute(text("SELECT day FROM day_salt ORDER BY day")).scalars().all()
        digests = session.execute(text("SELECT day, about, digest FROM day_digest ORDER BY day, about, digest")).all()
    return list(salts), [(row[0], row[1], row[2]) for row in digests]


def counted(engine: Engine) -> list[tuple[int, str]]:
    with reading(engine) as session:
        return [(row[0], row[1]) for row in session.execute(text("SELECT asked, pattern FROM wanted"))]


def test_clients_are_counted_once_a_day_by_all_workers_together(engine: Engine) -> None:
    assert see(engine, "a", "192.0.2.1") == 1
    assert see(engine, "a", "192.0.2.1", "192.0.2.2") == 2
    assert see(engine, "b", "192.0.2.1") == 1
    assert see(engine, "a", "192.0.2.3", "192.0.2.4", "192.0.2.5") == 3
    assert len(stored(engine)[1]) == 4


def test_the_next_day_begins_anew_and_nothing_of_the_day_before_is_left(engine: Engine) -> None:
    see(engine, "a", "192.0.2.1", "192.0.2.2")
    _, before = stored(engine)
    assert see(engine, "a", "192.0.2.1", at=NOON + timedelta(days=1)) == 1
    salts, digests = stored(engine)
    assert salts == ["2026-11-29"]
    assert [row[0] for row in digests] == ["2026-11-29"]
    # the same client on another day is another digest
    assert not {row[2] for row in digests} & {row[2] for row in before}


def test_a_day_that_is_over_is_forgotten_though_nobody_asks_any_more(engine: Engine) -> None:
    see(engine, "a", "192.0.2.1")
    day_digest.forget(engine, NOON.replace(hour=23, minute=59))
    assert stored(engine)[0] == ["2026-11-28"]
    day_digest.forget(engine, NOON + timedelta(seconds=day_digest.seconds_left(NOON)))
    assert stored(engine) == ([], [])


def test_digests_tell_neither_who_nor_that_two_are_of_one_client(engine: Engine) -> None:
    for about in ("a", "b"):
        see(engine, about, "192.0.2.1")
    assert len({row[2] for row in stored(engine)[1]}) == 2
    # who has only the database, not the installation's key, gets other digests from the same addresses
    assert see(engine, "a", "192.0.2.1", key="another") == 2


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8:0:0:ffff::9", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("127.0.0.1", "::1", True),
        ("127.0.0.1", "127.9.9.9", True),
        ("127.0.0.1", "192.0.2.1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("not an address", "nor this", True),
    ],
)
def test_a_network_of_ipv6_and_this_host_count_as_one_client(one: str, other: str, same: bool) -> None:
    assert (day_digest.client(one) == day_digest.client(other)) is same


def test_a_day_takes_so_many_digests_and_no_new_errors_beyond(engine: Engine) -> None:
    ask(engine, ERROR, clients=2, at=NOON)
    rows = [{"about": f"x{number}", "digest": str(number)} for number in range(day_digest.MOST_A_DAY)]
    with writing(engine) as session:
        session.execute(
            text("INSERT INTO day_digest (day, about, digest) VALUES ('2026-11-28', :about, :digest)"), rows
        )
    ask(engine, ERROR, at=NOON)
    ask(engine, "ValueError: another unit has no conversion in this table", at=NOON)
    assert counted(engine) == [(6, "")]
    # on the next day there is room again
    ask(engine, ERROR, at=NOON + timedelta(days=1))
    assert counted(engine) == [(9, ERROR)]


def test_two_addresses_on_one_day_and_one_on_the_next_are_not_three(engine: Engine) -> None:
    ask(engine, ERROR, clients=2, at=NOON)
    ask(engine, ERROR, clients=1, at=NOON + timedelta(days=1))
    assert counted(engine) == [(6, "")]


def test_people_who_sign_in_are_counted_over_days(engine: Engine) -> None:
    for days, person in enumerate((1, 2, 2, 3)):
        ask(engine, ERROR, times=1, clients=1, person=person, at=NOON + timedelta(days=days))
        assert counted(engine) == [(days + 1, ERROR if person == 3 else "")]
