"""Tables of what an installation keeps for itself: single values, and how far a folder is level."""

from sqlalchemy import Column, Text
from sqlmodel import Field

from app.store.columns import Table

# The stored value under this name says by which version of the code the index was made.
INDEX_VERSION = "index-version"


class Stored(Table, table=True):
    """A single value that the installation keeps, such as its secret key."""

    __tablename__ = "stored"
    name: str = Field(max_length=80, primary_key=True)
    text: str = Field(sa_column=Column(Text, nullable=False))


class SyncBase(Table, table=True):
    """The digest of an entry when folder and database were last level."""

    __tablename__ = "sync_base"
    folder: str = Field(max_length=80, primary_key=True)
    slug: str = Field(max_length=161, primary_key=True)
    digest: str = Field(max_length=64)
