"""Entries ready to be stored: everything that follows from a document alone. Pure, so that any process can do it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.content import check
from app.content.check import Bundle
from app.content.schema import EntryDocument, digest_of
from app.store import entry_index
from app.store.entry_index import StoredEntry


class Prepared(NamedTuple):
    """The stored form of an entry, and how many findings `errdex check` would have of it by itself."""

    stored: StoredEntry
    findings: int = 0


class Job(NamedTuple):
    """Lines of entries in JSON that are known to be good, by slug, and the digests of those that are there already."""

    lines: Mapping[str, str]
    known: Mapping[str, str]


def work(job: Job) -> list[Prepared]:
    """Return the entries of a job that are new or changed, in the order of its lines."""
    found: list[Prepared] = []
    for slug, line in job.lines.items():
        document = EntryDocument.model_validate_json(line)
        canonical = document.canonical()
        if digest_of(canonical) != job.known.get(slug):
            found.append(Prepared(entry_index.stored(document, canonical), findings_of(document)))
    return found


def again(lines: Mapping[str, str], made: Sequence[Prepared]) -> list[Prepared]:
    """Return the entries of the lines that are not among those made already, whether or not they are stored."""
    done = {entry.stored.slug for entry in made}
    return work(Job({slug: line for slug, line in lines.items() if slug not in done}, {}))


def findings_of(document: EntryDocument) -> int:
    """Return how many findings `errdex check` would have of an entry by itself."""
    return sum(1 for _ in check.alone(Bundle(document)))
