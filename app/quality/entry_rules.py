"""The rules of `errdex check` that look at one entry alone, for a folder and for a proposal alike."""

from collections.abc import Iterator

from app.content import check
from app.content.bundle import Finding
from app.content.check import Bundle, Known
from app.quality import struck_examples


def findings_of_one(entry: Bundle, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with an entry; `known` is what it may refer to."""
    yield from check.alone(entry)
    yield from check.references(entry, known)
    yield from struck_examples.struck(entry)
