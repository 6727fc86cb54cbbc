"""Folders of bundles <-> database. Three-way, with a base kept per folder, so that nobody's words are lost."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from app import index, wiki
from app.content import bundle
from app.content.bundle import BrokenBundle, Finding
from app.content.schema import EntryDocument
from app.models import Entry, Stored, SyncBase
from app.store import entries, recall, submissions
from app.store.session import writing

ACTOR = "shipped corpus"
MARK = Path(".errdex/id")
# files gone at once, beyond which nothing is withdrawn unless told to prune
FEW = 5
SHARE = 0.05
_INDEX = "index-version"

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Outcome:
    """What an ingest did, by slug, and what it found wrong."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    submitted: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    unchanged: int = 0
    findings: list[Finding] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def quiet(self) -> bool:
        """Whether nothing changed and nothing is wrong."""
        return not (self.added or self.changed or self.submitted or self.withdrawn or self.findings or self.kept)


def ingest(engine: Engine, root: Path, *, prune: bool = False, progress: Progress | None = None) -> Outcome:
    """Bring the database level with a read-only folder of bundles.

    Changed in the folder only: published. Changed in the folder and by the team: the folder's text becomes a submission
    and the team's stays. Broken bundles are reported and leave their entry as it is. Gone from the folder: withdrawn,
    unless the folder is empty, has no id, or lost more than 5 entries and 5 % at once (`prune` overrules). A second run
    finds nothing to do. Each entry is one transaction.
    """
    outcome = Outcome()
    rebuild(engine)
    found = list(bundle.folders(root))
    folder = _folder_id(root)
    with writing(engine) as session:
        base = _base(session, folder)
    for number, (slug, path) in enumerate(found):
        try:
            document = bundle.read(path, slug)
        except BrokenBundle as error:
            outcome.findings += error.findings
        else:
            digest = document.digest()
            if base.get(slug) == digest:
                outcome.unchanged += 1
            else:
                with writing(engine) as session:
                    _take(session, folder, document, base.get(slug), outcome)
        if progress:
            progress(number + 1, len(found))
    _withdraw_gone(engine, folder, base, {slug for slug, _ in found}, prune=prune, outcome=outcome)
    return outcome


def rebuild(engine: Engine) -> int:
    """Index every entry again when the index was made by another version; return how many were."""
    with writing(engine) as session:
        stored = session.get(Stored, _INDEX)
        if stored is not None and stored.text == index.VERSION:
            return 0
        rows = session.exec(select(Entry)).all()
        for entry in rows:
            document = EntryDocument.model_validate_json(entry.document)
            entry.features = index.features(document)
            session.flush()
            recall.post(session, entry.id or 0, index.terms(document) if entry.status == "published" else frozenset())
        session.merge(Stored(name=_INDEX, text=index.VERSION))
        return len(rows)


def _folder_id(root: Path) -> str:
    mark = root / MARK
    return mark.read_text(encoding="utf-8").strip()[:80] if mark.is_file() else f"path:{root.name}"


def _base(session: Session, folder: str) -> dict[str, str]:
    query = select(col(SyncBase.slug), col(SyncBase.digest)).where(col(SyncBase.folder) == folder)
    return dict(session.execute(query).all())


def _take(session: Session, folder: str, document: EntryDocument, base: str | None, outcome: Outcome) -> None:
    slug, digest = document.slug, document.digest()
    entry = entries.by_slug(session, slug)
    if entry is None:
        wiki.publish(session, document, actor=ACTOR)
        outcome.added.append(slug)
    elif entry.digest == digest:
        outcome.unchanged += 1
    elif entry.digest == base:
        wiki.publish(session, document, actor=ACTOR)
        outcome.changed.append(slug)
    elif submissions.open_one(session, slug, digest) is None:
        wiki.submit(session, document, lang="en", submitter=ACTOR, origin="corpus")
        outcome.submitted.append(slug)
    session.merge(SyncBase(folder=folder, slug=slug, digest=digest))


def _withdraw_gone(
    engine: Engine, folder: str, base: dict[str, str], there: set[str], *, prune: bool, outcome: Outcome
) -> None:
    gone = sorted(set(base) - there)
    if not gone:
        return
    many = len(gone) > FEW and len(gone) > SHARE * len(base)
    if not prune and (not there or folder.startswith("path:") or many):
        outcome.kept = gone
        return
    for slug in gone:
        with writing(engine) as session:
            entry = entries.by_slug(session, slug)
            if entry is not None and entry.digest == base[slug] and entry.status == "published":
                document = EntryDocument.model_validate_json(entry.document)
                wiki.publish(session, document.model_copy(update={"status": "withdrawn"}), actor=ACTOR)
                outcome.withdrawn.append(slug)
            row = session.get(SyncBase, (folder, slug))
            if row is not None:
                session.delete(row)


def secret_key(session: Session) -> str:
    """Return the installation's own secret key, made once."""
    stored = session.get(Stored, "secret-key")
    if stored is None:
        stored = Stored(name="secret-key", text=secrets.token_urlsafe(48))
        session.add(stored)
    return stored.text
