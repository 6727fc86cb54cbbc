"""Tells different people apart on one day, and nobody beyond it, by a digest of their address with a salt of the day.

The key of the installation and the day's salt make the digest, and what it is about goes into it: two digests of one
person about two things have nothing in common. When the day (UTC) is over, digests and salt are deleted together.
"""

import hmac
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlmodel import Session

from app.network.addresses import address_group, is_loopback
from app.store import day_digest
from app.store.session import reading, writing

# A day has at most so many digests, so that nobody fills the database by asking about ever other things.
MOST_A_DAY = 30_000
_LOOPBACK = "loopback"


def client(address: str) -> str:
    """Return the client that an address counts as: its group, or one for all addresses of this host itself."""
    return _LOOPBACK if is_loopback(address) else address_group(address)


def day_of(at: datetime) -> str:
    """Return the day of a moment, as YYYY-MM-DD in UTC."""
    return at.date().isoformat()


def seconds_left(at: datetime) -> float:
    """Return the seconds until the day of a moment is over, more than 0."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (midnight - at).total_seconds()


@dataclass(frozen=True, slots=True)
class Day:
    """A day that something is counted on: its name, what its digests are made with, and how many more it takes."""

    name: str
    secret: bytes
    room: int


def open_day(session: Session, key: str, at: datetime) -> Day:
    """Return the day of a moment, whose salt is made if need be; everything of earlier days is deleted.

    `key` is the secret of the installation. In a transaction that writes, before it locks any row of another table:
    all workers take the salt first.
    """
    name = day_of(at)
    day_digest.forget_before(session, name)
    salt = day_digest.salt(session, name, secrets.token_hex(32))
    return Day(name, f"{key}\0{salt}".encode(), MOST_A_DAY - day_digest.amount(session, name))


def see(session: Session, day: Day, seen: Mapping[str, Collection[str]], enough: int) -> dict[str, int]:
    """Note which clients (of `client`) did something with which subjects; return how many different ones did today.

    At most `enough` are kept of a subject; where the day has no more room, the number stays what it was.
    """
    known = day_digest.of(session, day.name, seen.keys())
    fresh: list[tuple[str, str]] = []
    for about, clients in seen.items():
        there = known.setdefault(about, set())
        for one in sorted(_digest(day, about, client) for client in clients):
            if one not in there and len(there) < enough and len(fresh) < day.room:
                there.add(one)
                fresh.append((about, one))
    day_digest.add(session, day.name, fresh)
    return {about: len(known[about]) for about in seen}


def _digest(day: Day, about: str, client: str) -> str:
    return hmac.new(day.secret, f"{about}\0{client}".encode("utf-8", "replace"), "sha256").hexdigest()[:32]


def forget(engine: Engine, at: datetime) -> None:
    """Delete what is left of the days before `at`; nothing is written where nothing is. Raises `Unavailable`."""
    with reading(engine) as session:
        if not day_digest.has_before(session, day_of(at)):
            return
    with writing(engine) as session:
        day_digest.forget_before(session, day_of(at))
