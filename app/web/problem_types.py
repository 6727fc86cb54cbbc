"""The problem types of the API: each is an error that has a row in `app/texts/*/problems.toml`, and a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from app import i18n
from app.errors import ErrdexError

PREFIX = "/problems/"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A problem type: its key, and the status that it comes with. Its words are the texts of its key."""

    key: str
    status: int

    @property
    def address(self) -> str:
        """What `type` says: an address of this site, the same whatever name the site goes by."""
        return PREFIX + self.key


@cache
def problem_types() -> tuple[ProblemType, ...]:
    """Return all problem types, by status."""
    found = {kind.key: ProblemType(kind.key, kind.status) for kind in _kinds(ErrdexError)}
    return tuple(sorted((one for one in found.values() if _has_page(one.key)), key=lambda one: (one.status, one.key)))


def problem_type(key: str) -> ProblemType | None:
    """Return the problem type with this key; None where there is none."""
    return next((one for one in problem_types() if one.key == key), None)


def _has_page(key: str) -> bool:
    return i18n.has(f"problem.{key}")


def _kinds(base: type[ErrdexError]) -> Iterator[type[ErrdexError]]:
    # An error that only narrows another one has its key, and the status of the other.
    for kind in reversed(base.__subclasses__()):
        yield from _kinds(kind)
    yield base
