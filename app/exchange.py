"""Entries in bulk, as JSON lines: all of them out, many of them in. Lossless both ways."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app import index, sync, wiki
from app.content import check
from app.content.check import Bundle
from app.content.schema import EntryDocument, digest_of
from app.models import Revision, now
from app.store import entries, postings
from app.store.session import insert_many, writing

ACTOR = "import"
BATCH = 2_000

Progress = Callable[[int, int], None]


class Broken(NamedTuple):
    """A line that could not be taken: its number, from 1, and why."""

    line: int
    why: str


@dataclass(slots=True)
class Imported:
    """What an import did: numbers of entries, the broken lines, and how many findings the entries taken have."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    repeated: int = 0
    findings: int = 0
    broken: list[Broken] = field(default_factory=list)


def export_lines(session: Session) -> Iterator[str]:
    """Yield every entry, withdrawn ones too, as one line of JSON without its newline, in the order of the slugs."""
    return entries.documents(session)


def import_lines(engine: Engine, lines: Iterable[str], *, progress: Progress | None = None) -> Imported:
    """Publish the entries of JSON lines and return what was done.

    A broken line is named and skipped. An entry that is there with the same content is skipped, with other content it
    gets a new revision. Of a slug that is repeated the last good line counts. Each 2,000 entries are one transaction.
    Raises `Unavailable` when the database does not take a batch; those before it stay.
    """
    outcome = Imported()
    with _collecting_by_batch():
        kept = _last_ones(lines, outcome)
        sync.rebuild(engine)
        wanted = list(kept.values())
        for at in range(0, len(wanted), BATCH):
            documents = [EntryDocument.model_validate_json(line) for line in wanted[at : at + BATCH]]
            _batch(engine, documents, outcome)
            gc.collect(1)
            if progress:
                progress(min(at + BATCH, len(wanted)), len(wanted))
    return outcome


@contextmanager
def _collecting_by_batch() -> Iterator[None]:
    """Keep Python from looking for cycles all the time: documents have none, and it took a quarter of an import."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _last_ones(lines: Iterable[str], outcome: Imported) -> dict[str, str]:
    """Return the last good line of each slug: as text, which takes a tenth of the memory of the document."""
    kept: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            document = EntryDocument.model_validate_json(line)
        except ValidationError as error:
            outcome.broken.append(Broken(number, _why(error)))
            continue
        outcome.repeated += document.slug in kept
        kept[document.slug] = line
    return kept


def _why(error: ValidationError) -> str:
    rows = error.errors(include_input=False, include_url=False, include_context=False)
    told = [f"{'.'.join(str(part) for part in row['loc'])}: {row['msg']}".removeprefix(": ") for row in rows[:3]]
    more = f" (and {len(rows) - 3} more)" if len(rows) > 3 else ""
    return "; ".join(told) + more


def _batch(engine: Engine, documents: Sequence[EntryDocument], outcome: Imported) -> None:
    try:
        with writing(engine) as session:
            done = _publish(session, documents)
    except IntegrityError:
        # somebody published one of these slugs meanwhile; the second look finds it and makes a revision of it
        with writing(engine) as session:
            done = _publish(session, documents)
    outcome.added += done.added
    outcome.changed += done.changed
    outcome.unchanged += done.unchanged
    outcome.findings += done.findings


def _publish(session: Session, documents: Sequence[EntryDocument]) -> Imported:
    entries.one_publisher(session)
    there = entries.digests_of(session, [document.slug for document in documents])
    forms = {document.slug: document.canonical() for document in documents}
    done = Imported()
    new: list[EntryDocument] = []
    for document in documents:
        known = there.get(document.slug)
        if known == digest_of(forms[document.slug]):
            done.unchanged += 1
            continue
        done.findings += sum(1 for _ in check.alone(Bundle(document)))
        if known is None:
            new.append(document)
        else:
            wiki.publish(session, document, actor=ACTOR)
            done.changed += 1
    add_new(session, new, actor=ACTOR, forms=forms)
    done.added = len(new)
    return done


def add_new(
    session: Session, documents: Sequence[EntryDocument], *, actor: str, forms: Mapping[str, str] | None = None
) -> None:
    """Publish many entries whose slugs are not there yet as their first revisions; quicker than one by one.

    `forms` has the canonical form of each by its slug, where they were made already. Raises `IntegrityError` when a
    slug is there.
    """
    if not documents:
        return
    at = now()
    first = {"revision": 1, "changed": at}
    known = forms or {}
    rows: list[dict[str, Any]] = []
    terms: list[tuple[str, frozenset[str]]] = []
    for document in documents:
        # both at once: they read the same texts, whose terms are remembered for a moment
        rows.append(index.columns(document, known.get(document.slug, "")) | first)
        if document.status == "published":
            terms.append((document.slug, index.terms(document)))
    ids = entries.add_many(session, rows)
    insert_many(session, Revision, [_revision(row, actor) for row in rows])
    for document in documents:
        if document.former:
            entries.redirect(session, document.former, document.slug)
    postings.post_new(session, [(ids[slug], found) for slug, found in terms])


def _revision(row: dict[str, Any], actor: str) -> dict[str, Any]:
    same = {name: row[name] for name in ("slug", "digest", "document")}
    return same | {"number": 1, "actor": actor, "note": "", "at": row["changed"]}
