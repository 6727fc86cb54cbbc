"""An entry document to what is stored for finding it: signatures, terms, columns."""

import json
import re
from typing import Any

from app.content.lookup import lookup_terms
from app.content.schema import EntryDocument, digest_of
from app.matching.features import frame_row, pattern_row
from app.matching.terms import indexed_terms, known_terms

# Raised when terms or features are made differently, so that a start after an upgrade indexes again.
VERSION = "12"
_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def titles(document: EntryDocument) -> list[str]:
    """Return all titles of an entry in both languages, and the other ways people ask."""
    own = [text.title for text in (document.en, document.zh) if text]
    return own + [title for lang in ("en", "zh") for title in document.titles.get(lang, ())]


def prose(document: EntryDocument) -> list[str]:
    """Return the texts of an entry that a question may share words with, without fenced code."""
    bodies = [_FENCE.sub(" ", text.body) for text in (document.en, document.zh) if text]
    return [*titles(document), *bodies, " ".join((*document.components, *document.tags))]


def features(document: EntryDocument) -> str:
    """Return the features of an entry as JSON; `app.matching.features.load` reads it."""
    return json.dumps(
        {
            "slug": document.slug,
            "title": [document.en.title if document.en else "", document.zh.title if document.zh else ""],
            "also": document.also,
            "actions": document.actions.model_dump(exclude_none=True) if document.actions else None,
            "patterns": [pattern_row(s.pattern, s.weak, s.unconfirmed) for s in document.signatures if s.pattern],
            "frames": [frame_row(s.frame, s.weak) for s in document.signatures if s.frame],
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
    )
    return recalled | lookup_terms(document)


def columns(document: EntryDocument, canonical: str = "") -> dict[str, Any]:
    """Return the columns of the entry table that follow from the document; `canonical` is its form, where known."""
    canonical = canonical or document.canonical()
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
