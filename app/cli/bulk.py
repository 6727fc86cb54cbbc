"""`errdex export` and `import`: all entries and the team's names, as JSON lines or as a folder of bundles."""

import gzip
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Annotated

import typer
from sqlmodel import Session

from app.cli import output
from app.cli.database import created, filled
from app.cli.exits import NOTHING, UNREACHABLE, USAGE, Stop
from app.content import bundle
from app.content.name_rows import file_name, names_toml, plain_row
from app.content.schema import EntryDocument
from app.files import put, replacing
from app.store import entries, team_names
from app.store.session import reading
from app.transfer.jsonl import Imported, export_lines, import_lines
from app.transfer.name_lines import is_name_line

MOST_SHOWN = 20
STDIO = Path("-")


def export(
    jsonl: Annotated[
        Path | None,
        typer.Option("--jsonl", help="File to write, one entry a line; .gz is compressed; - is standard output."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Empty folder to write bundles into.", show_default=False)
    ] = None,
) -> None:
    """Write all entries, withdrawn ones too, and the team's names: as JSON lines to standard output, or where an option
    says.
    """
    if jsonl and folder:
        raise Stop(USAGE, "choose one of --jsonl and --folder")
    with filled() as engine, reading(engine) as session:
        lines = export_lines(session)
        if folder:
            written = _bundles(entries.documents(session), folder)
            _name_files(session, folder)
            output.note(f"{written} entries written to {folder}")
        elif jsonl is None or jsonl == STDIO:
            for line in lines:
                output.write(line + "\n")
        else:
            written = _file(lines, jsonl)
            output.note(f"{written} entries written to {jsonl}")


def _bundles(lines: Iterable[str], folder: Path) -> int:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Stop(USAGE, f"{folder} is not an empty folder; choose another, so that nothing is overwritten")
    written = 0
    for line in lines:
        document = EntryDocument.model_validate_json(line)
        bundle.write(folder / document.slug, document)
        written += 1
    return written


def _name_files(session: Session, folder: Path) -> None:
    for kind, rows in team_names.everything(session).items():
        if rows:
            text = names_toml(kind, {key: plain_row(row) for key, row in rows.items()})
            put(folder / file_name(kind), text.encode("utf-8"))


def _file(lines: Iterable[str], path: Path) -> int:
    """Write lines into a file; a failed export leaves the last good one alone."""
    written = 0
    with replacing(path) as raw, _compressing(raw, path) as stream:
        for line in lines:
            stream.write(f"{line}\n".encode())
            written += not is_name_line(line)
    return written


def _compressing(raw: IO[bytes], path: Path) -> AbstractContextManager[IO[bytes] | gzip.GzipFile]:
    return gzip.GzipFile(fileobj=raw, mode="wb") if path.suffix == ".gz" else nullcontext(raw)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, plain or .gz; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Publish the entries of a JSON-lines file, and take its names; make the database if there is none.

    A line that cannot be taken is named and skipped, and the command then ends with 1. An entry that is there with the
    same content is left alone; with other content it gets a new revision.
    """
    with _lines(file) as lines, created() as engine, output.progress("Importing") as advance:
        try:
            outcome = import_lines(engine, lines, progress=advance)
        except (EOFError, gzip.BadGzipFile) as error:
            raise Stop(UNREACHABLE, f"{file}: not a whole gzip file ({error})") from error
    if as_json:
        output.write_json(_plain(outcome))
    else:
        _show(outcome)
    if outcome.broken:
        raise typer.Exit(NOTHING)


@contextmanager
def _lines(file: Path) -> Iterator[Iterable[str]]:
    if file == STDIO:
        yield (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
        return
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as stream:
        yield (line.decode("utf-8", "replace") for line in stream)


def _plain(outcome: Imported) -> dict[str, object]:
    names = ("added", "changed", "unchanged", "repeated", "findings", "names")
    broken = [{"line": item.line, "why": item.why} for item in outcome.broken]
    return {name: getattr(outcome, name) for name in names} | {"broken": broken}


def _show(outcome: Imported) -> None:
    for item in outcome.broken[:MOST_SHOWN]:
        output.say(f"line {item.line}: {item.why}")
    if len(outcome.broken) > MOST_SHOWN:
        output.say(f"… and {len(outcome.broken) - MOST_SHOWN} more lines (--json names them all)")
    names = ("added", "changed", "unchanged", "repeated")
    told = [f"{number} {name}" for name in names if (number := getattr(outcome, name))]
    output.say(f"Entries: {', '.join(told) or 'none'}; {len(outcome.broken)} lines skipped.")
    if outcome.names:
        output.say(f"Names: {outcome.names}.")
    if outcome.findings:
        output.say(f"Findings in what was taken: {outcome.findings}. `errdex check` on an exported folder names them.")
