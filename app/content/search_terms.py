"""What a search box knows an entry by: the words of its titles, and its facets (project, kind, components, tags).

These terms lie in the recall index beside those of messages and texts. They begin like none of them, so that what a
paste recalls stays the same.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from app.content.schema import NAME, EntryDocument
from app.matching.ranking.terms import LONGEST_TERM
from app.matching.text.rules import stop_words
from app.matching.text.tokens import stem

Facet = Literal["project", "component", "tag", "kind"]
FACETS: tuple[Facet, ...] = ("project", "component", "tag", "kind")

# A term of the title begins with the first. One of the other titles, the slug or the names of what the entry is about
# begins with the second, and a facet with the third.
TITLE, ALSO, FACET = "t:", "u:", "#"
# A search looks for at most so many words. A whole log belongs into the paste box.
MOST_WORDS = 24

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_RUN = re.compile(rf"[A-Za-z0-9]+|[{_HAN}]+")
# RuntimeError is also found by its parts, Runtime and Error.
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAME = re.compile(NAME)


class Typed(NamedTuple):
    """What was typed: the words that are whole, as stems and Chinese pairs, and the beginning of the last one.

    `begun` is empty when the last word is surely whole: after a space, or for Chinese of two characters and more.
    """

    words: tuple[str, ...]
    begun: str


def facet(kind: Facet, key: str) -> str:
    """Return the term of a facet."""
    return f"{FACET}{kind}:{key}"


def facet_of(term: str) -> tuple[Facet, str] | None:
    """Return kind and key of a facet's term, None for any other term."""
    kind, _, key = term.removeprefix(FACET).partition(":")
    return next(((one, key) for one in FACETS if one == kind and term.startswith(FACET)), None)


def is_key(text: str) -> bool:
    """Tell whether a facet could have this key."""
    return _NAME.fullmatch(text) is not None


def lookup_terms(document: EntryDocument) -> frozenset[str]:
    """Return the terms under which a search box finds an entry, beside those of its messages and texts."""
    own = _words(text.title for text in (document.en, document.zh) if text)
    other = _words((*(title for titles in document.titles.values() for title in titles), document.slug)) - own
    facets = [facet("project", document.project), facet("kind", document.kind)]
    facets += [facet("component", key) for key in document.components]
    facets += [facet("tag", key) for key in document.tags]
    return frozenset((*(TITLE + word for word in own), *(ALSO + word for word in other), *facets))


def typed(text: str) -> Typed:
    """Return what the words in a search box ask for. Words of questions are left out, unless there are no others."""
    text = unicodedata.normalize("NFKC", text)
    runs = [match.group() for match in _RUN.finditer(text)]
    begun = runs.pop().lower() if runs and _is_begun(text, runs[-1]) else ""
    lowered = [run.lower() for run in runs]
    stop = stop_words()
    telling = [word for run in lowered if run not in stop for word in _of_run(run) if word not in stop]
    if begun in stop and telling:
        begun = ""
    found = telling if telling or begun else [word for run in lowered for word in _of_run(run)]
    return Typed(tuple(dict.fromkeys(found))[:MOST_WORDS], begun)


def _is_begun(text: str, last: str) -> bool:
    return text.endswith(last) and (last.isascii() or len(last) == 1)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for run in _RUN.findall(_normal(text)) for word in _said_by(run)}


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=65_536)
def _said_by(run: str) -> tuple[str, ...]:
    """Return the words under which a run of letters is found; the same few thousand make up most titles."""
    parts = _CAMEL.findall(run)
    inner = (stem(part.lower()) for part in parts if len(part) > 2) if len(parts) > 1 else ()
    return (*_of_run(run.lower()), *inner)


def _of_run(run: str) -> Iterator[str]:
    if not run.isascii():
        yield from (run[at : at + 2] for at in range(len(run) - 1))
    elif 1 < len(run) <= LONGEST_TERM:
        yield stem(run)
