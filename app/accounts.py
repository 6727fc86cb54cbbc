"""People, roles and signed-in sessions."""

import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from pwdlib import PasswordHash
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.errors import BadInput, Forbidden, NotFound, WrongCredentials
from app.models import LoginSession, Person, Stored, now
from app.store import people
from app.store.session import reading, writing

ROLES = ("reviewer", "admin")
SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 1000
KEY = "secret-key"
_hasher = PasswordHash.recommended()


@cache
def _nobody() -> str:
    """Return what is compared with when the name is unknown, so that the answer takes as long as for a known one."""
    return _hasher.hash("nobody has this password")


@dataclass(frozen=True, slots=True)
class Who:
    """A signed-in person, as routes see them."""

    id: int
    name: str
    role: str

    @property
    def may_review(self) -> bool:
        """Whether they may decide on submissions."""
        return self.role in ROLES


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


def add_person(session: Session, name: str, password: str, role: str = "reviewer") -> Person:
    """Create a person.

    Raises `BadInput` when the name is taken or empty, the role unknown, or the password not of 10–1000 characters.
    """
    name = name.strip()
    if not name or len(name) > 80:
        raise BadInput(detail="a name has 1 to 80 characters")
    if role not in ROLES:
        raise BadInput(detail=f"unknown role {role!r}; there are {', '.join(ROLES)}")
    _check_password(password)
    if people.by_name(session, name):
        raise BadInput(detail=f"there is already a person named {name!r}")
    person = Person(name=name, password=_hasher.hash(password), role=role)
    session.add(person)
    session.flush()
    return person


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadInput(detail=f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")


def everyone(session: Session) -> list[Person]:
    """Return everyone who can sign in, in the order of their names."""
    return people.all_of_them(session)


def set_password(session: Session, name: str, password: str) -> None:
    """Give a person a new password and end all their sessions.

    Raises `NotFound` when nobody has this name, `BadInput` when the password is not of 10–1000 characters.
    """
    person = _known(session, name)
    _check_password(password)
    person.password = _hasher.hash(password)
    session.add(person)
    people.forget_person(session, person.id or 0)


def remove_person(session: Session, name: str) -> None:
    """Remove a person and end all their sessions; their decisions stay. Raises `NotFound`."""
    person = _known(session, name)
    people.forget_person(session, person.id or 0)
    people.forget_asked(session, person.id or 0)
    session.delete(person)


def _known(session: Session, name: str) -> Person:
    person = people.by_name(session, name.strip())
    if person is None:
        raise NotFound(what=name.strip()[:80])
    return person


def sign_in(session: Session, name: str, password: str, days: int, key: str) -> str:
    """Check a password and open a session of `days` days; return its token. Raises `WrongCredentials`."""
    person = people.by_name(session, name.strip())
    known = person.password if person else _nobody()
    if len(password) > LONGEST_PASSWORD or not _hasher.verify(password, known) or person is None:
        raise WrongCredentials
    token = secrets.token_urlsafe(32)
    people.forget_expired(session, now())
    session.add(LoginSession(digest=digest(token, key), person=person.id or 0, expires=now() + timedelta(days=days)))
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
