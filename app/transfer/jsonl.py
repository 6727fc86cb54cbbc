"""Entries and the team's names in bulk, as JSON lines: all of them out, many of them in. Lossless both ways."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app import sync
from app.content.schema import WRITTEN, EntryDocument
from app.store import entries, entry_index, prepared
from app.store.bulk import insert_many
from app.store.columns import now
from app.store.entry_index import StoredEntry
from app.store.entry_tables import Revision
from app.store.prepared import Job, Prepared
from app.store.session import reading, writing
from app.transfer import parallel
from app.transfer.name_lines import BrokenNameLine, NameLine, name_lines, name_of, take
from app.wiki import publishing

ACTOR = "import"
BATCH = 2_000
# From so many entries on, the work saved is worth the second that other processes take to start.
MANY = 3 * BATCH

Progress = Callable[[int, int], None]


class Broken(NamedTuple):
    """A line that could not be taken: its number, from 1, and why."""

    line: int
    why: str


@dataclass(slots=True)
class Imported:
    """What an import did: numbers of entries and of names that are new or other ones, the broken lines, and how many
    findings the entries taken have.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    repeated: int = 0
    findings: int = 0
    names: int = 0
    broken: list[Broken] = field(default_factory=list)


def export_lines(session: Session) -> Iterator[str]:
    """Yield the team's names, and every entry, withdrawn ones too, in the order of the slugs: each as one line of JSON
    without its newline.
    """
    yield from name_lines(session)
    yield from entries.documents(session)


def import_lines(engine: Engine, lines: Iterable[str], *, progress: Progress | None = None) -> Imported:
    """Publish the entries of JSON lines, take the names of others, and return what was done.

    A broken line is named and skipped. An entry that is there with the same content is skipped, with other content it
    gets a new revision. Of a slug that is repeated the last good line counts. Each 2,000 entries are one transaction;
    what follows from the lines alone is made by other processes where they are many. Raises `Unavailable` when the
    database does not take a batch; those before it stay.
    """
    outcome = Imported()
    with _collecting_by_batch():
        named: list[NameLine] = []
        kept = _last_ones(lines, outcome, named)
        outcome.names, refused = take(engine, named)
        outcome.broken += [Broken(*one) for one in refused]
        sync.rebuild(engine)
        processes = parallel.cores() if len(kept) >= MANY else 1
        done = 0
        with closing(parallel.made_ahead(prepared.work, _jobs(engine, list(kept.items())), processes)) as batches:
            for job, made in batches:
                _batch(engine, job, made, outcome)
                gc.collect(1)
                done += len(job.lines)
                if progress:
                    progress(done, len(kept))
    return outcome


def _jobs(engine: Engine, lines: Sequence[tuple[str, str]]) -> Iterator[Job]:
    with reading(engine) as session:
        there = entries.digests(session)
    for at in range(0, len(lines), BATCH):
        batch = dict(lines[at : at + BATCH])
        yield Job(batch, {slug: there[slug] for slug in batch if slug in there})


@contextmanager
def _collecting_by_batch() -> Iterator[None]:
    """Have Python look for reference cycles once for each batch: documents have none, and looking took a quarter of an
    import.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _last_ones(lines: Iterable[str], outcome: Imported, named: list[NameLine]) -> dict[str, str]:
    """Return the last good line of each slug, and add the names to `named`.

    Lines stay text, which takes a tenth of the memory of documents.
    """
    kept: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            document = EntryDocument.model_validate_json(line, context=WRITTEN)
        except ValidationError as error:
            _other_line(number, line, error, outcome, named)
            continue
        outcome.repeated += document.slug in kept
        kept[document.slug] = line
    return kept


def _other_line(number: int, line: str, error: ValidationError, outcome: Imported, named: list[NameLine]) -> None:
    try:
        found = name_of(number, line)
    except BrokenNameLine as broken:
        outcome.broken.append(Broken(number, str(broken)))
        return
    if found is None:
        outcome.broken.append(Broken(number, _why(error)))
    else:
        named.append(found)


def _why(error: ValidationError) -> str:
    rows = error.errors(include_input=False, include_url=False, include_context=False)
    told = [f"{'.'.join(str(part) for part in row['loc'])}: {row['msg']}".removeprefix(": ") for row in rows[:3]]
    more = f" (and {len(rows) - 3} more)" if len(rows) > 3 else ""
    return "; ".join(told) + more


def _batch(engine: Engine, job: Job, made: Sequence[Prepared], outcome: Imported) -> None:
    try:
        with writing(engine) as session:
            done = _publish(session, job, made)
    except IntegrityError:
        # Somebody published one of these slugs meanwhile. The second try sees it and makes a revision of that entry.
        with writing(engine) as session:
            done = _publish(session, job, made)
    outcome.added += done.added
    outcome.changed += done.changed
    outcome.unchanged += done.unchanged
    outcome.findings += done.findings


def _publish(session: Session, job: Job, made: Sequence[Prepared]) -> Imported:
    entries.one_publisher(session)
    there = entries.digests_of(session, list(job.lines))
    meanwhile = {slug: job.lines[slug] for slug in job.known if there.get(slug) != job.known[slug]}
    done = Imported()
    new: list[StoredEntry] = []
    for entry in (*made, *prepared.again(meanwhile, made)):
        stored = entry.stored
        known = there.get(stored.slug)
        if known == stored.digest:
            continue
        done.findings += entry.findings
        if known is None:
            new.append(stored)
        else:
            document = EntryDocument.model_validate_json(stored.columns["document"])
            publishing.publish(session, document, actor=ACTOR)
            done.changed += 1
    _add(session, new, ACTOR)
    done.added = len(new)
    done.unchanged = len(job.lines) - done.added - done.changed
    return done


def add_new(session: Session, documents: Sequence[EntryDocument], *, actor: str) -> None:
    """Publish many entries whose slugs are not there yet as their first revisions; quicker than one by one.

    Raises `IntegrityError` when a slug is there.
    """
    _add(session, [entry_index.stored(document) for document in documents], actor)


def _add(session: Session, new: Sequence[StoredEntry], actor: str) -> None:
    if not new:
        return
    first = {"revision": 1, "changed": now()}
    entries.insert(session, [(stored, first) for stored in new])
    insert_many(session, Revision, [_revision(stored.columns | first, actor) for stored in new])
    for stored in new:
        if stored.former:
            entries.redirect(session, stored.former, stored.slug)


def _revision(row: dict[str, Any], actor: str) -> dict[str, Any]:
    same = {name: row[name] for name in ("slug", "digest", "document")}
    return same | {"number": 1, "actor": actor, "note": "", "at": row["changed"]}
