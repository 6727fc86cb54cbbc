"""Queries on what is counted of sign-ins, and on the addresses that a person signed in from."""

from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, delete, select

from app.store.people_tables import KnownAddress, Person, SignInCount
from app.store.upsert import upsert

# One sign-in deletes at most so many old rows, so that it stays quick after a flood of them.
MOST_FORGOTTEN = 200


def count_of(session: Session, key: str) -> SignInCount | None:
    """Return what is counted under a key, or None."""
    return session.get(SignInCount, key)


def held_count(session: Session, key: str, at: datetime) -> SignInCount:
    """Return the count under a key, 0 if it is new. No other transaction can change it until this one ends."""
    # On PostgreSQL an update that changes nothing locks the row; on SQLite nobody else writes meanwhile anyway.
    upsert(session, SignInCount, {"key": key, "number": 0, "until": at}, ["key"], {"key": key})
    return session.get_one(SignInCount, key)


def forget_counts(session: Session, before: datetime) -> None:
    """Remove the counts that ended before a moment, except those that another transaction is using."""
    old = (
        select(SignInCount.key)
        .where(col(SignInCount.until) < before)
        .limit(MOST_FORGOTTEN)
        .with_for_update(skip_locked=True)
    )
    session.exec(delete(SignInCount).where(col(SignInCount.key).in_(old)))


def is_known(session: Session, name: str, address: str, since: datetime) -> bool:
    """Tell whether the person with this name has signed in from the address with this digest since a moment."""
    query = (
        select(KnownAddress.person)
        .join(Person, col(Person.id) == KnownAddress.person)
        .where(Person.name == name, KnownAddress.address == address, col(KnownAddress.last) >= since)
    )
    return session.exec(query).first() is not None


def keep_known(session: Session, person: int, address: str, at: datetime) -> None:
    """Note that a person signed in from the address with this digest."""
    row = {"person": person, "address": address, "last": at}
    upsert(session, KnownAddress, row, ["person", "address"], {"last": at})


def forget_known(session: Session, before: datetime) -> None:
    """Remove the addresses that nobody has signed in from since before a moment."""
    session.exec(delete(KnownAddress).where(col(KnownAddress.last) < before))


def number_known(session: Session, person: int) -> int:
    """Return at how many addresses a person is known."""
    query = select(func.count()).select_from(KnownAddress).where(col(KnownAddress.person) == person)
    return int(session.execute(query).scalar_one())


def forget_known_of(session: Session, person: int) -> None:
    """Remove the addresses of one person."""
    session.exec(delete(KnownAddress).where(col(KnownAddress.person) == person))
