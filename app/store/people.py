"""Queries on people and their sessions."""

from datetime import datetime

from sqlmodel import Session, col, delete, select

from app.store.tables import LoginSession, Person, WantedPerson


def by_name(session: Session, name: str) -> Person | None:
    """Return the person with this name."""
    return session.exec(select(Person).where(Person.name == name)).first()


def by_session(session: Session, digest: str, at: datetime) -> Person | None:
    """Return the person whose session has this token digest and has not expired."""
    query = (
        select(Person)
        .join(LoginSession, col(LoginSession.person) == Person.id)
        .where(LoginSession.digest == digest, col(LoginSession.expires) > at)
    )
    return session.exec(query).first()


def all_of_them(session: Session) -> list[Person]:
    """Return everyone, in the order of their names."""
    return list(session.exec(select(Person).order_by(col(Person.name))))


def forget_person(session: Session, person: int) -> None:
    """End all sessions of one person."""
    session.exec(delete(LoginSession).where(col(LoginSession.person) == person))


def forget_asked(session: Session, person: int) -> None:
    """Forget what one person asked for that found no entry."""
    session.exec(delete(WantedPerson).where(col(WantedPerson.person) == person))


def forget(session: Session, digest: str) -> None:
    """End one session."""
    session.exec(delete(LoginSession).where(col(LoginSession.digest) == digest))


def forget_expired(session: Session, at: datetime) -> None:
    """End all sessions that have expired."""
    session.exec(delete(LoginSession).where(col(LoginSession.expires) <= at))
