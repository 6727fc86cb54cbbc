"""Tables of what readers asked for and said: feedback, errors without an entry, and the counts of a day."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from app.store.columns import Table, UtcDateTime, now


class Feedback(Table, table=True):
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


class Wanted(Table, table=True):
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


class WantedPerson(Table, table=True):
    """A signed-in person who asked for an error whose pattern is not kept yet. The row is deleted once the pattern is
    kept.
    """

    __tablename__ = "wanted_person"
    fingerprint: str = Field(max_length=32, primary_key=True)
    person: int = Field(primary_key=True)


class WantedReleased(Table, table=True):
    """An error whose pattern a reviewer, `actor`, released: everybody sees it."""

    __tablename__ = "wanted_released"
    fingerprint: str = Field(max_length=32, primary_key=True)
    actor: str = Field(max_length=120)
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class DaySalt(Table, table=True):
    """The salt of a day's digests, the same for all workers; both are deleted when the day is over."""

    __tablename__ = "day_salt"
    day: str = Field(max_length=10, primary_key=True)
    salt: str = Field(max_length=64)


class DayDigest(Table, table=True):
    """That somebody did something with `about` on a day (YYYY-MM-DD, UTC), by a keyed digest of their address."""

    __tablename__ = "day_digest"
    day: str = Field(max_length=10, primary_key=True)
    about: str = Field(max_length=80, primary_key=True)
    digest: str = Field(max_length=64, primary_key=True)
