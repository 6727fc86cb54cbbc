"""Tables of the entries. What an entry says is one canonical JSON document; the columns beside it are for finding and
ordering.
"""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from app.store.columns import Table, UtcDateTime, now


class Entry(Table, table=True):
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


class Redirect(Table, table=True):
    """An earlier slug of an entry."""

    __tablename__ = "redirect"
    former: str = Field(max_length=161, primary_key=True)
    slug: str = Field(max_length=161, index=True)


class Revision(Table, table=True):
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


class Term(Table, table=True):
    """A word of the recall index and the number of entries that hold it."""

    __tablename__ = "term"
    id: int | None = Field(default=None, primary_key=True)
    text: str = Field(max_length=200, unique=True)
    entries: int = 0


class Posting(Table, table=True):
    """Which entry holds which term."""

    __tablename__ = "posting"
    __table_args__ = (Index("ix_posting_entry", "entry"), {"sqlite_with_rowid": False})
    term: int = Field(primary_key=True)
    entry: int = Field(primary_key=True)
