"""Tables of what was proposed, and what was decided on it."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from app.store.columns import Table, UtcDateTime, now


class Submission(Table, table=True):
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


class Review(Table, table=True):
    """A decision on a submission, with actor and reason."""

    __tablename__ = "review"
    id: int | None = Field(default=None, primary_key=True)
    submission: int = Field(index=True, foreign_key="submission.id")
    decision: str = Field(max_length=16)
    actor: str = Field(max_length=120)
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
