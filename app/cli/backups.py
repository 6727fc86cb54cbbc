"""`errdex backup`, `restore` and `move`: the whole installation as one file, and from one database to another."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy import Engine

from app.cli import output
from app.cli.database import connected, existing, settings
from app.cli.exits import UNREACHABLE, USAGE, Stop
from app.config import Settings

if TYPE_CHECKING:
    from app.transfer.archive import Meta

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; an older one of that name is replaced.")],
    as_json: Json = False,
) -> None:
    """Write everything but sessions and the secret key into one file; a running server is not disturbed.

    Only its owner may read the file: it holds the password hashes. The file of one database can be restored into
    another kind of database.
    """
    from app.transfer.backup import backup as write

    with _refusals(file), existing() as engine:
        meta = write(engine, file)
    _show(meta, f"Backed up into {file}", as_json)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File that `errdex backup` wrote.")],
    as_json: Json = False,
) -> None:
    """Put a backup into the configured database, which must be empty or not there yet; all of it or nothing.

    The file is read whole and its sums are checked first. Everybody signs in again afterwards.
    """
    with _refusals(file), _configured(settings()) as (found, engine):
        meta = _restored(found, engine, file)
    _show(meta, "Restored", as_json)


def move(
    target: Annotated[
        str, typer.Argument(metavar="TARGET_URL", help="Address of an empty database, or of a new file.")
    ],
    as_json: Json = False,
) -> None:
    """Copy everything from the configured database into another one, such as from SQLite to PostgreSQL.

    End the server first, and set ERRDEX_DATABASE_URL to the other address afterwards. The old database stays as it is.
    """
    from app.transfer.backup import backup as write

    with TemporaryDirectory(prefix="errdex-move-") as folder, _refusals(Path("the copy")):
        through = Path(folder) / "errdex.zip"
        with existing() as engine:
            write(engine, through)
        with _configured(Settings(database_url=target)) as (found, engine):
            meta = _restored(found, engine, through)
    _show(meta, f"Copied to {found.url.render_as_string()}; set ERRDEX_DATABASE_URL to it", as_json)


@contextmanager
def _configured(found: Settings) -> Iterator[tuple[Settings, Engine]]:
    engine = connected(found)
    try:
        yield found, engine
    finally:
        engine.dispose()


def _restored(found: Settings, engine: Engine, file: Path) -> "Meta":
    from app.transfer.backup import restore as put_back

    with output.progress("Restoring") as advance:
        return put_back(found, engine, file, progress=advance)


@contextmanager
def _refusals(file: Path) -> Iterator[None]:
    # They are imported late, for the migrations take longer to load than most commands take to answer.
    from app.transfer.archive import BrokenArchive
    from app.transfer.backup import Refused

    try:
        yield
    except BrokenArchive as error:
        raise Stop(UNREACHABLE, f"{file}: {error}. Nothing was written.") from error
    except Refused as error:
        raise Stop(USAGE, str(error)) from error


def _show(meta: "Meta", done: str, as_json: bool) -> None:
    if as_json:
        rows = {name: member.rows for name, member in meta.members.items()}
        output.write_json({"version": meta.version, "schema": meta.schema, "made": meta.made, "rows": rows})
        return
    counts = {name: member.rows for name, member in meta.members.items()}
    kinds = (("entry", "entries"), ("revision", "revisions"), ("submission", "submissions"), ("person", "people"))
    told = ", ".join(f"{counts.get(name, 0)} {word}" for name, word in kinds)
    output.say(f"{done}: {told}.")
