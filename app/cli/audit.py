"""`errdex audit`: who did what."""

import json
from datetime import datetime
from difflib import get_close_matches
from typing import Annotated

import typer

from app.cli import output
from app.cli.database import existing
from app.cli.exits import USAGE, Stop
from app.people import accounts
from app.people.audit import ACTS, record_json
from app.store import audit as records
from app.store import people
from app.store.audit import AuditFilter
from app.store.session import reading


def audit(
    act: Annotated[str, typer.Option("--act", help="Only this, such as sign-in-failed.")] = "",
    who: Annotated[str, typer.Option("--who", metavar="NAME", help="Only what this person did.")] = "",
    since: Annotated[
        datetime | None, typer.Option("--since", formats=["%Y-%m-%d"], help="Only from this day (UTC) on.")
    ] = None,
) -> None:
    """Print who did what as JSON lines, newest first."""
    if act and act not in ACTS:
        near = get_close_matches(act, ACTS, 1)
        nearest = f" Do you mean {near[0]}?" if near else ""
        raise Stop(USAGE, f"there is no act {act!r}.{nearest} There are {', '.join(ACTS)}")
    with existing() as engine, reading(engine) as session:
        actor = accounts.named(session, who).id if who else None
        for row in records.everything(session, AuditFilter(act, actor, since)):
            name = people.names(session, [row.actor]).get(row.actor, "") if row.actor else ""
            output.write(json.dumps(record_json(row, name), ensure_ascii=False) + "\n")
