"""Queries on a team's own names, and the names as every worker knows them by now."""

import secrets
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Engine, delete, func, select
from sqlmodel import Session, col

from app.content.name_rows import KINDS, NameKind, NameRow, Own, canonical_row, row_json
from app.content.names import SHIPPED, Names
from app.store import entries
from app.store.installation_tables import Stored
from app.store.name_tables import SuggestedName, TeamName
from app.store.session import ReadTransaction, read_transaction

# The value under this name in the table of stored values is another one after any change of a name.
STATE = "names"


class KnownName(NamedTuple):
    """A name with the number of its version."""

    row: NameRow
    version: int


class Suggested(NamedTuple):
    """A name that a submission proposes."""

    kind: NameKind
    key: str
    row: NameRow


class TeamNames:
    """The names of one database, read anew after any worker on any host changed one.

    Safe to use from several threads.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: tuple[str, Names] = ("", SHIPPED)
        self._lock = Lock()

    def now(self) -> Names:
        """Return the names there are. Raises `Unavailable` when the database cannot be read."""
        with read_transaction(self._engine) as transaction:
            return self.at(transaction)[1]

    def at(self, transaction: ReadTransaction) -> tuple[str, Names]:
        """Return the state of the names, another one after any change, and the names in it."""
        # The state is read first: names that are changed while they are read make another one.
        found = state(transaction)
        known = self._known
        if known[0] == found:
            return known
        made = found, Names(_own(transaction.select("SELECT kind, key, document FROM team_name ORDER BY kind, key")))
        with self._lock:
            self._known = made
        return made


def state(transaction: ReadTransaction) -> str:
    """Return what is another text after any change of a name."""
    rows = transaction.select("SELECT text FROM stored WHERE name = ?", [STATE])
    return str(rows[0][0]) if rows else ""


def _own(rows: Iterable[tuple[str, str, str]]) -> Own:
    found: dict[NameKind, dict[str, NameRow]] = {}
    for kind, key, row in rows:
        if kind in KINDS:
            found.setdefault(kind, {})[key] = row_json(kind, row)
    return found


def all_of(session: Session, kind: NameKind) -> dict[str, KnownName]:
    """Return the team's names of a kind by key, in the order of the keys."""
    rows = session.scalars(select(TeamName).where(col(TeamName.kind) == kind)).all()
    return {
        row.key: KnownName(row_json(kind, row.document), row.version) for row in sorted(rows, key=lambda row: row.key)
    }


def everything(session: Session) -> Own:
    """Return all of the team's names by kind and key."""
    return {kind: {key: known.row for key, known in all_of(session, kind).items()} for kind in KINDS}


def one(session: Session, kind: NameKind, key: str) -> KnownName | None:
    """Return a name of the team's; None when there is none for this key."""
    row = session.get(TeamName, (kind, key), populate_existing=True)
    return KnownName(row_json(kind, row.document), row.version) if row else None


def count(session: Session, kind: NameKind) -> int:
    """Return how many names of a kind the team has."""
    query = select(func.count()).select_from(TeamName).where(col(TeamName.kind) == kind)
    return int(session.execute(query).scalar_one())


def alone(session: Session) -> None:
    """Wait until no other transaction changes names or publishes; this one then is alone in it until it ends."""
    entries.one_publisher(session)


def put(session: Session, kind: NameKind, key: str, row: NameRow) -> None:
    """Keep a name in place of what was there. The transaction is `alone`."""
    known = session.get(TeamName, (kind, key), populate_existing=True)
    if known is None:
        session.add(TeamName(kind=kind, key=key, document=canonical_row(row)))
    else:
        known.document, known.version = canonical_row(row), known.version + 1
    _changed(session)


def remove(session: Session, kind: NameKind, key: str) -> None:
    """Forget a name. The transaction is `alone`."""
    session.execute(delete(TeamName).where(col(TeamName.kind) == kind, col(TeamName.key) == key))
    _changed(session)


def _changed(session: Session) -> None:
    session.merge(Stored(name=STATE, text=secrets.token_hex(8)))
    session.flush()


def suggest(session: Session, submission: int, names: Iterable[Suggested]) -> None:
    """Keep what a submission proposes, in place of what it proposed before."""
    session.execute(delete(SuggestedName).where(col(SuggestedName.submission) == submission))
    for kind, key, row in names:
        session.add(SuggestedName(submission=submission, kind=kind, key=key, document=canonical_row(row)))
    session.flush()


def suggested(session: Session, submission: int) -> tuple[Suggested, ...]:
    """Return the names that a submission proposes, by kind and key."""
    rows = session.scalars(select(SuggestedName).where(col(SuggestedName.submission) == submission)).all()
    found = [(row.kind, row.key, row.document) for row in rows]
    return tuple(Suggested(kind, key, row_json(kind, row)) for kind, key, row in sorted(found) if kind in KINDS)
