"""Keeps a team's folder and the database level: published entries go out to the folder, edits made in it come in."""

import logging
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from app.content.bundle import BrokenBundle, Finding
from app.errors import Conflict
from app.store import entries
from app.store.rebuild import rebuild
from app.store.session import reading
from app.sync import bundles, git
from app.sync.bundles import Overtaken, Sight
from app.sync.decide import Move
from app.sync.deletion_guard import lost_too_much
from app.sync.lock import LONG, SHORT, alone
from app.sync.names import level_names
from app.sync.outcome import Outcome, Progress
from app.sync.reconcile import Run, is_renamed, settle, withdraw

log = logging.getLogger("errdex.sync")
_TRIES = 3
Step = Callable[[str], None]


def mirror(
    engine: Engine,
    root: Path,
    *,
    prune: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
    after_step: Step | None = None,
) -> Outcome:
    """Bring a folder of bundles and the database level, both ways; the folder is made if need be.

    Changed on one side: carried over. On both, or never level and different: the folder's text becomes a submission and
    the bundle takes the published text. Removed bundles: the entry is withdrawn and its bundle says so, unless the
    folder is empty, is new, or lost more than 5 entries and 5 % at once (`prune` overrules; renamed ones are not lost).
    The team's names go both ways, too: `projects.toml` and its neighbours (see `app.sync.names`).
    A broken bundle is reported and left alone with its entry; so is everything while git is at work in the folder.
    A second run finds nothing to do. One sync runs at a time; a run that was interrupted is completed by the next.
    `dry_run` returns what would be done and writes nothing. `after_step` is called after each thing that was written.
    Raises `Unavailable` when the database does not take it or another sync does not end, `OSError`.
    """
    with _held(engine, root, LONG, dry_run=dry_run):
        run = Run(engine, root, after_step or _nothing, dry_run=dry_run)
        if _ready(run):
            run.outcome.kept = [] if prune else _emptied(run)
            if not run.outcome.kept:
                _all(run, prune, progress)
        return run.outcome


def write_out(engine: Engine, root: Path, slugs: Collection[str], *, after_step: Step | None = None) -> Outcome:
    """Bring the bundles of these slugs level soon after they were published; nothing is withdrawn.

    The next `mirror` does whatever this missed.
    Raises `Unavailable` when the database does not take it or another sync is running for long, `OSError`.
    """
    with _held(engine, root, SHORT, dry_run=False):
        run = Run(engine, root, after_step or _nothing, dry_run=False)
        if _ready(run) and not _emptied(run):
            _each(run, sorted(set(slugs)), None)
            run.move_base(run.level)
            level_names(run, is_whole=False)
        return run.outcome


def write_out_later(engine: Engine, root: Path | None, slugs: Collection[str]) -> None:
    """Call `write_out` after a request, whose answer does not depend on it: what goes wrong is logged.

    Without a folder nothing is done.
    """
    if root is None:
        return
    try:
        for finding in write_out(engine, root, slugs).findings:
            log.warning("not written to the mirror: %s", finding)
    except Exception as error:
        log.warning("not written to the mirror, the next sync will: %s", error.__cause__ or error)


def _nothing(_step: str) -> None:
    pass


def _held(engine: Engine, root: Path, wait: float, *, dry_run: bool) -> AbstractContextManager[None]:
    if dry_run:
        return nullcontext()
    root.mkdir(parents=True, exist_ok=True)
    return alone(engine, wait=wait)


def _ready(run: Run) -> bool:
    """Tell whether the folder may be read now, and make it so that it may be written."""
    if sign := git.at_work(run.root):
        text = f"git is at work in this folder ({sign}); finish or abort that, then sync again"
        run.outcome.findings.append(Finding(".git", 1, text))
        return False
    if not run.dry_run:
        rebuild(run.engine)
        bundles.sweep(run.root)
        run.base.claim()
        _complete(run)
    return True


def _complete(run: Run) -> None:
    """Settle the bundle that an interrupted run was writing, before the note about it makes way for another."""
    noted = bundles.interrupted(run.root)
    if noted is not None:
        if bundles.look(run.root, noted[0]).ours:
            _each(run, [noted[0]], None)
        bundles.wrote(run.root)


def _emptied(run: Run) -> list[str]:
    """Return the published entries that were in a folder which now has no bundle; nothing may be written there.

    If one bundle were written, the others would look as if somebody had removed them.
    """
    if next(bundles.slugs(run.root), None) is not None:
        return []
    with reading(run.engine) as session:
        return sorted(set(run.base.digests).intersection(entries.published(session)))


def _all(run: Run, prune: bool, progress: Progress | None) -> None:
    present = list(bundles.slugs(run.root))
    with reading(run.engine) as session:
        run.known = entries.digests(session)
    absent = sorted({*run.known, *run.base.digests} - set(present))
    # Present bundles come first, for they say which of the absent ones were renamed.
    gone = _each(run, [*present, *absent], progress)
    _each(run, sorted(run.claimed.intersection(present)), None)
    lost = [slug for slug in gone if not is_renamed(run, slug)]
    if not prune and lost_too_much(lost, len(present) + len(absent), len(present)):
        run.outcome.kept += gone
    else:
        _each(run, gone, None, withdraw)
    run.move_base(run.level)
    level_names(run, prune=prune)
    run.outcome.unchanged = len(run.same)
    run.outcome.findings = list(dict.fromkeys(run.outcome.findings))


def _each(
    run: Run, slugs: Iterable[str], progress: Progress | None, act: Callable[[Run, Sight], Move] = settle
) -> list[str]:
    """Settle each slug and return those whose bundle was removed."""
    wanted = list(slugs)
    gone = []
    for number, slug in enumerate(wanted, 1):
        if _one(run, slug, act) is Move.GONE:
            gone.append(slug)
        if progress:
            progress(number, len(wanted))
    return gone


def _one(run: Run, slug: str, act: Callable[[Run, Sight], Move]) -> Move | None:
    """Settle one slug; look again when a person or another host was quicker."""
    for _ in range(_TRIES):
        sight = bundles.look(run.root, slug)
        if sight.findings:
            run.outcome.findings += sight.findings
            return None
        try:
            return act(run, sight)
        except (Overtaken, Conflict, IntegrityError):
            continue
        except BrokenBundle as broken:
            run.outcome.findings += broken.findings
            return None
    text = "changed again and again while it was synced; the next run takes it"
    run.outcome.findings.append(Finding(slug, 1, text, slug))
    return None
