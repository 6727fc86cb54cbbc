"""The holes of a message pattern: `<*>` stands for any text, `<number<20>` for a number that is below 20."""

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from app.matching.text.tokens import NUMBER, ZERO, words

HOLE = "<*>"
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SIGN = r"[<>]=?"
_LIMIT = r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?"
_BOUND = re.compile(rf"<number({_SIGN})({_LIMIT})>")
_ANY = re.compile(rf"{re.escape(HOLE)}|<number{_SIGN}{_LIMIT}>")
# what was meant as such a hole, with what stands up to its end
_MEANT = re.compile(r"<number\s*[<>=!][^\s>]*>?")
_VALUE = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?!\.?[0-9])")


class Bound(NamedTuple):
    """A hole for a number that `sign` compares with `limit`; `before` and `after` are the words beside it, up to the
    next hole, which must stand there as written.
    """

    sign: str
    limit: float
    before: tuple[str, ...]
    after: tuple[str, ...]

    def holds(self, text: str, said: Sequence[str], where: Sequence[tuple[int, int]]) -> bool:
        """Tell whether a message shows such a number; `said` are its words, and `where` each stands in its text."""
        before, after = len(self.before), len(self.after)
        return any(
            said[at] in (NUMBER, ZERO)
            and at >= before
            and tuple(said[at - before : at]) == self.before
            and tuple(said[at + 1 : at + 1 + after]) == self.after
            and self._holds(_value(text, where[at][0]))
            for at in range(len(said))
        )

    def _holds(self, value: float | None) -> bool:
        return value is not None and _SIGNS[self.sign](value, self.limit)


def literals(pattern: str) -> list[str]:
    """Return what stands between the holes of a pattern, before the first and after the last."""
    return _ANY.split(pattern)


def pieces(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield each text between the holes of a pattern with the hole behind it as people read it, "" behind the last."""
    parts = literals(pattern)
    for part, hole in zip(parts, _ANY.finditer(pattern), strict=False):
        found = _BOUND.fullmatch(hole.group())
        yield part, f"{found[1]} {found[2]}" if found else "…"
    yield parts[-1], ""


def readable(pattern: str) -> str:
    """Return a pattern as people read it within a sentence."""
    return "".join(part + (hole if hole in ("", "…") else f"‹{hole}›") for part, hole in pieces(pattern))


def bounds(pattern: str) -> tuple[Bound, ...]:
    """Return the holes for numbers of a pattern, in order."""
    if "<number" not in pattern:
        return ()
    parts = literals(pattern)
    found: list[Bound] = []
    for place, hole in enumerate(_ANY.finditer(pattern)):
        if match := _BOUND.fullmatch(hole.group()):
            beside = [tuple(words(part)) for part in parts[place : place + 2]]
            found.append(Bound(match[1], float(match[2]), *beside))
    return tuple(found)


def broken_holes(pattern: str) -> list[str]:
    """Return what of a pattern was meant as a hole for a number and is none, or has no word beside it."""
    meant = [match.group() for match in _MEANT.finditer(pattern)]
    lonely = any(not (bound.before or bound.after) for bound in bounds(pattern))
    return [hole for hole in meant if lonely or not _BOUND.fullmatch(hole)]


def _value(text: str, start: int) -> float | None:
    """Return the number that begins at a place of a text; None where it is none, such as a version."""
    match = _VALUE.match(text, start)
    if match is None:
        return None
    value = float(match.group().replace(",", ""))
    sign = text[start - 1 : start]
    return -value if sign == "-" and not text[start - 2 : start - 1].isalnum() else value
