"""What a folder and the database were last level with, and which folder that is.

A folder's id lies in `.errdex/id` inside it. Beside it, `.errdex/turn` counts the runs that moved the base, and the
database keeps the same number. A copy of the folder that another host went on with is behind in it; it gets an id of
its own, so that its old files are not taken for edits. A folder ahead of a database that was restored from a backup is
still itself.
"""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from app.files import UnfitFile, put, read_regular
from app.store.installation_tables import Stored, SyncBase
from app.store.session import reading, writing

HOME = Path(".errdex")
MARK, TURN, IGNORE = HOME / "id", HOME / "turn", HOME / ".gitignore"
_LONGEST = 72
# Our own files are shorter than so many bytes; a longer one was not written by us.
_LONGEST_FILE = 4096
# by key, of the names of a kind
Digests = dict[str, str]


class Base:
    """The base of one folder: what each bundle was last level with, by slug, and each name, by kind and key."""

    def __init__(self, engine: Engine, root: Path) -> None:
        """Read the base of the folder `root`; nothing is written before `claim`. Raises `Unavailable`, `OSError`."""
        self._engine = engine
        self._root = root
        self._begun = False
        with reading(engine) as session:
            self.folder = _identity(session, root) or f"folder-{secrets.token_hex(8)}"
            self._turn = max(_turn(root), _stored_turn(session, self.folder) or 0)
            query = select(col(SyncBase.slug), col(SyncBase.digest)).where(col(SyncBase.folder) == self.folder)
            self.digests: dict[str, str] = dict(session.execute(query).all())
            self.names = names_base(session, self.folder)

    def claim(self) -> None:
        """Write the id into the folder where it is new; git is told to leave it alone, for each clone has its own."""
        if _read(self._root / MARK) != self.folder:
            put(self._root / TURN, str(self._turn).encode())
            put(self._root / IGNORE, b"*\n")
            put(self._root / MARK, f"{self.folder}\n".encode())

    def move(self, moved: Mapping[str, str | None]) -> None:
        """Set what bundles are level with now; None forgets one. One transaction. Raises `Unavailable`, `OSError`."""
        self._begin()
        with writing(self._engine) as session:
            for slug, digest in moved.items():
                _set(session, self.folder, slug, digest)
            session.merge(Stored(name=_turn_name(self.folder), text=str(self._turn)))
        for slug, digest in moved.items():
            if digest is None:
                self.digests.pop(slug, None)
            else:
                self.digests[slug] = digest

    def move_names(self, names: dict[str, Digests]) -> bool:
        """Set what names are level with now, and tell whether that is new. Raises `Unavailable`, `OSError`."""
        if names == self.names:
            return False
        self._begin()
        with writing(self._engine) as session:
            keep_names_base(session, self.folder, names)
            session.merge(Stored(name=_turn_name(self.folder), text=str(self._turn)))
        self.names = names
        return True

    def _begin(self) -> None:
        if not self._begun:
            # The folder's turn is written before the database's: a folder that is ahead is still known as itself, while
            # one that is behind would pass for a copy.
            self._turn += 1
            put(self._root / TURN, str(self._turn).encode())
            self._begun = True


def names_base(session: Session, folder: str) -> dict[str, Digests]:
    """Return the digests of the names that a folder was last level with, by kind."""
    stored = session.get(Stored, _names_name(folder))
    return dict(json.loads(stored.text)) if stored else {}


def keep_names_base(session: Session, folder: str, names: Mapping[str, Digests]) -> None:
    """Keep what the names of a folder are level with now."""
    session.merge(Stored(name=_names_name(folder), text=json.dumps(names)))


def _names_name(folder: str) -> str:
    return f"names:{folder[:_LONGEST]}"


def _set(session: Session, folder: str, slug: str, digest: str | None) -> None:
    if digest is not None:
        session.merge(SyncBase(folder=folder, slug=slug, digest=digest))
    elif (row := session.get(SyncBase, (folder, slug))) is not None:
        session.delete(row)


def _identity(session: Session, root: Path) -> str:
    """Return the id in a folder, empty when there is none or the folder is a copy of the one that has it."""
    folder = _read(root / MARK)[:_LONGEST]
    known = _stored_turn(session, folder)
    if known is not None:
        return folder if _turn(root) >= known else ""
    # An id with a base but no turn belongs to a folder that was only ingested, such as the shipped corpus.
    taken = session.exec(select(SyncBase).where(col(SyncBase.folder) == folder).limit(1)).first()
    return folder if taken is None else ""


def _turn(root: Path) -> int:
    text = _read(root / TURN)
    return int(text) if text.isdecimal() and len(text) < 15 else 0


def _stored_turn(session: Session, folder: str) -> int | None:
    stored = session.get(Stored, _turn_name(folder))
    return int(stored.text) if stored else None


def _turn_name(folder: str) -> str:
    return f"turn:{folder}"


def _read(path: Path) -> str:
    try:
        return read_regular(path, _LONGEST_FILE).decode("utf-8", "replace").strip()
    except (FileNotFoundError, NotADirectoryError, UnfitFile):
        return ""
