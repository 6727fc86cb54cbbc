"""`errdex ingest`, `check` and `fmt`: folders of bundles."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from app import sync
from app.cli import output
from app.cli.database import created, settings
from app.cli.exits import NOTHING, UNREACHABLE, USAGE, Stop
from app.content.bundle import FACTS, BrokenBundle, Finding, folders
from app.files import put
from app.sync import Outcome

Folder = Annotated[
    Path | None,
    typer.Argument(metavar="FOLDER", help="Folder of bundles; default: ERRDEX_CONTENT.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def ingest(
    folder: Folder = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Withdraw entries whose bundle is gone, however many they are.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring the database level with a folder of bundles; make the database if there is none.

    Ends with 1 when a bundle could not be read.
    """
    root = existing_folder(folder)
    with created() as engine, output.progress("Ingesting") as advance:
        outcome = sync.ingest(engine, root, prune=prune, progress=advance)
    if as_json:
        output.write_json(plain_outcome(outcome))
    else:
        output.findings(outcome.findings)
        output.say(summary(outcome))
    if outcome.findings:
        raise typer.Exit(NOTHING)


def existing_folder(folder: Path | None) -> Path:
    """Return the folder that was named, or the content folder of the settings. Raises `Stop` when it is not there."""
    root = folder or settings().content_folder
    if not root.is_dir():
        raise Stop(UNREACHABLE, f"{root} is not a folder; name the folder that holds the bundles")
    return root


def summary(outcome: Outcome) -> str:
    """Return in a line or two what an ingest did."""
    counts = (
        (len(outcome.added), "added"),
        (len(outcome.changed), "changed"),
        (len(outcome.withdrawn), "withdrawn"),
        (len(outcome.submitted), "waiting for review because the team edited them too"),
        (len(outcome.names), "names"),
        (outcome.unchanged, "unchanged"),
        (len(outcome.findings), "findings"),
    )
    return told("Entries", counts, "nothing in the folder", outcome)


def told(what: str, counts: Iterable[tuple[int, str]], nothing: str, outcome: Outcome) -> str:
    """Return `what` with those counts that are not 0, or `nothing`, and a line on bundles that are gone."""
    parts = ", ".join(f"{number} {name}" for number, name in counts if number) or nothing
    lines = [f"{what}: {parts}."]
    if outcome.kept:
        lines.append(
            f"{len(outcome.kept)} bundles are gone from the folder; their entries stay (--prune withdraws them)."
        )
    return "\n".join(lines)


def plain_outcome(outcome: Outcome) -> dict[str, object]:
    """Return what an ingest did as JSON values."""
    names = ("added", "changed", "submitted", "withdrawn", "unchanged", "kept", "names")
    found = [_plain_finding(item) for item in outcome.findings]
    return {name: getattr(outcome, name) for name in names} | {"findings": found}


def _plain_finding(item: Finding) -> dict[str, object]:
    return {"path": item.path, "line": item.line, "text": item.text, "slug": item.slug}


def check(folder: Folder = None, as_json: Json = False) -> None:
    """Check the bundles of a folder: facts, both languages, links, and that every example finds its entry.

    Another folder than ERRDEX_CONTENT is checked beside the entries of that one. Ends with 1 when there are findings.
    """
    from app.quality import folder_check

    root = existing_folder(folder)
    shipped = settings().content_folder
    neighbours = shipped if shipped.is_dir() and shipped.resolve() != root.resolve() else None
    with output.progress("Checking") as advance:
        found = folder_check.check_folder(root, neighbours=neighbours, progress=advance)
    if as_json:
        output.write_json([_plain_finding(item) | {"kind": item.kind} for item in found])
    else:
        output.findings(found)
        output.say(_counted(found))
    if found:
        raise typer.Exit(NOTHING)


def _counted(found: Sequence[Finding]) -> str:
    counts = Counter(item.kind for item in found)
    told = ", ".join(f"{number} {kind}" for kind, number in counts.most_common())
    return f"Findings: {told}." if found else "No findings."


def fmt(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="Folder of bundles, or of one bundle; default: ERRDEX_CONTENT.",
            show_default=False,
        ),
    ] = None,
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; list what would change and end with 1.")
    ] = False,
    level: Annotated[
        list[str] | None,
        typer.Option("--level", metavar="SLUG", help="Record that both languages of this entry say the same now."),
    ] = None,
) -> None:
    """Write bundles in their canonical form; examples stay as they are.

    Comments in entry.toml are not kept.
    """
    from app.quality import folder_check

    root, only = _bundles(existing_folder(folder))
    changed = 0
    try:
        for path, text in folder_check.canonical(root, only=only, anew=level or ()):
            if not check_only:
                put(path, text.encode())
            output.say(str(path.relative_to(root)))
            changed += 1
    except BrokenBundle as error:
        output.findings(error.findings)
        raise typer.Exit(NOTHING) from error
    if check_only and changed:
        raise typer.Exit(NOTHING)


def _bundles(folder: Path) -> tuple[Path, str]:
    """Return the folder of bundles and, where `folder` is a single one, its slug. Raises `Stop` where there is none."""
    if (folder / FACTS).is_file():
        bundle = folder.resolve()
        return bundle.parent.parent, f"{bundle.parent.name}/{bundle.name}"
    if not any(folders(folder)):
        raise Stop(USAGE, f"no bundle in {folder}; name the folder that holds PROJECT/NAME/{FACTS}")
    return folder, ""
