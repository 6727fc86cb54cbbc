"""People, roles and signed-in sessions."""

import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.errors import BadInput, Forbidden, NotFound
from app.people import passwords, permissions
from app.people.permissions import ACTS, DEFAULT_ROLE, ROLES, Act, Role
from app.store import people, sign_ins
from app.store.session import reading, writing
from app.store.tables import LoginSession, Person, Stored, now

KEY = "secret-key"


@dataclass(frozen=True, slots=True)
class Who:
    """A signed-in person, as routes see them."""

    id: int
    name: str
    role: str

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
        # another worker may make it at the same moment; then theirs is read
        with suppress(IntegrityError), writing(engine) as session:
            session.add(Stored(name=KEY, text=secrets.token_urlsafe(48)))
    with reading(engine) as session:
        return session.get_one(Stored, KEY).text


def add_person(engine: Engine, name: str, password: str, role: str = DEFAULT_ROLE) -> Person:
    """Create a person.

    Raises `BadInput` when the name is taken or empty, the role unknown, or the password not taken (see `passwords`).
    """
    name = name.strip()
    if not name or len(name) > 80:
        raise BadInput(detail="a name has 1 to 80 characters")
    if role not in ROLES:
        raise BadInput(detail=f"unknown role {role!r}; there are {', '.join(ROLES)}")
    with reading(engine) as session:
        _need_free(session, name)
    # outside the transaction, since nobody else could write meanwhile
    person = Person(name=name, password=passwords.hash_new(password, name), role=role)
    with writing(engine) as session:
        _need_free(session, name)
        session.add(person)
    return person


def _need_free(session: Session, name: str) -> None:
    if people.by_name(session, name):
        raise BadInput(detail=f"there is already a person named {name!r}")


def everyone(session: Session) -> list[Person]:
    """Return everyone who can sign in, in the order of their names."""
    return people.all_of_them(session)


def set_password(engine: Engine, name: str, password: str) -> None:
    """Give a person a new password, end all their sessions and forget the addresses that they are known at.

    Raises `NotFound` when nobody has this name, `BadInput` when the password is not taken (see `passwords`).
    """
    with reading(engine) as session:
        known = _known(session, name).name
    hashed = passwords.hash_new(password, known)
    with writing(engine) as session:
        person = _known(session, known)
        person.password = hashed
        session.add(person)
        _forget(session, person)


def remove_person(session: Session, name: str) -> None:
    """Remove a person and end all their sessions; their decisions stay. Raises `NotFound`."""
    person = _known(session, name)
    _forget(session, person)
    people.forget_asked(session, person.id or 0)
    session.delete(person)


def _forget(session: Session, person: Person) -> None:
    people.forget_person(session, person.id or 0)
    sign_ins.forget_known_of(session, person.id or 0)


def _known(session: Session, name: str) -> Person:
    person = people.by_name(session, name.strip())
    if person is None:
        raise NotFound(what=name.strip()[:80])
    return person


def open_session(session: Session, person: int, days: int, key: str) -> str:
    """Open a session of `days` days for the person with this number; return its token. Forgets those that are over."""
    token = secrets.token_urlsafe(32)
    people.forget_expired(session, now())
    session.add(LoginSession(digest=digest(token, key), person=person, expires=now() + timedelta(days=days)))
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
