"""People, roles and signed-in sessions."""

import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.errors import BadInput, Forbidden, NotFound, WrongCredentials
from app.people import audit, passwords, permissions
from app.people.permissions import ACTS, DEFAULT_ROLE, ROLES, Act, Role
from app.store import people, sign_ins
from app.store.columns import now
from app.store.installation_tables import Stored
from app.store.people_tables import LoginSession, Person
from app.store.session import reading, writing

KEY = "secret-key"
# The names of people who were removed begin with this, see `app.people.members`.
FORMER = "former member"


@dataclass(frozen=True, slots=True)
class Who:
    """A signed-in person, or one whose token a program calls with, as routes see them."""

    id: int
    name: str
    role: str
    is_token: bool = False

    def is_at_least(self, least: Role) -> bool:
        """Tell whether they may do what is allowed from this role on."""
        return permissions.is_at_least(self.role, least)

    def may(self, act: Act) -> bool:
        """Tell whether they may do this."""
        return self.is_at_least(ACTS[act])

    @property
    def may_review(self) -> bool:
        """Whether they may decide on submissions."""
        return self.may("review")


def reviewer(who: Who) -> Who:
    """Return a person who may decide on submissions. Raises `Forbidden` for anybody else."""
    if not who.may_review:
        raise Forbidden
    return who


def digest(token: str, key: str = "") -> str:
    """Return the HMAC-SHA-256 of a token under a key, in hexadecimal; only this is stored."""
    return hmac.new(key.encode(), token.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def signing_key(engine: Engine, configured: str) -> str:
    """Return the key under which sessions are known: the configured one, else the database's own, made once.

    Another key signs everybody out.
    """
    if configured:
        return configured
    for _ in range(2):
        with reading(engine) as session:
            if stored := session.get(Stored, KEY):
                return stored.text
        # Another worker may make the key at the same moment; then that one is read.
        with suppress(IntegrityError), writing(engine) as session:
            session.add(Stored(name=KEY, text=secrets.token_urlsafe(48)))
    with reading(engine) as session:
        return session.get_one(Stored, KEY).text


def add_person(engine: Engine, name: str, password: str, role: str = DEFAULT_ROLE) -> Person:
    """Create a person, by the operator's command.

    Raises `BadInput` when the name is taken or empty, the role unknown, or the password not taken (see `passwords`).
    """
    if role not in ROLES:
        raise BadInput(detail=f"unknown role {role!r}; there are {', '.join(ROLES)}")
    with reading(engine) as session:
        name = free_name(session, name)
    # The password is hashed outside the transaction, for nobody else could write meanwhile.
    person = Person(name=name, password=passwords.hash_new(password, name), role=role)
    with writing(engine) as session:
        free_name(session, name)
        session.add(person)
        session.flush()
        audit.record(session, "joined", 0, ("person", person.id), after=role)
    return person


def free_name(session: Session, name: str) -> str:
    """Return a name without the space around it. Raises `BadInput` when nobody new can have it."""
    name = name.strip()
    if not name or len(name) > 80 or not name.isprintable():
        raise BadInput(detail="a name has 1 to 80 characters, all of them visible", fields={"name": "join.name-wrong"})
    if name.startswith(FORMER) or people.by_name(session, name):
        raise BadInput(detail=f"there is already a person named {name!r}", fields={"name": "join.name-taken"})
    return name


def everyone(session: Session) -> list[Person]:
    """Return everybody who was not removed, in the order of their names."""
    return people.all_of_them(session)


def set_password(engine: Engine, name: str, password: str) -> None:
    """Give a person a new password, end all their sessions and forget the addresses that they are known at.

    Raises `NotFound` when nobody has this name, `BadInput` when the password is not taken (see `passwords`).
    """
    with reading(engine) as session:
        person = named(session, name)
    hashed = passwords.hash_new(password, person.name)
    _keep_password(engine, person.id or 0, person.password, hashed, by=0)


def change_password(engine: Engine, who: Who, old: str, new: str) -> None:
    """Give oneself a new password and end all sessions, the present one too.

    Raises `WrongCredentials` when the old one is wrong, `BadInput` when the new one is not taken.
    """
    with reading(engine) as session:
        person = people.by_number(session, who.id)
    kept = person.password if person else ""
    if not passwords.fits(old, kept or None):
        raise WrongCredentials
    hashed = passwords.hash_new(new, who.name)
    _keep_password(engine, who.id, kept, hashed, by=who.id)


def _keep_password(engine: Engine, number: int, before: str, hashed: str, *, by: int) -> None:
    with writing(engine) as session:
        person = people.by_number(session, number)
        if person is None or person.password != before:
            # The person was removed, or got another password, while this one was hashed.
            raise NotFound(what=f"person {number}")
        person.password = hashed
        session.add(person)
        forget_ways_in(session, person)
        audit.record(session, "password", by, ("person", number))


def forget_ways_in(session: Session, person: Person) -> None:
    """End all sessions of a person, and forget the addresses that they are known at and the links that are for them."""
    number = person.id or 0
    people.forget_person(session, number)
    people.forget_links(session, now(), person=number)
    sign_ins.forget_known_of(session, number)


def named(session: Session, name: str) -> Person:
    """Return the person with this name. Raises `NotFound`."""
    person = people.by_name(session, name.strip())
    if person is None or person.state == "removed":
        raise NotFound(what=name.strip()[:80])
    return person


def open_session(session: Session, person: int, days: int, key: str) -> str:
    """Open a session of `days` days for the person with this number; return its token. Sessions that are over are
    deleted.
    """
    token = secrets.token_urlsafe(32)
    people.forget_expired(session, now())
    at = now()
    session.add(LoginSession(digest=digest(token, key), person=person, began=at, expires=at + timedelta(days=days)))
    return token


def sign_out(session: Session, token: str, key: str) -> None:
    """End the session of this token, if there is one."""
    people.forget(session, digest(token, key))


def who(session: Session, token: str | None, key: str) -> Who | None:
    """Return the person whose session this token opens, or None."""
    if not token:
        return None
    person = people.by_session(session, digest(token, key), now())
    return Who(person.id or 0, person.name, person.role) if person else None
