"""Versions as lines of text: what an entry says about releases, as people type it into the form, one row on each line.

A row that no line can say exactly is not shown in the form, and stays as it is.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Self, TypeVar

from packaging.utils import canonicalize_name
from pydantic import ValidationError

from app.content.schema import MOST_ROWS, EntryDocument, FixedRelease, VersionPair
from app.content.version_ranges import is_range
from app.site.frame.forms import Fields

_SPECIFIER = r"(?:===?|~=|!=|<=?|>=?)\s*[\w.*+!-]+"
_NAMED = rf"([A-Za-z0-9][\w.-]*?)\s*({_SPECIFIER}(?:\s*,\s*{_SPECIFIER})*)"
_AFFECTED = re.compile(rf"{_NAMED}|([A-Za-z0-9][\w.-]*)")
_TOGETHER = re.compile(_NAMED)
_BETWEEN = re.compile(r"[\s,;+、，；]*")
_FIXED = re.compile(r"(\S+)\s+v?(\S+)(?:\s+(\S+))?")
Row = TypeVar("Row", FixedRelease, VersionPair)


@dataclass(frozen=True, slots=True)
class VersionLines:
    """The four boxes of the form: affected ranges, first releases without the problem, versions that do not go
    together, and versions that do.
    """

    affects: str = ""
    fixed: str = ""
    fails: str = ""
    works: str = ""

    @property
    def count(self) -> int:
        """How many lines were typed."""
        return sum(len(_lines(getattr(self, one.name))) for one in fields(self))

    @classmethod
    def of(cls, document: EntryDocument) -> Self:
        """Return what the boxes show of a document."""
        return cls(
            "\n".join(_affects_line(*row) for row in document.affects.items() if _affects_is_shown(*row)),
            "\n".join(_fixed_line(row) for row in document.fixed if _is_shown(row, fixed, _fixed_line)),
            _pair_lines(document, works=False),
            _pair_lines(document, works=True),
        )

    @classmethod
    def sent(cls, sent: Fields) -> Self:
        """Return what was typed into the boxes, without blank lines."""
        return cls(*("\n".join(_lines(sent.one(one.name))) for one in fields(cls)))

    def problems(self, base: EntryDocument | None) -> dict[str, str]:
        """Return {box: text key} for the boxes that hold a line which says no version, or too many lines.

        Boxes that are as they were shown of `base` can be used.
        """
        if base and self == VersionLines.of(base):
            return {}
        readers: dict[str, Callable[[str], object]] = {
            "affects": affected,
            "fixed": fixed,
            "fails": lambda line: pair(line, works=False),
            "works": lambda line: pair(line, works=True),
        }
        found: dict[str, str] = {}
        for name, read in readers.items():
            lines = _lines(getattr(self, name))
            if len(lines) > MOST_ROWS:
                found[name] = "field.versions.many"
            elif any(read(line) is None for line in lines):
                found[name] = "field.versions.wrong"
        if len(_lines(self.fails)) + len(_lines(self.works)) > MOST_ROWS:
            found.setdefault("works", "field.versions.many")
        return found

    def values(self, base: EntryDocument | None) -> dict[str, object]:
        """Return the fields of the document that the boxes describe; what they do not show comes from `base`."""
        if base and self == VersionLines.of(base):
            return {name: getattr(base, name) for name in ("affects", "fixed", "pairs")}
        typed = dict(row for line in _lines(self.affects) if (row := affected(line)))
        before = base.affects if base else {}
        kept = {
            name: typed.get(name, said)
            for name, said in before.items()
            if name in typed or not _affects_is_shown(name, said)
        }
        pairs = [*_pairs(self.fails, works=False), *_pairs(self.works, works=True)]
        releases = [one for line in _lines(self.fixed) if (one := fixed(line))]
        return {
            "affects": kept | typed,
            "fixed": _merged(base.fixed if base else (), releases, lambda row: _is_shown(row, fixed, _fixed_line)),
            "pairs": _merged(base.pairs if base else (), pairs, _pair_is_shown),
        }


def affected(line: str) -> tuple[str, str] | None:
    """Return package and range of a line such as `vllm >=0.6,<0.10.2`, or None if the line has none."""
    found = _AFFECTED.fullmatch(line.strip())
    if not found:
        return None
    name, said = found[1] or found[3], re.sub(r"\s+", "", found[2] or "")
    return (canonicalize_name(name), said) if is_range(said) else None


def fixed(line: str) -> FixedRelease | None:
    """Return the row of a line such as `vllm 0.10.2 https://…`, or None if the line names no release."""
    found = _FIXED.fullmatch(line.strip())
    if not found:
        return None
    try:
        return FixedRelease(package=canonicalize_name(found[1]), release=found[2], url=found[3] or "")
    except ValidationError:
        return None


def pair(line: str, *, works: bool) -> VersionPair | None:
    """Return the row of a line such as `trl <0.17, vllm >=0.8.5`, or None where it does not name several packages."""
    versions: dict[str, str] = {}
    at = 0
    for found in _TOGETHER.finditer(line):
        if not _BETWEEN.fullmatch(line, at, found.start()):
            return None
        versions[canonicalize_name(found[1])] = re.sub(r"\s+", "", found[2])
        at = found.end()
    if not _BETWEEN.fullmatch(line, at):
        return None
    try:
        return VersionPair(works=works, versions=versions)
    except ValidationError:
        return None


def _affects_line(name: str, said: str) -> str:
    return f"{name} {said}".strip()


def _affects_is_shown(name: str, said: str) -> bool:
    return affected(_affects_line(name, said)) == (name, said)


def _fixed_line(row: FixedRelease) -> str:
    return f"{row.package} {row.release} {row.url}".strip()


def _pair_line(row: VersionPair) -> str:
    return ", ".join(f"{name} {said}" for name, said in row.versions.items())


def _pair_is_shown(row: VersionPair) -> bool:
    return pair(_pair_line(row), works=row.works) == row


def _is_shown(row: Row, read: Callable[[str], Row | None], line: Callable[[Row], str]) -> bool:
    return read(line(row)) == row


def _pair_lines(document: EntryDocument, *, works: bool) -> str:
    return "\n".join(_pair_line(row) for row in document.pairs if row.works == works and _pair_is_shown(row))


def _pairs(text: str, *, works: bool) -> Iterator[VersionPair]:
    return (row for line in _lines(text) if (row := pair(line, works=works)))


def _merged(before: Sequence[Row], typed: Sequence[Row], is_shown: Callable[[Row], bool]) -> tuple[Row, ...]:
    """Return the former rows that are typed again or were not shown, in their order, then the new ones."""
    rows = [row for row in before if row in typed or not is_shown(row)]
    for row in typed:
        if row not in rows:
            rows.append(row)
    return tuple(rows)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
