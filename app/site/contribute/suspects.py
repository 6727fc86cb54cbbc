"""What a reviewer is warned of: characters of a proposal that may look like something else than they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.content.characters import Deceptive, deceptive
from app.content.schema import EntryDocument

MOST = 20


@dataclass(frozen=True, slots=True)
class Suspect:
    """Such characters, and where in the document they stand: the names of its fields, such as `en.title`."""

    place: str
    found: Deceptive


def suspects(document: EntryDocument) -> tuple[tuple[Suspect, ...], int]:
    """Return the first 20 different ones, and how many more there are."""
    found = list(
        dict.fromkeys(Suspect(place, one) for place, text in _texts(document.plain(), "") for one in deceptive(text))
    )
    return tuple(found[:MOST]), max(0, len(found) - MOST)


def _texts(plain: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(plain, str):
        if not plain.isascii():
            yield place, plain
    elif isinstance(plain, dict):
        for key, value in plain.items():
            yield from _texts(str(key), f"{place}.{key}".strip("."))
            yield from _texts(value, f"{place}.{key}".strip("."))
    elif isinstance(plain, list):
        for number, value in enumerate(plain, 1):
            yield from _texts(value, f"{place}.{number}")
