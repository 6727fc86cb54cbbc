"""Entries ready to be stored: everything that follows from a document alone. Pure, so that any process can do it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app import index
from app.content import check
from app.content.check import Bundle
from app.content.schema import EntryDocument, digest_of


class Prepared(NamedTuple):
    """What is stored of an entry: its columns, the terms that it is found by (None: by none) and its earlier slugs."""

    slug: str
    columns: dict[str, Any]
    terms: frozenset[str] | None
    former: tuple[str, ...]
    findings: int = 0


def prepared(document: EntryDocument, canonical: str = "", findings: int = 0) -> Prepared:
    """Return a document ready to be stored; `canonical` is its form, where known."""
    # columns and terms one after the other: they read the same texts, whose terms are remembered for a moment
    columns = index.columns(document, canonical)
    terms = index.terms(document) if document.status == "published" else None
    return Prepared(document.slug, columns, terms, document.former, findings)


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
            found.append(prepared(document, canonical, findings_of(document)))
    return found


def again(lines: Mapping[str, str], made: Sequence[Prepared]) -> list[Prepared]:
    """Return the entries of those lines that are not among the ones made, whatever was there of them."""
    done = {entry.slug for entry in made}
    return work(Job({slug: line for slug, line in lines.items() if slug not in done}, {}))


def findings_of(document: EntryDocument) -> int:
    """Return how many findings `errdex check` would have of an entry by itself."""
    return sum(1 for _ in check.alone(Bundle(document)))
