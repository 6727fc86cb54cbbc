"""What an SQLite database holds, read without the application."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from app.config import Settings

# the counts of the recall index, and the revisions, each against what they are counted of
_WRONG_TERMS = "SELECT count(*) FROM term WHERE entries != (SELECT count(*) FROM posting WHERE term = term.id)"
_WRONG_REVISIONS = """
SELECT count(*) FROM entry WHERE revision != (SELECT count(*) FROM revision WHERE slug = entry.slug)
OR digest != (SELECT digest FROM revision WHERE slug = entry.slug AND number = entry.revision)
"""


def path_of(settings: Settings) -> Path:
    """Return the database file."""
    return Path(str(settings.url.database))


def ask(settings: Settings, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with closing(sqlite3.connect(f"file:{path_of(settings)}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def count(settings: Settings, table: str) -> int:
    """Return the number of rows that everybody can see; 0 where there is no such table yet."""
    try:
        return int(ask(settings, f"SELECT count(*) FROM {table}")[0][0])
    except sqlite3.OperationalError:
        return 0


def is_writing(settings: Settings) -> bool:
    """Whether somebody is inside a transaction that writes."""
    try:
        with closing(sqlite3.connect(path_of(settings), timeout=0, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False


def written_at(settings: Settings, ending: str) -> int:
    """When a file beside the database was last written to, in nanoseconds; 0 while there is none."""
    path = Path(f"{path_of(settings)}{ending}")
    return path.stat().st_mtime_ns if path.exists() else 0


def size(settings: Settings, ending: str = "") -> int:
    """Return the size of the database file, or of the file beside it with this ending; -1 when it is not there."""
    path = Path(f"{path_of(settings)}{ending}")
    return path.stat().st_size if path.exists() else -1


def is_sound(settings: Settings) -> None:
    """Hold a database to what must always be true of it."""
    with closing(sqlite3.connect(path_of(settings))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for sql in (_WRONG_TERMS, _WRONG_REVISIONS):
            assert connection.execute(sql).fetchone() == (0,), sql


def entries(settings: Settings) -> list[tuple[Any, ...]]:
    """Return slug, digest, revision and number of terms of every entry."""
    terms = "(SELECT count(*) FROM posting WHERE entry = entry.id)"
    return ask(settings, f"SELECT slug, digest, revision, {terms} FROM entry ORDER BY slug")
