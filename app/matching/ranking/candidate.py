"""What the ranking knows of an entry: compiled patterns, frames and the terms of its texts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from app.matching.model import FRAME_MARK
from app.matching.ranking.pattern import Pattern, chunks_of, compile_pattern, heads, without_type


@dataclass(frozen=True, slots=True)
class FrameSignature:
    """A stack frame by the end of its path (as parts) and its function; `unless` as of `PatternRow`."""

    path: tuple[str, ...]
    function: str
    weak: bool
    unless: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The frame as its author wrote it."""
        return f"{'/'.join(self.path)}:{self.function}"


class PatternRow(NamedTuple):
    """A pattern as stored: its most telling words say whether it is worth compiling for a paste.

    `unless` are the patterns, and the frames written `frame:FILE:FUNCTION`, beside which it does not count.
    """

    heads: frozenset[str]
    chunks: tuple[tuple[str, ...], ...]
    text: str
    weak: bool
    unconfirmed: bool
    unless: tuple[str, ...]


class Features(NamedTuple):
    """An entry as the ranking sees it. `titles` are the terms of each title, `title_words` those of all
    of them, `body` those of all its texts.

    `title_en` and `title_zh` are what a list shows (empty where there is no text in the language), `actions` what
    another tool may do with the answer, `versions` what it says of releases (its `affects`, `fixed` and `pairs`).
    """

    entry: int
    slug: str
    title_en: str
    title_zh: str
    also: frozenset[str]
    actions: dict[str, object] | None
    versions: dict[str, Any]
    patterns: tuple[PatternRow, ...]
    frames: tuple[FrameSignature, ...]
    titles: tuple[frozenset[str], ...]
    title_words: frozenset[str]
    body: frozenset[str]

    def slim(self) -> "Features":
        """Return what a list shows of the entry, without what it was found by."""
        return self._replace(patterns=(), frames=(), titles=(), title_words=frozenset(), body=frozenset())


@lru_cache(maxsize=8192)
def compiled(row: PatternRow) -> Pattern:
    """Return the compiled form of a stored pattern."""
    return compile_pattern(row.text, row.weak, row.unconfirmed, row.chunks)


@lru_cache(maxsize=8192)
def compiled_bare(row: PatternRow) -> Pattern | None:
    """Return the compiled form of a stored pattern without its exception type, None where it is not sought so."""
    return without_type(compiled(row))


def pattern_row(text: str, weak: bool, unconfirmed: bool, unless: Sequence[str] = ()) -> list[object]:
    """Return what is stored of a pattern; `load` makes a `PatternRow` of it."""
    chunks = chunks_of(text)
    pattern = compile_pattern(text, weak, unconfirmed, chunks)
    bare = without_type(pattern)
    telling = heads(pattern) | (heads(bare) if bare else frozenset())
    return [sorted(telling), chunks, text, weak, unconfirmed, unless]


def frame_row(text: str, weak: bool, unless: Sequence[str] = ()) -> list[object]:
    """Return what is stored of a frame `path/tail.py:function`; `load` makes a `FrameSignature` of it."""
    path, _, function = text.rpartition(":")
    return [path.replace("\\", "/").split("/"), function, weak, unless]


@lru_cache(maxsize=1024)
def exclusion(text: str) -> Pattern | FrameSignature:
    """Return what one `unless` of a signature means: a frame where it begins with `frame:`, else a pattern."""
    if not text.startswith(FRAME_MARK):
        return compile_pattern(text)
    path, _, function = text.removeprefix(FRAME_MARK).rpartition(":")
    return FrameSignature(tuple(path.replace("\\", "/").split("/")), function, weak=True)


# It takes a document that has no space around it, as what is stored has none; `json.loads` takes longer to look for it.
_decode = json.JSONDecoder().raw_decode


def _decoded(stored: str) -> Any:
    return _decode(stored)[0]


def load(entry: int, stored: str, words: str | None = None) -> Features:
    """Return the features of an entry from the JSON that `app.store.entry_index` stores with it.

    `words` are the terms of its texts; without them the entry cannot be found by a question.
    """
    plain: dict[str, Any] = _decoded(stored)
    titles, body = _decoded(words) if words else ((), ())
    return Features(
        entry,
        plain["slug"],
        plain["title"][0],
        plain["title"][1],
        frozenset(plain["also"]),
        plain["actions"],
        plain["versions"],
        tuple(
            PatternRow(frozenset(telling), tuple(map(tuple, chunks)), text, weak, unconfirmed, tuple(unless))
            for telling, chunks, text, weak, unconfirmed, unless in plain["patterns"]
        ),
        tuple(
            FrameSignature(tuple(path), function, weak, tuple(unless))
            for path, function, weak, unless in plain["frames"]
        ),
        tuple(map(frozenset, titles)),
        frozenset().union(*titles),
        frozenset(body),
    )
