"""A half-filled form from a paste that found no entry."""

from dataclasses import dataclass

from app.matching.types import Report


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be read off a paste for a new entry. `example` is the telling part of the paste, `signatures` patterns."""

    title: str
    project: str
    name: str
    signatures: tuple[str, ...]
    example: str


def from_report(report: Report, text: str) -> Draft:
    """Return the draft for a parsed paste and its text."""
    raise NotImplementedError
