"""A team's names as JSON lines, beside those of its entries: each has the kind, the key, and the row of the file."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import ValidationError
from sqlalchemy import Engine
from sqlmodel import Session

from app.content.name_rows import KEY, KINDS, NameKind, NameRow, name_row, plain_row, reasons
from app.errors import BadInput
from app.store import team_names
from app.store.session import writing
from app.wiki import names

# The field by which a line of a name is known; no entry has it.
FIELD = "names"


class NameLine(NamedTuple):
    """A name of a line, with the number of the line from 1."""

    number: int
    kind: NameKind
    key: str
    row: NameRow


class BrokenNameLine(ValueError):
    """The line of a name cannot be taken; the text says why."""


def name_lines(session: Session) -> Iterator[str]:
    """Yield each of the team's names as one line of JSON without its newline, by kind and key."""
    for kind, rows in team_names.everything(session).items():
        for key, row in rows.items():
            yield json.dumps({FIELD: kind, "key": key, "row": plain_row(row)}, ensure_ascii=False)


def is_name_line(line: str) -> bool:
    """Tell whether a line of an export is that of a name."""
    return line.startswith(f'{{"{FIELD}"')


def name_of(number: int, line: str) -> NameLine | None:
    """Return the name that a line holds, None where it is no line of a name. Raises `BrokenNameLine`."""
    try:
        plain = json.loads(line)
    except ValueError:
        return None
    if not isinstance(plain, dict) or FIELD not in plain:
        return None
    kind = next((one for one in KINDS if one == plain[FIELD]), None)
    key = plain.get("key")
    if kind is None or not isinstance(key, str) or not KEY.fullmatch(key) or set(plain) != {FIELD, "key", "row"}:
        raise BrokenNameLine(f"a name has one of {', '.join(KINDS)} as `{FIELD}`, a `key` and a `row`")
    try:
        return NameLine(number, kind, key, name_row(kind, plain["row"]))
    except ValidationError as error:
        raise BrokenNameLine("; ".join(reasons(error))) from error


def take(engine: Engine, found: Sequence[NameLine]) -> tuple[int, list[tuple[int, str]]]:
    """Make names the team's, in one transaction; return how many are new or other ones, and (line, why) of the others.

    Raises `Unavailable`.
    """
    taken, refused = 0, list[tuple[int, str]]()
    if not found:
        return 0, []
    with writing(engine) as session:
        for number, kind, key, row in found:
            known = team_names.one(session, kind, key)
            if known is not None and known.row == row:
                continue
            try:
                names.carry_in(session, kind, key, row)
            except BadInput as full:
                refused.append((number, str(full.params.get("detail", full))))
            else:
                taken += 1
    return taken, refused
