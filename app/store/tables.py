"""Tables. What an entry says is one canonical JSON document; the columns beside it are for finding and ordering."""

from datetime import UTC, datetime

from sqlalchemy import Column, DateTime, Dialect, Index, Text, TypeDecorator, UniqueConstraint
from sqlmodel import Field, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC that is aware on every database (SQLite forgets the zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give a naive value the zone it was written with."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def now() -> datetime:
    """The current time in UTC, without fractions of a second (so that it reads back equal on every database)."""
    return datetime.now(UTC).replace(microsecond=0)


# The largest number that a column of numbers holds on every database; no row has a larger one.
LARGEST_NUMBER = 2**31 - 1


def row_number(asked: int) -> int:
    """Return a number that a row may have; 0, which none has, for one that was never given out."""
    return asked if 0 < asked <= LARGEST_NUMBER else 0


class Entry(SQLModel, table=True):
    """The published state of an entry; `revision` counts its publications from 1."""

    __tablename__ = "entry"
    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(max_length=161, unique=True)
    project: str = Field(max_length=80, index=True)
    kind: str = Field(max_length=16)
    status: str = Field(max_length=16)
    revision: int
    digest: str = Field(max_length=64)
    title_en: str = Field(default="", max_length=500)
    title_zh: str = Field(default="", max_length=500)
    changed: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    # SQLite reads a row from its beginning, so the columns that every question needs stand before the long document.
    features: str = Field(sa_column=Column(Text, nullable=False))
    words: str = Field(sa_column=Column(Text, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class Redirect(SQLModel, table=True):
    """An earlier slug of an entry."""

    __tablename__ = "redirect"
    former: str = Field(max_length=161, primary_key=True)
    slug: str = Field(max_length=161, index=True)


class Revision(SQLModel, table=True):
    """One immutable published version of an entry. `actor` published it.

    `author` is the person who wrote its text, signed in; empty when that is not known, or no person.
    """

    __tablename__ = "revision"
    __table_args__ = (UniqueConstraint("slug", "number"),)
    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(max_length=161)
    number: int
    digest: str = Field(max_length=64)
    document: str = Field(sa_column=Column(Text, nullable=False))
    actor: str = Field(max_length=120)
    note: str = Field(default="", max_length=2000)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    author: str = Field(default="", max_length=120)


class Term(SQLModel, table=True):
    """A word of the recall index and the number of entries that hold it."""

    __tablename__ = "term"
    id: int | None = Field(default=None, primary_key=True)
    text: str = Field(max_length=200, unique=True)
    entries: int = 0


class Posting(SQLModel, table=True):
    """Which entry holds which term."""

    __tablename__ = "posting"
    __table_args__ = (Index("ix_posting_entry", "entry"), {"sqlite_with_rowid": False})
    term: int = Field(primary_key=True)
    entry: int = Field(primary_key=True)


class Submission(SQLModel, table=True):
    """A proposed entry or change, and what became of it.

    `token_digest` belongs to the submitter's link. `version` is raised by every change, for compare-and-set.
    `submitter` is a name that was typed; `person` is the number of whom it is from, None for somebody not signed in.
    """

    __tablename__ = "submission"
    id: int | None = Field(default=None, primary_key=True)
    token_digest: str = Field(max_length=64, unique=True)
    slug: str = Field(max_length=161, index=True)
    base_revision: int = 0
    digest: str = Field(max_length=64)
    document: str = Field(sa_column=Column(Text, nullable=False))
    state: str = Field(default="open", max_length=16, index=True)
    version: int = 1
    origin: str = Field(default="form", max_length=40)
    submitter: str = Field(default="", max_length=120)
    note: str = Field(default="", sa_column=Column(Text, nullable=False))
    lang: str = Field(default="en", max_length=2)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    person: int | None = None


class Review(SQLModel, table=True):
    """A decision on a submission, with actor and reason."""

    __tablename__ = "review"
    id: int | None = Field(default=None, primary_key=True)
    submission: int = Field(index=True, foreign_key="submission.id")
    decision: str = Field(max_length=16)
    actor: str = Field(max_length=120)
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class Person(SQLModel, table=True):
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


class PersonIdentity(SQLModel, table=True):
    """By whom an identity provider knows somebody: its address and its own, lasting name for them; never theirs."""

    __tablename__ = "person_identity"
    issuer: str = Field(max_length=500, primary_key=True)
    subject: str = Field(max_length=255, primary_key=True)
    person: int = Field(index=True, foreign_key="person.id")
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class LoginSession(SQLModel, table=True):
    """A signed-in browser; only the digest of its cookie is kept."""

    __tablename__ = "login_session"
    digest: str = Field(max_length=64, primary_key=True)
    person: int = Field(index=True, foreign_key="person.id")
    expires: datetime = Field(sa_type=UtcDateTime)
    # It is unknown for sessions that are older than this column.
    began: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AccessToken(SQLModel, table=True):
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


class OneTimeLink(SQLModel, table=True):
    """A link that lets somebody in once; only the digest of its token is kept. `person` is the one whose password it
    sets.
    """

    __tablename__ = "one_time_link"
    digest: str = Field(max_length=64, primary_key=True)
    kind: str = Field(max_length=16)
    role: str = Field(default="", max_length=16)
    person: int | None = Field(default=None, index=True, foreign_key="person.id")
    expires: datetime = Field(sa_type=UtcDateTime)


class AuditRecord(SQLModel, table=True):
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


class SignInCount(SQLModel, table=True):
    """How many wrong sign-ins are counted under a key, the digest of an address or account, and until when they count.

    See `app.people.attempts`.
    """

    __tablename__ = "sign_in_count"
    __table_args__ = (Index("ix_sign_in_count_until", "until"),)
    key: str = Field(max_length=64, primary_key=True)
    number: int = 0
    until: datetime = Field(sa_type=UtcDateTime)


class KnownAddress(SQLModel, table=True):
    """An address that a person signed in from, as a digest, and when they last did."""

    __tablename__ = "known_address"
    __table_args__ = (Index("ix_known_address_last", "last"),)
    person: int = Field(primary_key=True, foreign_key="person.id")
    address: str = Field(max_length=64, primary_key=True)
    last: datetime = Field(sa_type=UtcDateTime)


# The stored value under this name says by which version of the code the index was made.
INDEX_VERSION = "index-version"


class Stored(SQLModel, table=True):
    """A single value that the installation keeps, such as its secret key."""

    __tablename__ = "stored"
    name: str = Field(max_length=80, primary_key=True)
    text: str = Field(sa_column=Column(Text, nullable=False))


class SyncBase(SQLModel, table=True):
    """The digest of an entry when folder and database were last level."""

    __tablename__ = "sync_base"
    folder: str = Field(max_length=80, primary_key=True)
    slug: str = Field(max_length=161, primary_key=True)
    digest: str = Field(max_length=64)


class Feedback(SQLModel, table=True):
    """What one person said of an entry: one row each, the later word replaces the earlier.

    `voter` is the digest of a random cookie, or `person:` with the number of somebody who had signed in. `revision` is
    the one that was read. `note` is for reviewers, one of whom marks it as `seen`.
    """

    __tablename__ = "feedback"
    __table_args__ = (UniqueConstraint("slug", "voter"), Index("ix_feedback_noted", "noted"))
    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(max_length=161)
    voter: str = Field(max_length=64)
    revision: int
    vote: str = Field(max_length=16)
    lang: str = Field(default="en", max_length=2)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    # This is when the note was written; None if there is no note.
    noted: datetime | None = Field(default=None, sa_type=UtcDateTime)
    seen: bool = False
    note: str = Field(default="", sa_column=Column(Text, nullable=False))


class Wanted(SQLModel, table=True):
    """An error that found no entry, by the fingerprint of its masked pattern.

    `pattern` stays empty until several people asked, and is empty again once it was dismissed.
    """

    __tablename__ = "wanted"
    __table_args__ = (Index("ix_wanted_asked", "asked"), Index("ix_wanted_last", "last"))
    fingerprint: str = Field(max_length=32, primary_key=True)
    asked: int = 1
    first: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    last: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    dismissed: bool = False
    pattern: str = Field(default="", max_length=300)


class WantedPerson(SQLModel, table=True):
    """A signed-in person who asked for an error whose pattern is not kept yet. The row is deleted once the pattern is
    kept.
    """

    __tablename__ = "wanted_person"
    fingerprint: str = Field(max_length=32, primary_key=True)
    person: int = Field(primary_key=True)


class WantedReleased(SQLModel, table=True):
    """An error whose pattern a reviewer, `actor`, released: everybody sees it."""

    __tablename__ = "wanted_released"
    fingerprint: str = Field(max_length=32, primary_key=True)
    actor: str = Field(max_length=120)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class DaySalt(SQLModel, table=True):
    """The salt of a day's digests, the same for all workers; both are deleted when the day is over."""

    __tablename__ = "day_salt"
    day: str = Field(max_length=10, primary_key=True)
    salt: str = Field(max_length=64)


class DayDigest(SQLModel, table=True):
    """That somebody did something with `about` on a day (YYYY-MM-DD, UTC), by a keyed digest of their address."""

    __tablename__ = "day_digest"
    day: str = Field(max_length=10, primary_key=True)
    about: str = Field(max_length=80, primary_key=True)
    digest: str = Field(max_length=64, primary_key=True)
