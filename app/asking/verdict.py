"""Whether the versions that a paste tells have the problem of an entry. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from app.matching.model import VersionSeen

Judged = Literal["affected", "fixed", "not-affected", "unknown"]
# A local part of this form names a commit. Such a build does not have what the release of its number has.
_COMMIT = re.compile(r"\+(?:.*\.)?(?:g|git)[0-9a-f]{6,}", re.IGNORECASE)
# "2.9" alone may be any release of its line; this stands for a patch number after all of them.
_BEYOND = 10**6


class Verdict(NamedTuple):
    """A judgement on one package: the version that was seen (None: none was), the release that is without the problem
    (None: the entry names none), and the other versions of a pair that decided.
    """

    package: str
    seen: str | None
    verdict: Judged
    fixed: str | None = None
    together: tuple[tuple[str, str], ...] = ()


def verdict(entry: Mapping[str, Any], seen: Sequence[VersionSeen]) -> tuple[Verdict, ...]:
    """Return what an entry's `affects`, `fixed` and `pairs` (as JSON values) say of the versions that were seen.

    A row for each package and version; rows of a package of which two versions were seen are unknown. Local parts of
    versions are ignored. Never raises for what the schema takes.
    """
    # most entries say nothing of releases
    if not entry:
        return ()
    told = _told(seen)
    affects: Mapping[str, str] = entry.get("affects") or {}
    fixed: dict[str, list[str]] = {}
    for row in entry.get("fixed") or ():
        fixed.setdefault(row["package"], []).append(row["release"])
    rows: list[Verdict] = []
    for package in dict.fromkeys([*affects, *fixed]):
        rows += _of_package(package, told.get(package, ()), affects.get(package), fixed.get(package, []))
    return _merged(rows, [row for pair in entry.get("pairs") or () for row in _of_pair(pair, told)])


def overall(rows: Sequence[Verdict]) -> Judged:
    """Return what the rows say together: affected if one does, not affected if one does and none leaves it open."""
    said = {row.verdict for row in rows if row.seen is not None}
    if "affected" in said:
        return "affected"
    return "not-affected" if said and "unknown" not in said else "unknown"


def rules_out(entry: Mapping[str, Any], seen: Sequence[VersionSeen]) -> bool:
    """Tell whether none of the versions that were seen has the problem of an entry."""
    return bool(seen) and bool(entry) and overall(verdict(entry, seen)) == "not-affected"


def _told(seen: Sequence[VersionSeen]) -> dict[str, tuple[str, ...]]:
    """Return the versions of each package as printed, those that differ in their local part only once."""
    told: dict[str, dict[str, str]] = {}
    for one in seen:
        same = one.version if _COMMIT.search(one.version) else one.version.partition("+")[0]
        told.setdefault(one.package, {}).setdefault(same, one.version)
    return {package: tuple(versions.values()) for package, versions in told.items()}


def _of_package(package: str, seen: Sequence[str], affects: str | None, fixed: list[str]) -> Iterator[Verdict]:
    releases = sorted(map(Version, fixed))
    if len(seen) != 1:
        for one in seen or (None,):
            yield Verdict(package, one, "unknown", str(releases[0]) if releases else None)
        return
    ends = _ends(seen[0], _bounds(affects or "") + releases)
    said = {_judged(end, affects, releases) for end in ends}
    judged = said.pop() if len(said) == 1 else "unknown"
    if _is_between(seen[0], _bounds(affects or "") + releases):
        judged = "unknown"
    release = _has(ends[0], releases) if judged == "fixed" else _way_out(ends[0] if ends else None, releases)
    yield Verdict(package, seen[0], judged, release)


def _ends(seen: str, bounds: Sequence[Version]) -> list[Version]:
    """Return the lowest and the highest release that a version can mean: `2.6` of one told beside 2.6.1; or none."""
    try:
        version = Version(Version(seen).public)
    except InvalidVersion:
        return []
    longest = max((len(_release(bound)) for bound in bounds), default=0)
    if len(version.release) >= longest or version.is_prerelease or version.is_postrelease:
        return [version]
    return [version, Version(".".join(map(str, (*version.release, _BEYOND))))]


def _release(version: Version) -> tuple[int, ...]:
    """Return the numbers of a release without trailing zeros."""
    numbers = list(version.release)
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _bounds(affects: str) -> list[Version]:
    return [Version(one.version.removesuffix(".*")) for one in SpecifierSet(affects) if one.operator != "==="]


def _is_between(seen: str, bounds: Sequence[Version]) -> bool:
    """Tell whether a version is a build on the way to a release that decides, or one whose number says nothing."""
    try:
        version = Version(seen)
    except InvalidVersion:
        return True
    if not version.is_prerelease and not _COMMIT.search(seen):
        return False
    # A checkout without tags has one of these versions.
    if version.is_devrelease and _release(version) in ((), (0, 1), (0, 0, 1)):
        return True
    return any(_release(version) == _release(bound) and not bound.is_prerelease for bound in bounds)


def _judged(version: Version, affects: str | None, releases: Sequence[Version]) -> Judged:
    if affects is not None:
        if SpecifierSet(affects).contains(version, prereleases=True):
            return "affected"
        return "fixed" if any(release <= version for release in releases) else "not-affected"
    if version >= releases[-1]:
        return "fixed"
    if version < releases[0]:
        return "affected"
    own = [release for release in releases if _is_line(version, release)]
    return "unknown" if not own else "fixed" if version >= own[0] else "affected"


def _is_line(version: Version, release: Version) -> bool:
    """Tell whether a version is of the line of a release: all its numbers but the last are the same."""
    line = release.release[:-1]
    return all(one == other for one, other in zip_longest(version.release[: len(line)], line, fillvalue=0))


def _way_out(version: Version | None, releases: Sequence[Version]) -> str | None:
    """Return the release to upgrade to from a version: one of its own line, else the next one; for a version after all
    of them the last.
    """
    if not releases:
        return None
    if version is None:
        return str(releases[0])
    later = [release for release in releases if release > version]
    own = [release for release in later if _is_line(version, release)]
    return str((own or later or releases[-1:])[0])


def _has(version: Version, releases: Sequence[Version]) -> str | None:
    """Return the release by which a version is without the problem."""
    return next((str(release) for release in reversed(releases) if release <= version), None)


def _of_pair(pair: Mapping[str, Any], told: Mapping[str, tuple[str, ...]]) -> Iterator[Verdict]:
    """Yield a row for each package of a pair; decided only where one version of each was seen and all are named."""
    versions: Mapping[str, str] = pair["versions"]
    seen = {package: told.get(package, ()) for package in versions}
    applies = all(len(found) == 1 and _is_named(found[0], versions[package]) for package, found in seen.items())
    judged: Judged = "unknown" if not applies else "not-affected" if pair["works"] else "affected"
    for package, found in seen.items():
        others = tuple((other, seen[other][0]) for other in versions if other != package) if applies else ()
        for one in found or (None,):
            yield Verdict(package, one, judged, None, others)


def _is_named(seen: str, versions: str) -> bool:
    bounds = _bounds(versions)
    ends = _ends(seen, bounds)
    inside = [SpecifierSet(versions).contains(end, prereleases=True) for end in ends]
    return bool(ends) and all(inside) and not _is_between(seen, bounds)


def _merged(own: Sequence[Verdict], pairs: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Return each row once, and rows that leave it open only for packages without any other row."""
    decided = {row.package for row in (*own, *pairs) if row.verdict != "unknown"}
    rows = [row for row in (*own, *pairs) if row.verdict != "unknown" or row.package not in decided]
    found: dict[tuple[str, str | None, Judged], Verdict] = {}
    for row in rows:
        found.setdefault((row.package, row.seen, row.verdict), row)
    return tuple(found.values())
