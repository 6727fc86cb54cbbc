"""What the ranking knows of an entry: compiled patterns, frames and the terms of its texts."""

import json
from dataclasses import dataclass
from typing import Any

from app.matching.signature import Pattern, compile_pattern


@dataclass(frozen=True, slots=True)
class FrameSignature:
    """A stack frame by the end of its path (as parts) and its function."""

    path: tuple[str, ...]
    function: str
    weak: bool

    @property
    def name(self) -> str:
        """The frame as its author wrote it."""
        return f"{'/'.join(self.path)}:{self.function}"


@dataclass(frozen=True, slots=True)
class Features:
    """An entry as the ranking sees it. `titles` are the terms of each title, `body` those of all its texts."""

    entry: int
    slug: str
    also: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    frames: tuple[FrameSignature, ...]
    titles: tuple[frozenset[str], ...]
    body: frozenset[str]


def frame_signature(text: str, weak: bool) -> FrameSignature:
    """Return the compiled form of `path/tail.py:function`."""
    path, _, function = text.rpartition(":")
    return FrameSignature(tuple(path.replace("\\", "/").split("/")), function, weak)


def load(entry: int, stored: str) -> Features:
    """Return the features of an entry from the JSON that `app.index` stores with it."""
    plain: dict[str, Any] = json.loads(stored)
    return Features(
        entry,
        plain["slug"],
        tuple(plain["also"]),
        tuple(compile_pattern(*row) for row in plain["patterns"]),
        tuple(frame_signature(text, weak) for text, weak in plain["frames"]),
        tuple(frozenset(title) for title in plain["titles"]),
        frozenset(plain["body"]),
    )
