"""Bringing one bundle and its entry level. It writes the database, then the bundle, then the base.

If a run stops half-way, the next one finishes it.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from app.content.schema import EntryDocument
from app.store import entries, submissions
from app.store.entry_tables import Revision
from app.store.session import reading, writing
from app.sync import bundles
from app.sync.base import Base
from app.sync.bundles import Sight
from app.sync.decide import Move, decide
from app.sync.outcome import Outcome
from app.wiki import proposals, publishing

ACTOR = "team folder"
NOTE = "Changed in the folder and on the site. This is the folder's text; the site's stays until this is approved."


class Run:
    """One sync of one folder: what it knew at its beginning, and what it did so far."""

    def __init__(self, engine: Engine, root: Path, step: Callable[[str], None], *, dry_run: bool) -> None:
        """Read the base of the folder; nothing is written. Raises `Unavailable`, `OSError`."""
        self.engine, self.root, self.step, self.dry_run = engine, root, step, dry_run
        self.base = Base(engine, root)
        self.outcome = Outcome()
        # These are the digests of entries when the run began. By them most bundles are found level without a query for
        # each.
        self.known: Mapping[str, str] = {}
        # These slugs go into the base with the digest that was found on both sides; None has the base forget a slug.
        self.level: dict[str, str | None] = {}
        # These are the earlier slugs of what this run published.
        self.claimed: set[str] = set()
        self.same: set[str] = set()

    def session(self) -> AbstractContextManager[Session]:
        """A transaction; one that only reads in a dry run."""
        return (reading if self.dry_run else writing)(self.engine)

    def committed(self, slugs: list[str], slug: str) -> None:
        """Note that something was done to `slug`."""
        slugs.append(slug)
        if not self.dry_run:
            self.step("committed")

    def move_base(self, moved: Mapping[str, str | None]) -> None:
        """Set what bundles are level with, where that is new. Raises `Unavailable`, `OSError`."""
        new = {slug: digest for slug, digest in moved.items() if self.base.digests.get(slug) != digest}
        if new and not self.dry_run:
            self.base.move(new)
            self.step("base moved")


@dataclass(frozen=True, slots=True)
class State:
    """An entry beside its bundle, and what is to be done.

    `document` is the entry as a bundle gives it back, `revision` its number (0: there is none); `renamed` says that a
    published entry has this slug as an earlier one.
    """

    move: Move
    document: EntryDocument | None = None
    revision: int = 0
    renamed: bool = False

    @property
    def published(self) -> bool:
        """Whether the entry is published."""
        return self.document is not None and self.document.status == "published"

    @property
    def wanted(self) -> EntryDocument | None:
        """What the bundle shall hold; None: no bundle, because the entry was renamed."""
        return None if self.renamed and not self.published else self.document


def settle(run: Run, sight: Sight) -> Move:
    """Bring one slug level and return the move; for a removed bundle nothing is done yet.

    Raises `Overtaken`, `Conflict` or `IntegrityError` when somebody else was quicker, `BrokenBundle` when the entry
    cannot be kept as a bundle, `Unavailable`, `OSError`.
    """
    if _is_level(run, sight):
        run.same.add(sight.slug)
        return Move.LEVEL
    with run.session() as session:
        state = _state(run, session, sight)
        done = _carry_in(run, session, sight, state)
    if done is not None:
        run.committed(done, sight.slug)
    _carry_out(run, sight, state)
    return state.move


def withdraw(run: Run, sight: Sight) -> Move:
    """Withdraw the entry of a removed bundle, and write the bundle that says so unless the entry was renamed.

    An entry that changed meanwhile is settled instead. Raises what `settle` raises.
    """
    with run.session() as session:
        state = _state(run, session, sight)
        if state.move is not Move.GONE:
            session.rollback()
        elif not run.dry_run:
            _, document = publishing.published(session, sight.slug)
            document = document.model_copy(update={"status": "withdrawn"})
            publishing.publish(session, document, actor=ACTOR, expected=state.revision)
    if state.move is Move.GONE:
        run.committed(run.outcome.withdrawn, sight.slug)
    if not run.dry_run:
        return settle(run, sight)
    if state.move is Move.GONE and not state.renamed:
        run.outcome.written.append(sight.slug)
    return state.move


def is_renamed(run: Run, slug: str) -> bool:
    """Tell whether a published entry, or one that this run publishes, has `slug` as an earlier one."""
    with reading(run.engine) as session:
        return _is_renamed(run, session, slug)


def _is_level(run: Run, sight: Sight) -> bool:
    """Tell without a query that there is nothing to do; a withdrawn entry may still turn out to be renamed."""
    document = sight.document
    if document is None or document.status != "published":
        return False
    digest = document.digest()
    return bool(digest == run.known.get(sight.slug) and digest == run.base.digests.get(sight.slug))


def _state(run: Run, session: Session, sight: Sight) -> State:
    entry = entries.by_slug(session, sight.slug)
    digest = sight.document.digest() if sight.document else None
    base = run.base.digests.get(sight.slug)
    renamed = _is_renamed(run, session, sight.slug)
    if entry is None:
        return State(decide(digest, None, base, published=False, renamed=renamed), renamed=renamed)
    same = entry.digest == digest and sight.document
    document = same or bundles.on_disk(EntryDocument.model_validate_json(entry.document))
    published = document.status == "published"
    move = decide(digest, document.digest(), base, published=published, renamed=renamed)
    if sight.ours or (move is Move.SUBMIT and _is_behind(session, sight.slug, str(digest), base)):
        move = Move.OUT
    return State(move, document, entry.revision, renamed)


def _is_renamed(run: Run, session: Session, slug: str) -> bool:
    if slug in run.claimed:
        return True
    present = entries.moved_to(session, slug)
    entry = entries.by_slug(session, present) if present else None
    return entry is not None and entry.status == "published"


def _is_behind(session: Session, slug: str, digest: str, base: str | None) -> bool:
    """Tell whether a text is a revision that was published after the base: no new words, so not an edit."""
    query = select(col(Revision.digest), col(Revision.number)).where(
        col(Revision.slug) == slug, col(Revision.digest).in_([digest, base or digest])
    )
    numbers: dict[str, int] = dict(session.execute(query.order_by(col(Revision.number))).all())
    return numbers.get(digest, 0) > (numbers.get(base, 0) if base else 0)


def _carry_in(run: Run, session: Session, sight: Sight, state: State) -> list[str] | None:
    """Publish or submit what the folder has and return the list of the outcome that names it."""
    document = sight.document
    if document is None or state.move not in (Move.IN, Move.SUBMIT):
        return None
    if state.move is Move.SUBMIT:
        return _submit(run, session, document)
    if document.status == "published":
        run.claimed.update(document.former)
    if not run.dry_run:
        publishing.publish(session, document, actor=ACTOR, expected=state.revision)
    if not state.revision:
        return run.outcome.added
    return run.outcome.changed if document.status == "published" or not state.published else run.outcome.withdrawn


def _submit(run: Run, session: Session, document: EntryDocument) -> list[str] | None:
    if submissions.open_one(session, document.slug, document.digest()) is not None:
        return None
    if not run.dry_run:
        proposals.submit(session, document, lang="en", submitter=ACTOR, note=NOTE, origin="folder")
    return run.outcome.submitted


def _carry_out(run: Run, sight: Sight, state: State) -> None:
    """Write the bundle where it shall change, and move the base."""
    if state.move is Move.IN and sight.document:
        unwanted = state.renamed and sight.document.status != "published"
        if unwanted:
            _write(run, sight, None)
        run.move_base({sight.slug: sight.document.digest()})
        if unwanted:
            _end_write(run)
    elif state.move in (Move.OUT, Move.SUBMIT) and state.document:
        _write(run, sight, state.wanted)
        run.move_base({sight.slug: state.document.digest()})
        _end_write(run)
    elif state.move in (Move.LEVEL, Move.FORGET):
        run.level[sight.slug] = state.document.digest() if state.document else None
        if sight.document:
            run.same.add(sight.slug)


def _write(run: Run, sight: Sight, wanted: EntryDocument | None) -> None:
    if run.dry_run or bundles.write(run.root, sight, wanted, run.step):
        (run.outcome.written if wanted else run.outcome.removed).append(sight.slug)


def _end_write(run: Run) -> None:
    if not run.dry_run:
        bundles.wrote(run.root)
        run.step("ended")
