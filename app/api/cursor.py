"""Cursors: where the next page of a list begins, in a form that only this API reads."""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Annotated, Any, NoReturn

from fastapi import Query

from app.errors import UnknownCursor
from app.store.columns import LARGEST_NUMBER

# A cursor that holds 1,000 numbers of rows is shorter than this.
LONGEST = 12_000
CursorQuery = Annotated[
    str | None,
    Query(
        max_length=LONGEST,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="`next` of the page before, asked for with the same filters.",
    ),
]
_CHECK = 6


class Cursors:
    """The cursors of one list: `about` are its name and whatever narrows it down.

    A cursor holds a position as JSON, and a digest of it and of `about`. One that was cut, or belongs to another list
    or other filters, is refused: it would lead to a place that means nothing here.
    """

    def __init__(self, *about: object) -> None:
        self._about = repr(about).encode("utf-8", "surrogatepass")

    def at(self, position: Any) -> str:
        """Return the cursor for a position, which is made of what JSON knows."""
        told = json.dumps(position, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._digest(told) + told).rstrip(b"=").decode()

    def position(self, cursor: str | None) -> Any:
        """Return the position that a cursor holds; None without one. Raises `UnknownCursor`."""
        if cursor is None:
            return None
        try:
            held = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            refuse()
        told = held[_CHECK:]
        if held[:_CHECK] != self._digest(told):
            refuse()
        try:
            return json.loads(told)
        except (ValueError, RecursionError):
            refuse()

    def text(self, cursor: str | None) -> str:
        """Return the position that a cursor holds where it is a text; empty without one. Raises `UnknownCursor`."""
        found = self.position(cursor)
        if found is not None and not (isinstance(found, str) and found.isprintable()):
            refuse()
        return found or ""

    def _digest(self, told: bytes) -> bytes:
        return hashlib.sha256(self._about + b"\0" + told).digest()[:_CHECK]


def refuse() -> NoReturn:
    """Raise `UnknownCursor` for a cursor that does not fit."""
    raise UnknownCursor


def steps(numbers: Iterable[int]) -> list[int]:
    """Return numbers of rows in their order, each as the step from the one before: so a cursor of many is short."""
    ordered = sorted(numbers)
    return [number - before for before, number in zip([0, *ordered], ordered, strict=False)]


def numbers(position: object) -> Sequence[int]:
    """Return the numbers that `steps` was given; none for None. Raises `UnknownCursor` for anything else."""
    if position is None:
        return ()
    if not isinstance(position, list) or not all(isinstance(step, int) and step >= 0 for step in position):
        refuse()
    found = list(accumulate(position))
    if found and found[-1] > LARGEST_NUMBER:
        refuse()
    return found
