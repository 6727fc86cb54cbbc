"""Entries that one message can mean, and the question that tells them apart: `content/families.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.config import DATA
from app.matching.text.tokens import words

FILE = DATA / "content" / "families.toml"


@dataclass(frozen=True, slots=True)
class Family:
    """A question, and for each member by slug what speaks for it; texts are {language: markdown without blocks}.

    `short` are names of a word or two by which people call what all members are about.
    """

    key: str
    question: Mapping[str, str]
    look: Mapping[str, Mapping[str, str]]
    short: tuple[str, ...] = ()


def family_of(key: str, row: Mapping[str, Any]) -> Family:
    """Return the family of a row of `families.toml`, or of a team's own."""
    return Family(key, row["question"], row["look"], tuple(row.get("short", ())))


@cache
def families(path: Path = FILE) -> tuple[Family, ...]:
    """Return all shipped families in the order of the file."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(family_of(key, row) for key, row in table.items())


def asked_back(slugs: Sequence[str], known: Sequence[Family] | None = None) -> Family | None:
    """Return the family of the first of some equally good answers that another of them belongs to as well.

    `known` are the families there are, the shipped ones where nobody says.
    """
    if len(slugs) < 2:
        return None
    for family in families() if known is None else known:
        if slugs[0] in family.look and any(slug in family.look for slug in slugs[1:]):
            return family
    return None


def told_apart(known: Sequence[Family] | None = None) -> tuple[tuple[str, ...], ...]:
    """Return the slugs of the members of each family, in its order."""
    return tuple(tuple(family.look) for family in (families() if known is None else known))


def called(line: str, known: Sequence[Family]) -> frozenset[str]:
    """Return the members of the families that a line calls by a short name, and says nothing else."""
    said = words(line)
    return frozenset(
        slug for family in known if any(words(name) == said for name in family.short) for slug in family.look
    )
