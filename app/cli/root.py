"""All commands, in the order of `errdex --help`; the module of one is imported when it is called."""

import gc
import sys
from collections.abc import Iterator
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand
from typer.main import get_command

from app.cli.exits import Guarded
from app.cli.version import described


class Late(NamedTuple):
    """A command, or a group of commands, by its module and its name there, with the first line of its help."""

    module: str
    name: str
    help: str


# The first lines are written here, too, so that `errdex --help` imports no command; a test compares them.
COMMANDS = {
    "serve": Late("serve", "serve", "Serve the site and the API."),
    "ingest": Late(
        "corpus", "ingest", "Bring the database level with a folder of bundles; make the database if there is none."
    ),
    "sync": Late("syncing", "sync", "Bring the team's folder (ERRDEX_MIRROR) and the database level, both ways."),
    "export": Late(
        "bulk",
        "export",
        "Write all entries, withdrawn ones too, and the team's names: as JSON lines to standard output, or where an "
        "option says.",
    ),
    "import": Late(
        "bulk",
        "import_",
        "Publish the entries of a JSON-lines file, and take its names; make the database if there is none.",
    ),
    "check": Late(
        "corpus",
        "check",
        "Check the bundles of a folder: facts, both languages, links, and that every example finds its entry.",
    ),
    "fmt": Late("corpus", "fmt", "Write bundles in their canonical form; examples stay as they are."),
    "match": Late("asking", "match", "Find the entry for an error message or a whole log."),
    "search": Late("asking", "search", "Search the entries for words."),
    "show": Late("asking", "show", "Print an entry: formatted on a terminal, as markdown elsewhere."),
    "submit": Late("asking", "submit", "Propose an entry, or a change to one; a reviewer decides on it."),
    "run": Late("asking", "run", "Run a job as ever; when it fails, say below its output what explains and fixes it."),
    "mcp": Late(
        "asking", "mcp", "Serve the tools for coding agents (Model Context Protocol) over standard input and output."
    ),
    "eval": Late("evaluate", "evaluate", "Measure how right the answers are on labelled pastes."),
    "audit": Late("audit", "audit", "Print who did what as JSON lines, newest first."),
    "backup": Late(
        "backups",
        "backup",
        "Write everything but sessions and the secret key into one file; a running server is not disturbed.",
    ),
    "restore": Late(
        "backups",
        "restore",
        "Put a backup into the configured database, which must be empty or not there yet; all of it or nothing.",
    ),
    "move": Late(
        "backups",
        "move",
        "Copy everything from the configured database into another one, such as from SQLite to PostgreSQL.",
    ),
    "config": Late(
        "reference", "config", "Print every setting with its help and the value in force; secrets are hidden."
    ),
    "schema": Late("reference", "schema", "Print the JSON Schema of an entry: of TOML, JSON lines and API alike."),
    "user": Late("people", "people", "People who can sign in."),
    "token": Late("tokens", "tokens", "Tokens that programs call with in the name of a person."),
}


def load(name: str) -> Any:
    """Return a command with its options; its module is imported."""
    late = COMMANDS[name]
    found = getattr(import_module(f"app.cli.{late.module}"), late.name)
    if not gc.isenabled():
        # `app.cli.main` switched it off for the imports.
        gc.freeze()
        gc.enable()
    if isinstance(found, typer.Typer):
        return get_command(found)
    one = typer.Typer(add_completion=False)
    one.command(name)(found)
    return get_command(one)


class LateCommands(Guarded):
    """The group of all commands: those that nobody called are a name and a line of help."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for name, late in COMMANDS.items():
            self.add_command(TyperCommand(name, help=late.help))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command that is called, and what is left of the words."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if name and command else command, rest


def every_command() -> Iterator[tuple[str, Any]]:
    """Yield each command by its name, with its options."""
    for name in COMMANDS:
        yield name, load(name)


cli = typer.Typer(
    cls=LateCommands,
    name="errdex",
    help="Errdex: paste an error, get the entry that explains and fixes it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@cli.callback(invoke_without_command=True)
def _root(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something goes wrong.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal or pipe that is not UTF-8 gets a question mark for what it cannot show; the command must not
            # end because of it.
            stream.reconfigure(errors="replace")
    if version:
        sys.stdout.write(f"errdex {described()}, with its server\n")
        raise typer.Exit
