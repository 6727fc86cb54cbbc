"""Signatures that do not tell two entries apart."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from app.content.bundle import Finding
from app.content.check import Bundle
from app.content.schema import EntryDocument
from app.matching.ranking.holes import pieces
from app.matching.text.masks import fingerprint


def same_patterns(entries: Sequence[Bundle]) -> Iterator[Finding]:
    """Yield pairs of entries with an equal pattern that neither `also` nor a frame tells apart."""
    holders: dict[tuple[str, ...], dict[str, tuple[Bundle, str]]] = {}
    for entry in entries:
        for pattern in _strong_patterns(entry.document):
            holders.setdefault(_key(pattern), {}).setdefault(entry.document.slug, (entry, pattern))
    for group in holders.values():
        for (first, _), (second, pattern) in combinations(group.values(), 2):
            if not _told_apart(first.document, second.document):
                text = f"{first.document.slug} has this pattern too; name it in `also`, or add a frame that tells"
                place = second.signature(pattern)
                yield second.fact(place, "same-pattern", pattern[:40], text, other=first.document.slug)


def _key(pattern: str) -> tuple[str, ...]:
    """Return what equal patterns share; the numbers of their holes are part of it, though a fingerprint masks them."""
    return fingerprint(pattern), *(hole for _, hole in pieces(pattern))


def _strong_patterns(document: EntryDocument) -> Iterator[str]:
    if document.status == "published":
        yield from (s.pattern for s in document.signatures if s.pattern and not s.weak)


def _told_apart(first: EntryDocument, second: EntryDocument) -> bool:
    if second.slug in first.also or first.slug in second.also:
        return True
    frames, others = ({s.frame for s in document.signatures if s.frame} for document in (first, second))
    return frames != others
