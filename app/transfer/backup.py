"""The whole installation as one file, the same for every database: taken while people work, put back all or nothing.

The file is a zip: `errdex.jsonl` holds the entries as `errdex export` writes them, `entry.jsonl` what their documents
do not say, a JSON-lines file each table of `KEPT`, and `meta.json` what is in it. What follows from the entries (the
recall index) is made again. Signed-in sessions, one-time links and the secret key stay behind: after a restore
everybody signs in again. Tokens of programs are kept, as their digests, and are good still, and by whom an
identity provider knows people. Counts of wrong sign-ins,
which hold for minutes, stay behind, and the addresses that people are known at, which mean nothing without the key.
Who asked for what stays behind too: the digests of a day with their salt, and which people asked for an error that
found no entry; their counting begins again.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Engine, Table, func, insert, inspect, select, text
from sqlmodel import Session, SQLModel, col

from app import __version__
from app.config import Settings
from app.content.schema import EntryDocument
from app.people import accounts
from app.store import entries, entry_index
from app.store.asked_tables import Feedback, Wanted, WantedReleased
from app.store.columns import UtcDateTime
from app.store.entry_tables import Entry, Redirect, Revision
from app.store.errors import DamagedDatabase
from app.store.installation_tables import INDEX_VERSION, Stored, SyncBase
from app.store.migrate import migrate, revisions
from app.store.name_tables import SuggestedName, TeamName
from app.store.people_tables import AccessToken, AuditRecord, Person, PersonIdentity
from app.store.session import reading, writing
from app.store.submission_tables import Review, Submission
from app.transfer import archive
from app.transfer.archive import BrokenArchive, Meta

Progress = Callable[[int, int], None]
"""Called with how many rows are done, and of how many."""
Row = dict[str, Any]
Models = tuple[type[SQLModel], ...]

DOCUMENTS, HEADS = "errdex", "entry"
# They are in an order in which each row comes after those that it refers to.
KEPT: Models = (
    Revision,
    Redirect,
    Person,
    PersonIdentity,
    AccessToken,
    AuditRecord,
    Submission,
    Review,
    Stored,
    SyncBase,
    Feedback,
    Wanted,
    WantedReleased,
    TeamName,
    SuggestedName,
)
ALL: Models = (Entry, *KEPT)
# These tables are made again from the entries, or are left behind.
LEFT = (
    "term",
    "posting",
    "login_session",
    "one_time_link",
    "sign_in_count",
    "known_address",
    "wanted_person",
    "day_salt",
    "day_digest",
)
LEFT_VALUES = (accounts.KEY, INDEX_VERSION)
BATCH = 500


class Refused(Exception):
    """This database cannot be backed up or restored into as it is; the text says what to do."""


def backup(engine: Engine, path: Path) -> Meta:
    """Write everything that the database held at one moment into the file `path`; others may write meanwhile.

    Raises `Refused` when its tables are not of this version, `DamagedDatabase`, `Unavailable`, `OSError`.
    """
    with reading(_steady(engine)) as session:
        _need_whole(session)
        schema = _schema(session)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        return archive.write(path, __version__, schema, made, _tables(session))


def _steady(engine: Engine) -> Engine:
    """Return an engine whose reading transactions see one moment, as those of SQLite do."""
    if engine.url.get_backend_name() == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ")


def _need_whole(session: Session) -> None:
    # A damaged index would leave out rows without any error, so the file is checked first.
    if session.get_bind().dialect.name == "sqlite":
        found = session.execute(text("PRAGMA integrity_check(1)")).scalar_one()
        if found != "ok":
            raise DamagedDatabase from DatabaseError(str(found))


def _schema(session: Session) -> str:
    found = str(session.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
    if found != revisions()[0]:
        raise Refused("the tables are not of this version of Errdex; `errdex ingest` or `errdex serve` upgrades them")
    return found


def _tables(session: Session) -> Iterator[tuple[str, Iterable[str]]]:
    yield DOCUMENTS, entries.documents(session)
    heads = session.execute(
        select(col(Entry.id), col(Entry.slug), col(Entry.revision), col(Entry.changed)).order_by(col(Entry.id))
    )
    yield HEADS, (encoded(dict(row)) for row in heads.mappings())
    for model in KEPT:
        yield _table(model).name, _rows(session, model)


def _rows(session: Session, model: type[SQLModel]) -> Iterator[str]:
    table = _table(model)
    query = select(table).order_by(*table.primary_key.columns)
    for row in session.execute(query, execution_options={"yield_per": BATCH}).mappings():
        if model is not Stored or row["name"] not in LEFT_VALUES:
            yield encoded(dict(row))


def _table(model: type[SQLModel]) -> Table:
    table = inspect(model).local_table
    assert isinstance(table, Table)
    return table


def encoded(row: Row) -> str:
    """Return a row as one line of JSON without its newline; a moment is written in ISO 8601."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat)


def decoded(table: Table, line: bytes) -> Row:
    """Return the row that `encoded` wrote. Raises `BrokenArchive` when the table has no such columns."""
    row: Row = json.loads(line)
    for name, value in row.items():
        if name not in table.columns:
            raise BrokenArchive(f"{table.name}.jsonl has a column {name!r}, which this version of Errdex does not know")
        if value is not None and isinstance(table.columns[name].type, UtcDateTime):
            row[name] = datetime.fromisoformat(value)
    return row


def restore(settings: Settings, engine: Engine, path: Path, *, progress: Progress | None = None) -> Meta:
    """Put a backup into a database that is empty or not there yet, in one transaction; return what is in it.

    Raises `BrokenArchive` when the file is damaged or of a newer Errdex, `Refused` when the database holds anything,
    `Unavailable`, `OSError`; the database is as before then.
    """
    meta = archive.verified(path)
    _need_known(meta)
    _need_no_rows(settings, engine)
    migrate(settings, engine)
    with writing(engine) as session:
        _need_empty(session)
        _Restoring(session, path, meta, progress).everything()
    return meta


def _need_known(meta: Meta) -> None:
    if meta.schema not in revisions():
        raise BrokenArchive(
            f"Errdex {meta.version} wrote it, which is newer than this one ({__version__}); upgrade first"
        )
    needed = {DOCUMENTS, HEADS, *(_table(model).name for model in KEPT)}
    if unknown := set(meta.members) - needed:
        raise BrokenArchive(f"it holds {', '.join(sorted(unknown))}, which this version of Errdex does not know")


def _need_no_rows(settings: Settings, engine: Engine) -> None:
    """Raise `Refused` if the database holds anything. This is checked before the tables are upgraded, and makes no
    file.
    """
    path = settings.url.database
    if engine.url.get_backend_name() == "sqlite" and not Path(str(path)).exists():
        return
    with reading(engine) as session:
        there = set(inspect(session.connection()).get_table_names())
        _need_empty(session, there)


def _need_empty(session: Session, there: Iterable[str] | None = None) -> None:
    for model in ALL:
        table = _table(model)
        if model is Stored or (there is not None and table.name not in there):
            continue
        if session.execute(select(func.count()).select_from(table)).scalar_one():
            raise Refused(
                "the database is not empty; set ERRDEX_DATABASE_URL to a new one, or move the old one out of the way"
            )


class _Restoring:
    """One restore, inside its transaction."""

    def __init__(self, session: Session, path: Path, meta: Meta, progress: Progress | None) -> None:
        self._session = session
        self._path = path
        self._meta = meta
        self._progress = progress
        self._done = 0

    def everything(self) -> None:
        """Insert all rows and index the entries."""
        heads = {row["slug"]: row for rows in self._batches(_table(Entry), HEADS) for row in rows}
        for lines in self._lines(DOCUMENTS):
            self._entries([_document(line) for line in lines], heads)
        for model in KEPT:
            table = _table(model)
            for rows in self._batches(table, table.name):
                self._insert(model, rows)
        self._session.merge(Stored(name=INDEX_VERSION, text=entry_index.VERSION))
        self._session.flush()
        self._number_on()

    def _entries(self, documents: Sequence[EntryDocument], heads: dict[str, Row]) -> None:
        if missing := [document.slug for document in documents if document.slug not in heads]:
            raise BrokenArchive(f"{HEADS}.jsonl does not know {missing[0]}")
        entries.insert(self._session, [(entry_index.stored(document), heads[document.slug]) for document in documents])

    def _insert(self, model: type[SQLModel], rows: Sequence[Row]) -> None:
        if model is Stored:
            for row in rows:
                self._session.merge(Stored(**row))
        else:
            self._session.execute(insert(_table(model)), rows)

    def _batches(self, table: Table, name: str) -> Iterator[list[Row]]:
        for lines in self._lines(name):
            yield [decoded(table, line) for line in lines]

    def _lines(self, name: str) -> Iterator[list[bytes]]:
        if name not in self._meta.members:
            return
        lines = archive.lines(self._path, name)
        while batch := list(islice(lines, BATCH)):
            yield batch
            self._done += len(batch)
            if self._progress:
                self._progress(self._done, self._meta.rows)

    def _number_on(self) -> None:
        """Let PostgreSQL's counters go on after the restored rows, which came with their numbers; SQLite does so by
        itself.
        """
        if self._session.get_bind().dialect.name == "sqlite":
            return
        for model in ALL:
            table = _table(model)
            if "id" in table.columns:
                highest = select(func.max(table.columns["id"])).scalar_subquery()
                sequence = func.pg_get_serial_sequence(table.name, "id")
                self._session.execute(select(func.setval(sequence, func.coalesce(highest, 1), highest.is_not(None))))


def _document(line: bytes) -> EntryDocument:
    try:
        return EntryDocument.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BrokenArchive(f"{DOCUMENTS}.jsonl has an entry that cannot be taken: {place}: {first['msg']}") from error
