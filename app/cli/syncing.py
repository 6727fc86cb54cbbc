"""`errdex sync`: the team's folder."""

from typing import Annotated

import typer
from sqlalchemy import Engine

from app import sync as syncing
from app.cli import output
from app.cli.corpus import plain_outcome, told
from app.cli.database import existing, settings
from app.cli.exits import NOTHING, USAGE, Stop
from app.config import Settings
from app.errors import Unavailable
from app.sync import Outcome


def sync(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done and write nothing.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Withdraw entries whose bundle is gone, however many they are.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Bring the team's folder (ERRDEX_MIRROR) and the database level, both ways.

    Ends with 1 when a bundle could not be read, or when bundles are gone and their entries stay.
    """
    root = settings().mirror_folder
    if root is None:
        raise Stop(USAGE, "there is no folder to sync; set ERRDEX_MIRROR to the folder of the team's bundles")
    with existing() as engine, output.progress("Syncing") as advance:
        outcome = syncing.mirror(engine, root, prune=prune, dry_run=dry_run, progress=advance)
    if as_json:
        output.write_json(plain_outcome(outcome) | {"written": outcome.written, "removed": outcome.removed})
    else:
        output.findings(outcome.findings)
        output.say(summary(outcome, dry_run=dry_run))
    if outcome.findings or outcome.kept:
        raise typer.Exit(NOTHING)


def sync_at_start(found: Settings, engine: Engine) -> None:
    """Sync the folder of the settings, if there is one; what is wrong with it does not keep the site from starting."""
    root = found.mirror_folder
    if root is None:
        return
    try:
        with output.progress("Syncing") as advance:
            outcome = syncing.mirror(engine, root, progress=advance)
    except (OSError, Unavailable) as error:
        output.note(f"{root} was not synced: {error.__cause__ or error}. `errdex sync` tries again.")
        return
    output.findings(outcome.findings)
    output.say(summary(outcome))


def summary(outcome: Outcome, *, dry_run: bool = False) -> str:
    """Return in a line or two what a sync of the team's folder did, or would do."""
    counts = (
        (len(outcome.added), "new from the folder"),
        (len(outcome.changed), "changed from the folder"),
        (len(outcome.withdrawn), "withdrawn"),
        (len(outcome.submitted), "waiting for review because both sides changed them"),
        (len(outcome.names), "names from the folder"),
        (len(outcome.written), "written to the folder"),
        (len(outcome.removed), "removed from the folder because they were renamed"),
        (outcome.unchanged, "unchanged"),
        (len(outcome.findings), "findings"),
    )
    return told("Would be done" if dry_run else "Folder", counts, "nothing to do", outcome)
