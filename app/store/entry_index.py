"""An entry document to what is stored for finding it: signatures, terms, columns."""

import hashlib
import json
from typing import Any, NamedTuple

from app.content.outline import without_code
from app.content.schema import EntryDocument, digest_of
from app.content.search_terms import lookup_terms
from app.matching.ranking.candidate import frame_row, pattern_row
from app.matching.ranking.terms import indexed_terms, known_terms
from app.matching.text.masks import MASKS

# The number is raised when terms or features are made differently, so that a start after an upgrade indexes again. What
# follows it is a digest of the masks, which are in every term and pattern: a changed mask needs no raised number.
VERSION = f"18-{hashlib.sha256(repr(MASKS).encode()).hexdigest()[:8]}"
_VERSIONS: dict[str, Any] = {
    "affects": True,
    "fixed": {"__all__": {"package", "release"}},
    "pairs": True,
}


def titles(document: EntryDocument) -> list[str]:
    """Return all titles of an entry in both languages, and the other ways people ask."""
    own = [text.title for text in (document.en, document.zh) if text]
    return own + [title for lang in ("en", "zh") for title in document.titles.get(lang, ())]


def prose(document: EntryDocument) -> list[str]:
    """Return the texts of an entry that a question may share words with, without fenced code."""
    bodies = [without_code(text.body) for text in (document.en, document.zh) if text]
    return [*titles(document), *bodies, " ".join((*document.components, *document.tags))]


def features(document: EntryDocument) -> str:
    """Return the features of an entry as JSON; `app.matching.ranking.candidate.load` reads it."""
    return json.dumps(
        {
            "slug": document.slug,
            "title": [document.en.title if document.en else "", document.zh.title if document.zh else ""],
            "also": document.also,
            "actions": document.actions.model_dump(exclude_none=True) if document.actions else None,
            "versions": document.model_dump(mode="json", include=_VERSIONS, exclude_defaults=True),
            "patterns": [
                pattern_row(s.pattern, s.weak, s.unconfirmed, s.unless) for s in document.signatures if s.pattern
            ],
            "frames": [frame_row(s.frame, s.weak, s.unless) for s in document.signatures if s.frame],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def words(document: EntryDocument) -> str:
    """Return the terms of an entry's titles and texts as JSON; read beside the features when a question is asked."""
    by_title = [sorted(terms) for title in titles(document) if (terms := known_terms(title))]
    return json.dumps([by_title, sorted(_body(document))], ensure_ascii=False, separators=(",", ":"))


def _body(document: EntryDocument) -> set[str]:
    return set[str]().union(*(known_terms(text) for text in prose(document)))


def terms(document: EntryDocument) -> frozenset[str]:
    """Return all terms under which recall and the search box find an entry."""
    recalled = indexed_terms(
        [s.pattern for s in document.signatures if s.pattern],
        [s.frame for s in document.signatures if s.frame],
        prose(document),
        titles(document),
    )
    return recalled | lookup_terms(document)


class StoredEntry(NamedTuple):
    """Everything that is stored of an entry and follows from its document alone, in the shape of the tables.

    `columns` are those of the entry table, `terms` what recall and the search box find it by: none of a withdrawn one.
    """

    columns: dict[str, Any]
    terms: frozenset[str]
    former: tuple[str, ...]

    @property
    def slug(self) -> str:
        """The slug of the entry."""
        return str(self.columns["slug"])

    @property
    def digest(self) -> str:
        """The digest of its document."""
        return str(self.columns["digest"])


def stored(document: EntryDocument, canonical: str = "") -> StoredEntry:
    """Return the stored form of a document; `canonical` is its form in JSON, where known. Pure."""
    # Columns and terms are made one right after the other: both read the same texts, whose terms stay in a small cache.
    columns = _columns(document, canonical or document.canonical())
    return StoredEntry(columns, terms(document) if document.status == "published" else frozenset(), document.former)


def _columns(document: EntryDocument, canonical: str) -> dict[str, Any]:
    return {
        "slug": document.slug,
        "project": document.project,
        "kind": document.kind,
        "status": document.status,
        "digest": digest_of(canonical),
        "title_en": document.en.title if document.en else "",
        "title_zh": document.zh.title if document.zh else "",
        "document": canonical,
        "features": features(document),
        "words": words(document),
    }
