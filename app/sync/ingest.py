"""Takes the shipped corpus into the database; the folder is only read."""

from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from app.content import bundle
from app.content.bundle import BrokenBundle
from app.content.schema import EntryDocument
from app.store import entries, submissions
from app.store.installation_tables import SyncBase
from app.store.rebuild import rebuild
from app.store.session import reading, writing
from app.sync.base import keep_names_base, names_base
from app.sync.deletion_guard import lost_too_much
from app.sync.lock import alone
from app.sync.names import take_names
from app.sync.outcome import Outcome, Progress
from app.wiki import proposals, publishing

ACTOR = "shipped corpus"
MARK = Path(".errdex/id")


def ingest(engine: Engine, root: Path, *, prune: bool = False, progress: Progress | None = None) -> Outcome:
    """Bring the database level with a read-only folder of bundles.

    Changed in the folder only: published. Changed in the folder and by the team: the folder's text becomes a submission
    and the team's stays. Broken bundles are reported and leave their entry as it is. Gone from the folder: withdrawn,
    unless the folder is empty, has no id, or lost more than 5 entries and 5 % at once (`prune` overrules; renamed ones
    are not lost). A second run finds nothing to do. Each entry is one transaction; one sync runs at a time.
    Raises `Unavailable` when the database does not take it or another sync does not end.
    """
    with alone(engine):
        return _ingest(engine, root, prune, progress)


def _ingest(engine: Engine, root: Path, prune: bool, progress: Progress | None) -> Outcome:
    outcome = Outcome()
    rebuild(engine)
    found = list(bundle.folders(root))
    folder = _folder_id(root)
    with writing(engine) as session:
        base = _base(session, folder)
    renamed: set[str] = set()
    for number, (slug, path) in enumerate(found):
        try:
            document = bundle.read(path, slug)
        except BrokenBundle as error:
            outcome.findings += error.findings
        else:
            renamed.update(document.former)
            if base.get(slug) == document.digest():
                outcome.unchanged += 1
            else:
                with writing(engine) as session:
                    _take(session, folder, document, base.get(slug), outcome)
        if progress:
            progress(number + 1, len(found))
    _take_names(engine, root, folder, outcome)
    there = {slug for slug, _ in found}
    gone = sorted(set(base) - there)
    lost = set(gone) - renamed
    if not prune and (folder.startswith("path:") or lost_too_much(lost, len(base), len(there))):
        outcome.kept = gone
    else:
        _withdraw(engine, folder, base, gone, outcome)
    return outcome


def _take_names(engine: Engine, root: Path, folder: str, outcome: Outcome) -> None:
    with reading(engine) as session:
        before = names_base(session, folder)
    after = take_names(engine, root, before, outcome)
    if after != before:
        with writing(engine) as session:
            keep_names_base(session, folder, after)


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
        publishing.publish(session, document, actor=ACTOR)
        outcome.added.append(slug)
    elif entry.digest == digest:
        outcome.unchanged += 1
    elif entry.digest == base:
        publishing.publish(session, document, actor=ACTOR)
        outcome.changed.append(slug)
    elif submissions.open_one(session, slug, digest) is None:
        proposals.submit(session, document, lang="en", submitter=ACTOR, origin="corpus")
        outcome.submitted.append(slug)
    session.merge(SyncBase(folder=folder, slug=slug, digest=digest))


def _withdraw(engine: Engine, folder: str, base: dict[str, str], gone: list[str], outcome: Outcome) -> None:
    for slug in gone:
        with writing(engine) as session:
            entry = entries.by_slug(session, slug)
            if entry is not None and entry.digest == base[slug] and entry.status == "published":
                document = EntryDocument.model_validate_json(entry.document)
                publishing.publish(session, document.model_copy(update={"status": "withdrawn"}), actor=ACTOR)
                outcome.withdrawn.append(slug)
            row = session.get(SyncBase, (folder, slug))
            if row is not None:
                session.delete(row)
