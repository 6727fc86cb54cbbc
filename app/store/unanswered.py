"""Queries on errors that found no entry."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, delete, exists, func, or_, select, update
from sqlmodel import Session, col

from app.store.asked_tables import Wanted, WantedPerson, WantedReleased
from app.store.upsert import insert_missing, upsert


def known(session: Session, fingerprints: Collection[str]) -> dict[str, bool]:
    """Return which of these were counted before, and of each whether its pattern is neither kept nor dismissed."""
    query = select(col(Wanted.fingerprint), (col(Wanted.pattern) == "") & ~col(Wanted.dismissed))
    return {row[0]: bool(row[1]) for row in session.execute(query.where(col(Wanted.fingerprint).in_(fingerprints)))}


def count(session: Session, fingerprint: str, times: int, at: datetime) -> None:
    """Count so many askings."""
    new = {"fingerprint": fingerprint, "asked": times, "first": at, "last": at, "dismissed": False, "pattern": ""}
    upsert(session, Wanted, new, ("fingerprint",), {"asked": col(Wanted.asked) + times, "last": at})


def add_people(session: Session, people: Mapping[str, Collection[int]]) -> dict[str, int]:
    """Note which people asked for which errors; return how many different people ever asked for each."""
    rows = [{"fingerprint": one, "person": person} for one, found in people.items() for person in sorted(found)]
    insert_missing(session, WantedPerson, rows)
    query = select(col(WantedPerson.fingerprint), func.count()).group_by(col(WantedPerson.fingerprint))
    return dict(session.execute(query.where(col(WantedPerson.fingerprint).in_(people.keys()))).all())


def keep_pattern(session: Session, fingerprint: str, pattern: str) -> None:
    """Keep the pattern of an error that was not dismissed, and forget which people asked for it."""
    query = update(Wanted).where(col(Wanted.fingerprint) == fingerprint, ~col(Wanted.dismissed))
    session.execute(query.values(pattern=pattern).execution_options(synchronize_session=False))
    session.execute(delete(WantedPerson).where(col(WantedPerson.fingerprint) == fingerprint))


def forget(session: Session, before: datetime) -> None:
    """Forget the errors that nobody asked for since `before` and that have no pattern, and who asked for them.
    Dismissed ones stay known.
    """
    gone = (col(Wanted.pattern) == "", ~col(Wanted.dismissed), col(Wanted.last) < before)
    session.execute(
        delete(WantedPerson).where(col(WantedPerson.fingerprint).in_(select(col(Wanted.fingerprint)).where(*gone)))
    )
    session.execute(delete(Wanted).where(*gone))


class Place(NamedTuple):
    """A place in the list of what was asked most, which stays where it is while others are counted."""

    asked: int
    last: datetime
    fingerprint: str


def most(
    session: Session, *, released: bool, after: int = 0, place: Place | None = None, limit: int = 50
) -> list[tuple[Wanted, bool]]:
    """Return what was asked most and not dismissed, all but the first `after`, and whether each is released.

    The pattern of each is kept. With `released` only those are returned that are, with `place` those after it.
    """
    is_released = exists().where(col(WantedReleased.fingerprint) == col(Wanted.fingerprint))
    query = select(Wanted, is_released).where(col(Wanted.pattern) != "", ~col(Wanted.dismissed))
    if released:
        query = query.where(is_released)
    if place:
        less_lately = or_(
            col(Wanted.last) < place.last,
            and_(col(Wanted.last) == place.last, col(Wanted.fingerprint) > place.fingerprint),
        )
        query = query.where(or_(col(Wanted.asked) < place.asked, and_(col(Wanted.asked) == place.asked, less_lately)))
    order = (col(Wanted.asked).desc(), col(Wanted.last).desc(), col(Wanted.fingerprint))
    return [(row[0], bool(row[1])) for row in session.execute(query.order_by(*order).offset(after).limit(limit))]


def is_listed(session: Session, fingerprint: str, *, released: bool) -> bool:
    """Tell whether an error stands in the list; with `released`, in the list that everybody sees."""
    query = select(col(Wanted.fingerprint)).where(
        col(Wanted.fingerprint) == fingerprint, col(Wanted.pattern) != "", ~col(Wanted.dismissed)
    )
    if released:
        query = query.where(exists().where(col(WantedReleased.fingerprint) == col(Wanted.fingerprint)))
    return session.execute(query.with_for_update(of=Wanted)).first() is not None


def add_person(session: Session, fingerprint: str, person: int) -> bool:
    """Note that a person met an error of the list, too; return whether this is the first time that they say so."""
    query = select(col(WantedPerson.person)).where(
        col(WantedPerson.fingerprint) == fingerprint, col(WantedPerson.person) == person
    )
    if session.execute(query).first() is not None:
        return False
    insert_missing(session, WantedPerson, [{"fingerprint": fingerprint, "person": person}])
    return True


def unreleased(session: Session) -> int:
    """Return how many patterns wait for a reviewer."""
    released = select(col(WantedReleased.fingerprint))
    query = select(func.count()).select_from(Wanted)
    query = query.where(col(Wanted.pattern) != "", ~col(Wanted.dismissed), col(Wanted.fingerprint).not_in(released))
    return int(session.execute(query).scalar_one())


def release(session: Session, fingerprint: str, actor: str, at: datetime) -> None:
    """Note that a reviewer released an error whose pattern is kept; for any other error nothing happens."""
    there = select(col(Wanted.fingerprint)).where(
        col(Wanted.fingerprint) == fingerprint, col(Wanted.pattern) != "", ~col(Wanted.dismissed)
    )
    if session.execute(there.with_for_update()).first() is not None:
        insert_missing(session, WantedReleased, [{"fingerprint": fingerprint, "actor": actor, "at": at}])


def withdraw(session: Session, fingerprint: str) -> None:
    """Take back the release of an error."""
    session.execute(delete(WantedReleased).where(col(WantedReleased.fingerprint) == fingerprint))


def dismiss(session: Session, fingerprint: str) -> None:
    """Take an error out of the list for good: its pattern is forgotten, and only its count goes on."""
    query = update(Wanted).where(col(Wanted.fingerprint) == fingerprint)
    session.execute(query.values(dismissed=True, pattern="").execution_options(synchronize_session=False))
    session.execute(delete(WantedPerson).where(col(WantedPerson.fingerprint) == fingerprint))
    withdraw(session, fingerprint)


def kept_patterns(session: Session) -> list[Wanted]:
    """Return every row with a pattern."""
    return list(session.scalars(select(Wanted).where(col(Wanted.pattern) != "").order_by(col(Wanted.fingerprint))))


def replace(session: Session, old: Wanted, fingerprint: str, pattern: str) -> None:
    """Replace a pattern by another one, which is not released; an empty one removes it.

    The count goes to whichever has that fingerprint already; what was dismissed stays dismissed.
    """
    session.execute(delete(Wanted).where(col(Wanted.fingerprint) == old.fingerprint))
    withdraw(session, old.fingerprint)
    if not pattern:
        return
    new = {"fingerprint": fingerprint, "asked": old.asked, "first": old.first, "last": old.last}
    changed: dict[str, object] = {"asked": col(Wanted.asked) + old.asked}
    if old.dismissed:
        changed["dismissed"] = True
    upsert(session, Wanted, new | {"dismissed": old.dismissed, "pattern": ""}, ("fingerprint",), changed)
    keep_pattern(session, fingerprint, pattern)
