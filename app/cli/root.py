"""All commands, in the order of `errdex --help`."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from app import __version__
from app.cli import asking, audit, backups, bulk, corpus, evaluate, people, reference, serve, syncing, tokens
from app.cli.exits import Guarded
from app.cli.output import say

cli = typer.Typer(
    cls=Guarded,
    name="errdex",
    help="Errdex: paste an error, get the entry that explains and fixes it.",
    no_args_is_help=True,
    add_completion=False,
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
        say(f"errdex {__version__}, with its server")
        raise typer.Exit


cli.command()(serve.serve)
cli.command()(corpus.ingest)
cli.command()(syncing.sync)
cli.command()(bulk.export)
cli.command("import")(bulk.import_)
cli.command()(corpus.check)
cli.command()(corpus.fmt)
cli.command()(asking.match)
cli.command()(asking.search)
cli.command()(asking.show)
cli.command()(asking.run)
cli.command()(asking.mcp)
cli.command("eval")(evaluate.evaluate)
cli.add_typer(people.people)
cli.add_typer(tokens.tokens)
cli.command()(audit.audit)
cli.command()(backups.backup)
cli.command()(backups.restore)
cli.command()(backups.move)
cli.command()(reference.config)
cli.command()(reference.schema)
