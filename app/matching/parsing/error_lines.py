"""Which cleaned lines are an error, and of which type; derived from `data/error_lines.toml`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from app.matching.text.needles import one_of, shortest
from app.matching.text.rules import BrokenRule, table

_NAME = r"(?:[A-Za-z_]\w{0,80}\.){0,8}"
# A type without a telling ending counts only after stack lines.
_AFTER_FRAMES = re.compile(r"(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{1,80})(?::\s+(?P<rest>.*)|:?$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """A row of the table: a kind of line that is an error, or that is only worth reading where `pattern` is None.

    One of `needles` stands in every line that it fits. `names_a_cause` says that the line tells as much as one with an
    exception type, `below` that it comes from a layer below the program that fails later.
    """

    name: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str] | None
    names_a_cause: bool
    below: bool
    example: str

    def fits(self, text: str) -> bool:
        """Tell whether a cleaned line is an error of this kind."""
        held = self.pattern is not None and any(needle in text for needle in self.needles)
        return held and self.pattern is not None and self.pattern.search(text) is not None


class Found(NamedTuple):
    """An error line: the last part of the type ("" for lines without one) and where in the line it begins."""

    type: str
    start: int


@cache
def error_lines() -> tuple[ErrorLine, ...]:
    """Return the rows for lines without a type, in the order of the table. Raises `BrokenRule`."""
    return tuple(
        ErrorLine(
            row["name"],
            tuple(row["needles"]),
            _compiled(row),
            row.get("names_a_cause", False),
            row.get("below", False),
            row["example"],
        )
        for row in table("error_lines.toml")["lines"]
    )


def _compiled(row: dict[str, Any]) -> re.Pattern[str] | None:
    try:
        return re.compile(row["pattern"]) if "pattern" in row else None
    except re.error as error:
        raise BrokenRule(f"error_lines.toml, the row '{row['name']}': {error} in {row['pattern']!r}") from error


@cache
def type_endings() -> dict[str, str]:
    """Return {ending of an exception type: an example of such a line}."""
    found: dict[str, str] = table("error_lines.toml")["type_endings"]
    return found


@cache
def needles() -> tuple[str, ...]:
    """Return the texts that make a line of a long log worth reading, matched as written, each once.

    One that holds another is left out: wherever it stands, the other stands too.
    """
    return shortest([*type_endings(), *(needle for row in error_lines() for needle in row.needles)])


def find(text: str, level: str, after_frames: bool) -> Found | None:
    """Return the error that a cleaned line shows, or None. `level` is the logger's: "error", "log" or ""."""
    typed, embedded = _typed()
    match = typed.match(text) if may_name_a_type(text) else None
    if match is None and after_frames:
        match = _AFTER_FRAMES.match(text)
    if match is None and ("Error" in text or "Exception" in text):
        match = embedded.search(text)
    if match is not None:
        whole = match["type"]
        name = whole.rpartition(".")[2]
        if name.endswith("Warning"):
            return None
        # a sentence that begins with the ending alone, as `Failed: Cuda error` does, has no type
        bare = whole in type_endings() and names_a_cause(text)
        return Found("", 0) if bare else Found(name, match.start("type"))
    if level == "error" or any(True for _ in _fitting(text)):
        return Found("", 0)
    return None


def may_name_a_type(text: str) -> bool:
    """Tell quickly whether a line may name an exception type; true for some lines that do not."""
    return _ending().search(text) is not None


def names_a_cause(text: str) -> bool:
    """Tell whether a cleaned line without a type says as much as one with a type."""
    return any(row.names_a_cause for row in _fitting(text))


def is_from_below(text: str) -> bool:
    """Tell whether a cleaned line comes from a layer below the program: its kernel, driver or simulator."""
    return any(row.below for row in _fitting(text))


def _fitting(text: str) -> Iterator[ErrorLine]:
    """Yield the rows that a cleaned line is an error by; a row may come once for each of its needles."""
    # most lines hold no needle, which one look at them tells
    if _held().search(text) is None:
        return
    for rows in [rows for needle, rows in _by_needle() if needle in text]:
        for row in rows:
            if row.pattern is not None and row.pattern.search(text):
                yield row


@cache
def _held() -> re.Pattern[str]:
    """Return what finds a needle of a row with a pattern."""
    return one_of([needle for needle, _ in _by_needle()])


@cache
def _ending() -> re.Pattern[str]:
    """Return what finds an ending of a type."""
    return one_of(type_endings())


@cache
def _by_needle() -> tuple[tuple[str, tuple[ErrorLine, ...]], ...]:
    """Return each needle of a row with a pattern, with the rows that it stands in."""
    found: dict[str, list[ErrorLine]] = {}
    for row in error_lines():
        if row.pattern is not None:
            for needle in row.needles:
                found.setdefault(needle, []).append(row)
    return tuple((needle, tuple(rows)) for needle, rows in found.items())


@cache
def _typed() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the expressions for `Type: message` at the start of a line, and inside one."""
    ending = rf"(?:{'|'.join(type_endings())})\w{{0,40}}"
    start = rf"(?P<type>{_NAME}(?:_{{0,2}}[A-Z]\w{{0,80}}?)?{ending})(?P<inner>\([\w.]+\))?(?:\s*:\s*(?P<rest>.*)|\s*$)"
    inside = rf"(?:^|[\s:'\"`({{\[,=>])(?P<type>{_NAME}[A-Z]\w{{0,80}}?{ending})(?:\([\w.]+\))?: (?P<rest>\S.*)"
    return re.compile(start, re.DOTALL), re.compile(inside, re.DOTALL)
