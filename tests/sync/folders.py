"""What the tests of sync share: documents with words to look for, and looking for them on both sides."""

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

from sqlalchemy import Engine, text
from sqlmodel import Session, select

from app.content import bundle
from app.content.schema import EntryDocument, Text
from app.store.entry_tables import Entry, Revision
from app.store.installation_tables import SyncBase
from app.store.session import reading, writing
from app.store.submission_tables import Submission
from app.store.tables import METADATA
from app.wiki import publishing

A, B, C = "verl/a", "verl/b", "roll/c"


class Crash(Exception):
    """Stands for the end of the process."""


def document(slug: str = A, word: str = "first", **changes: object) -> EntryDocument:
    """A document whose every file holds `word`."""
    plain: dict[str, object] = {
        "slug": slug,
        "updated": date(2026, 11, 20),
        "tags": (word,),
        "en": Text(title=f"{word} en", body=f"## Fix\n\n{word}"),
        "zh": Text(title=f"{word} 中文", body=f"## 修复\n\n{word}"),
        "examples": (f"{word} example\n",),
    }
    return EntryDocument.model_validate(plain | changes)


def save(root: Path, wanted: EntryDocument) -> None:
    """Put a bundle into a folder as a person would, in place of what is there."""
    shutil.rmtree(root / wanted.slug, ignore_errors=True)
    bundle.write(root / wanted.slug, wanted)


def held(root: Path, slug: str = A) -> EntryDocument:
    """The document of a bundle."""
    return bundle.read(root / slug, slug)


def publish(engine: Engine, wanted: EntryDocument) -> None:
    """Publish on the site."""
    with writing(engine) as session:
        publishing.publish(session, wanted, actor="rita")


def served(engine: Engine, slug: str = A) -> EntryDocument:
    """The present document of an entry, published or withdrawn."""
    with reading(engine) as session:
        entry = session.exec(select(Entry).where(Entry.slug == slug)).one()
    return EntryDocument.model_validate_json(entry.document)


def entries(engine: Engine) -> dict[str, EntryDocument]:
    """All entries by slug."""
    with reading(engine) as session:
        found = [EntryDocument.model_validate_json(entry.document) for entry in session.exec(select(Entry))]
    return {entry.slug: entry for entry in found}


def submitted(engine: Engine) -> list[EntryDocument]:
    """The documents of all submissions, oldest first."""
    with reading(engine) as session:
        rows = session.exec(select(Submission).order_by(Submission.id))  # type: ignore[arg-type]
        return [EntryDocument.model_validate_json(row.document) for row in rows]


def stored_texts(engine: Engine) -> str:
    """Everything that revisions and submissions say, in one string."""
    with reading(engine) as session:
        rows = [row.document for row in session.exec(select(Revision))]
        return "\n".join(rows + [row.document for row in session.exec(select(Submission))])


def files(root: Path) -> dict[str, bytes]:
    """Every file of a folder with its content, but for what sync keeps about the folder itself."""
    found = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".errdex/")}


def everything(engine: Engine, root: Path) -> tuple[object, ...]:
    """All rows of all tables and all files with their times."""
    with reading(engine) as session:
        rows = {name: _rows(session, name) for name in METADATA.tables}
    paths = sorted(root.rglob("*")) if root.exists() else []
    return rows, [(path, path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in paths]


def _rows(session: Session, table: str) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in session.execute(text(f"SELECT * FROM {table}"))), key=repr)


def clear(engine: Engine) -> None:
    """Empty the tables, which is quicker than another database."""
    with writing(engine) as session:
        for table in reversed(METADATA.sorted_tables):
            session.execute(table.delete())


def bases(engine: Engine) -> dict[tuple[str, str], str]:
    """The base of every folder, by folder and slug."""
    with reading(engine) as session:
        return {(row.folder, row.slug): row.digest for row in session.exec(select(SyncBase))}


def crash_after(steps: int) -> Callable[[str], None]:
    """A step callback that ends the run after so many steps."""
    left = [steps]

    def _step(_name: str) -> None:
        left[0] -= 1
        if left[0] <= 0:
            raise Crash

    return _step


def assert_level(engine: Engine, root: Path) -> None:
    """Every published entry has its bundle, no bundle says anything else, and nothing temporary is left."""
    there = {slug: bundle.read(path, slug) for slug, path in bundle.folders(root)}
    wanted = entries(engine)
    assert {slug for slug, entry in wanted.items() if entry.status == "published"} <= set(there)
    assert there == {slug: wanted[slug] for slug in there}
    assert not [name for name in files(root) if name.endswith(".errdex-part")]
    assert not (root / ".errdex" / "writing").exists()
