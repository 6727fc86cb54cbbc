"""Tables of a team's own names."""

from sqlalchemy import Column, Text
from sqlmodel import Field

from app.store.columns import Table


class TeamName(Table, table=True):
    """What a team calls something of its own: `kind` is projects, components, tags or families, `key` what entries say.

    `document` is canonical JSON, see `app.content.name_rows`. `version` is raised by every change, for
    compare-and-set.
    """

    __tablename__ = "team_name"
    kind: str = Field(max_length=16, primary_key=True)
    key: str = Field(max_length=80, primary_key=True)
    version: int = 1
    document: str = Field(sa_column=Column(Text, nullable=False))


class SuggestedName(Table, table=True):
    """A name that a submission proposes; it becomes the team's when the submission is published."""

    __tablename__ = "suggested_name"
    submission: int = Field(primary_key=True, foreign_key="submission.id")
    kind: str = Field(max_length=16, primary_key=True)
    key: str = Field(max_length=80, primary_key=True)
    document: str = Field(sa_column=Column(Text, nullable=False))
