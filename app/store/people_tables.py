"""Tables of people: who they are, how they come in, and what they did."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field

from app.store.columns import Table, UtcDateTime, now


class Person(Table, table=True):
    """Someone who can sign in, or could.

    `state` is active, deactivated or removed. Of somebody who was removed only the number is known, in the name "former
    member 7". `password` and `language` are empty for people who have, or chose, none.
    """

    __tablename__ = "person"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=80, unique=True)
    password: str = Field(max_length=200)
    role: str = Field(default="reviewer", max_length=16)
    created: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    email: str = Field(default="", max_length=254)
    language: str = Field(default="", max_length=2)
    state: str = Field(default="active", max_length=16)


class PersonIdentity(Table, table=True):
    """By whom an identity provider knows somebody: its address and its own, lasting name for them; never theirs."""

    __tablename__ = "person_identity"
    issuer: str = Field(max_length=500, primary_key=True)
    subject: str = Field(max_length=255, primary_key=True)
    person: int = Field(index=True, foreign_key="person.id")
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class LoginSession(Table, table=True):
    """A signed-in browser; only the digest of its cookie is kept."""

    __tablename__ = "login_session"
    digest: str = Field(max_length=64, primary_key=True)
    person: int = Field(index=True, foreign_key="person.id")
    expires: datetime = Field(sa_type=UtcDateTime)
    # It is unknown for sessions that are older than this column.
    began: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AccessToken(Table, table=True):
    """What a program of a person calls with; only the SHA-256 of its text is kept.

    `used` is the last day of its use (YYYY-MM-DD, UTC), empty before.
    """

    __tablename__ = "access_token"
    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(max_length=64, unique=True)
    person: int = Field(index=True, foreign_key="person.id")
    name: str = Field(max_length=80)
    scope: str = Field(max_length=16)
    created: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    expires: datetime = Field(sa_type=UtcDateTime)
    revoked: datetime | None = Field(default=None, sa_type=UtcDateTime)
    used: str = Field(default="", max_length=10)


class OneTimeLink(Table, table=True):
    """A link that lets somebody in once; only the digest of its token is kept. `person` is the one whose password it
    sets.
    """

    __tablename__ = "one_time_link"
    digest: str = Field(max_length=64, primary_key=True)
    kind: str = Field(max_length=16)
    role: str = Field(default="", max_length=16)
    person: int | None = Field(default=None, index=True, foreign_key="person.id")
    expires: datetime = Field(sa_type=UtcDateTime)


class AuditRecord(Table, table=True):
    """Something that somebody did. `actor` is the number of a person, and `origin` says where it came from without one.

    `kind` and `number` name what it was done to: an entry, a submission, a person, a token.
    """

    __tablename__ = "audit_record"
    __table_args__ = (Index("ix_audit_record_at", "at"),)
    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    actor: int | None = Field(default=None, index=True)
    origin: str = Field(max_length=16)
    act: str = Field(max_length=40)
    kind: str = Field(default="", max_length=16)
    number: int | None = None
    before: str = Field(default="", max_length=200)
    after: str = Field(default="", max_length=200)


class SignInCount(Table, table=True):
    """How many wrong sign-ins are counted under a key, the digest of an address or account, and until when they count.

    See `app.people.attempts`.
    """

    __tablename__ = "sign_in_count"
    __table_args__ = (Index("ix_sign_in_count_until", "until"),)
    key: str = Field(max_length=64, primary_key=True)
    number: int = 0
    until: datetime = Field(sa_type=UtcDateTime)


class KnownAddress(Table, table=True):
    """An address that a person signed in from, as a digest, and when they last did."""

    __tablename__ = "known_address"
    __table_args__ = (Index("ix_known_address_last", "last"),)
    person: int = Field(primary_key=True, foreign_key="person.id")
    address: str = Field(max_length=64, primary_key=True)
    last: datetime = Field(sa_type=UtcDateTime)
