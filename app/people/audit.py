"""Who did what: this is the only place that writes it. Records name people by number, so that nobody's name stays after
they were removed.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from sqlmodel import Session

from app.store import audit
from app.store.people_tables import AuditRecord

Act = Literal[
    "sign-in", "sign-in-failed", "sign-on", "sign-on-failed", "identity", "sign-out", "sessions-ended", "password",
    "language", "token-added", "token-revoked",
    "invited", "joined", "role", "deactivated", "activated", "reset-link", "sign-in-link", "removed",
    "submitted", "amended", "approved", "rejected", "returned", "answered", "restored",
    "note-seen", "dismissed", "released", "withdrawn",
    "name-added", "name-changed", "name-removed",
]  # fmt: skip
ACTS: tuple[Act, ...] = get_args(Act)
Kind = Literal["", "entry", "submission", "person", "token", "note"]
# Something is done on the site or over the API, by a command on the server, or by the identity provider.
SITE, COMMAND, PROVIDED = "site", "command", "provider"
# These stand for who does it where that is nobody with a number.
OPERATOR, PROVIDER = 0, -1
_ORIGINS = {OPERATOR: COMMAND, PROVIDER: PROVIDED}
_LONGEST = 200


def record(
    session: Session,
    act: Act,
    actor: int | None,
    about: tuple[Kind, int | None] = ("", None),
    *,
    before: str = "",
    after: str = "",
) -> None:
    """Keep that somebody did something; `actor` is a person's number, `OPERATOR`, `PROVIDER`, or None for a stranger.

    `before` and `after` are short, and neither a secret nor a text of an entry.
    """
    origin = SITE if actor is None else _ORIGINS.get(actor, SITE)
    row = AuditRecord(
        act=act, actor=actor if origin == SITE else None, origin=origin,
        kind=about[0], number=about[1], before=before[:_LONGEST], after=after[:_LONGEST],
    )  # fmt: skip
    audit.add(session, row)


def forget(session: Session, days: int, at: datetime) -> None:
    """Remove what is older than so many days."""
    audit.forget(session, at - timedelta(days=days))


def record_json(row: AuditRecord, name: str) -> dict[str, Any]:
    """Return a record as the command line and the API write it; `name` is that of who did it, empty where none is."""
    return {
        "number": row.id,
        "at": row.at.isoformat(),
        "actor": row.actor,
        "name": name,
        "origin": row.origin,
        "act": row.act,
        "kind": row.kind,
        "about": row.number,
        "before": row.before,
        "after": row.after,
    }


def mentioned(rows: Iterable[AuditRecord]) -> set[int]:
    """Return the numbers of the people whom records name."""
    found = set[int]()
    for row in rows:
        found |= {number for number in (row.actor, row.number if row.kind == "person" else None) if number}
    return found
