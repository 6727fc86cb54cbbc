"""Queries on people and their sessions."""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session, col, delete, select, update

from app.store.asked_tables import WantedPerson
from app.store.people_tables import AccessToken, LoginSession, OneTimeLink, Person, PersonIdentity


def by_name(session: Session, name: str) -> Person | None:
    """Return the person with this name."""
    return session.exec(select(Person).where(Person.name == name)).first()


def by_session(session: Session, digest: str, at: datetime) -> Person | None:
    """Return the person whose session has this token digest and has not expired."""
    query = (
        select(Person)
        .join(LoginSession, col(LoginSession.person) == Person.id)
        .where(LoginSession.digest == digest, col(LoginSession.expires) > at, Person.state == "active")
    )
    return session.exec(query).first()


def all_of_them(session: Session) -> list[Person]:
    """Return everybody who was not removed, in the order of their names."""
    return list(session.exec(select(Person).where(Person.state != "removed").order_by(col(Person.name))))


def by_number(session: Session, number: int) -> Person | None:
    """Return the person with this number, even if they were removed."""
    return session.get(Person, number)


def by_identity(session: Session, issuer: str, subject: str) -> Person | None:
    """Return the person whom an identity provider knows by this subject."""
    found = session.get(PersonIdentity, (issuer, subject))
    return session.get(Person, found.person) if found else None


def by_email(session: Session, email: str) -> list[Person]:
    """Return everybody with an e-mail address, which is in lower case."""
    return list(session.exec(select(Person).where(Person.email == email, Person.state != "removed")))


def identities_of(session: Session, person: int) -> list[PersonIdentity]:
    """Return by whom identity providers know one person."""
    query = select(PersonIdentity).where(PersonIdentity.person == person)
    return list(session.exec(query.order_by(col(PersonIdentity.issuer))))


def forget_identities(session: Session, person: int) -> None:
    """Have no identity provider know a person any more."""
    session.exec(delete(PersonIdentity).where(col(PersonIdentity.person) == person))


def names(session: Session, numbers: Iterable[int]) -> dict[int, str]:
    """Return the names of people by their numbers."""
    query = select(Person.id, Person.name).where(col(Person.id).in_(set(numbers)))
    return {number or 0: name for number, name in session.exec(query)}


def active_admins(session: Session) -> list[int]:
    """Return the numbers of the admins who can sign in. No other transaction can change them until this one ends."""
    query = select(Person.id).where(Person.role == "admin", Person.state == "active").with_for_update()
    return [number or 0 for number in session.exec(query)]


def has_active_admin(session: Session) -> bool:
    """Tell whether an admin can sign in."""
    query = select(Person.id).where(Person.role == "admin", Person.state == "active").limit(1)
    return session.exec(query).first() is not None


def sessions_of(session: Session, person: int, at: datetime) -> list[LoginSession]:
    """Return the sessions of one person that are not over, the latest first."""
    query = select(LoginSession).where(LoginSession.person == person, col(LoginSession.expires) > at)
    return list(session.exec(query.order_by(col(LoginSession.expires).desc(), col(LoginSession.digest))))


def forget_others(session: Session, person: int, kept: str) -> None:
    """End all sessions of one person but the one with this digest."""
    session.exec(delete(LoginSession).where(col(LoginSession.person) == person, col(LoginSession.digest) != kept))


def forget_one_of(session: Session, person: int, digest: str) -> bool:
    """End one session of a person; tell whether it was there."""
    query = delete(LoginSession).where(col(LoginSession.person) == person, col(LoginSession.digest) == digest)
    return bool(session.exec(query).rowcount)


def tokens_of(session: Session, person: int) -> list[AccessToken]:
    """Return the tokens of one person, the latest first."""
    query = select(AccessToken).where(AccessToken.person == person)
    return list(session.exec(query.order_by(col(AccessToken.id).desc())))


def token_by_digest(session: Session, digest: str) -> tuple[AccessToken, Person] | None:
    """Return the token with this digest and whose it is."""
    query = select(AccessToken, Person).join(Person, col(Person.id) == AccessToken.person)
    return session.exec(query.where(AccessToken.digest == digest)).first()


def end_tokens(session: Session, person: int, at: datetime) -> None:
    """Revoke all tokens of one person, and leave nothing of them but what a token that is shown is known by."""
    ended = {"name": "", "used": "", "revoked": at}
    session.exec(update(AccessToken).where(col(AccessToken.person) == person).values(**ended))


def link(session: Session, digest: str, at: datetime) -> OneTimeLink | None:
    """Return the one-time link with this digest, unless its time is over."""
    query = select(OneTimeLink).where(OneTimeLink.digest == digest, col(OneTimeLink.expires) > at)
    return session.exec(query).first()


def take_link(session: Session, digest: str) -> bool:
    """Use up a one-time link; tell whether it was still there."""
    return bool(session.exec(delete(OneTimeLink).where(col(OneTimeLink.digest) == digest)).rowcount)


def forget_links(session: Session, at: datetime, kind: str = "", person: int | None = None) -> None:
    """Remove the links whose time is over, and those of a kind or for a person where one is named."""
    session.exec(delete(OneTimeLink).where(col(OneTimeLink.expires) <= at))
    if kind:
        session.exec(delete(OneTimeLink).where(col(OneTimeLink.kind) == kind))
    if person is not None:
        session.exec(delete(OneTimeLink).where(col(OneTimeLink.person) == person))


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
