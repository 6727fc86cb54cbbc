"""`errdex match`, `search`, `show`, `submit` and `run`: asking, reading and proposing, here or at a server."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from app.asking.answer_text import word
from app.cli import output, sources
from app.cli.answers import Form, write_answer
from app.cli.database import filled, settings
from app.cli.exits import NOTHING
from app.i18n import Lang
from errdex_client.answer_text import received as received_words
from errdex_client.command import answer_to
from errdex_client.excerpts import Excerpt
from errdex_client.reading import open_streams, read_excerpt
from errdex_client.remote import LARGEST_PROPOSAL, entry_text

LangOption = Annotated[
    Lang | None,
    typer.Option("--lang", help="Language of the answer; default: that of the environment.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def environment_lang() -> Lang:
    """Return the language that LC_ALL, LC_MESSAGES or LANG name: Chinese, or else English."""
    named = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "zh" if named.lower().startswith("zh") else "en"


def match(
    *,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Files to read, one log; default: standard input.", show_default=False),
    ] = None,
    lang: LangOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=50, help="Most answers, and most related entries.")] = 5,
    explain: Annotated[bool, typer.Option("--explain", help="Show every reason with its points.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print the answer.")] = Form.TEXT,
    tee: Annotated[
        bool, typer.Option("--tee", help="Write what is read to standard output, and the answer to standard error.")
    ] = False,
    output_file: Annotated[str, typer.Option("--output", metavar="FILE", help="Write the answer into this file.")] = "",
    as_json: Json = False,
) -> None:
    """Find the entry for an error message or a whole log.

    Input of any size is read to its end, also packed by gzip or in UTF-16; of more than 1 MiB the beginning, the end
    and what stands around its errors are looked at. With ERRDEX_URL that server is asked, not the database. Ends with 1
    when there is no known entry.
    """
    chosen = lang or environment_lang()
    # The input is read before the server is asked, for an error of ours must not end the program that writes into the
    # pipe.
    with ExitStack() as stack:
        excerpt = read_excerpt(open_streams(map(str, files or []), stack, output.note, tee=tee), output.note)
    answer = sources.match(excerpt, chosen, limit)
    with answer_to(output_file, tee):
        write_answer(answer, chosen, Form.JSON if as_json else form, explain=explain)
    if not answer["matches"]:
        raise typer.Exit(NOTHING)


def search(
    words: Annotated[list[str], typer.Argument(help="What to look for.")],
    lang: LangOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=50, help="Most entries.")] = 20,
    as_json: Json = False,
) -> None:
    """Search the entries for words.

    Ends with 1 when there is none.
    """
    chosen = lang or environment_lang()
    found = sources.search(" ".join(words), chosen, limit)
    if as_json:
        output.write_json({"items": found})
    elif found:
        output.table(("score", "entry", "title"), [(f"{m['score']:g}", m["slug"], m["title"]) for m in found])
    else:
        output.say(word(chosen, "answer-text.no-words"))
    if not found:
        raise typer.Exit(NOTHING)


def show(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="The entry, as project/name.")],
    lang: LangOption = None,
    as_json: Json = False,
) -> None:
    """Print an entry: formatted on a terminal, as markdown elsewhere.

    Ends with 1 when there is no such entry.
    """
    document = sources.document(slug)
    if as_json:
        output.write_json(document)
        return
    markdown = output.plain(entry_text(document, lang or environment_lang()))
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        output.console().print(Markdown(markdown))
    else:
        output.write(markdown)


def submit(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The entry as JSON; - is standard input.")],
    submitter: Annotated[str, typer.Option("--submitter", help="Who to thank; may be empty.")] = "",
    note: Annotated[str, typer.Option("--note", help="For the reviewer; not published.")] = "",
    lang: LangOption = None,
    as_json: Json = False,
) -> None:
    """Propose an entry, or a change to one; a reviewer decides on it.

    The entry is written as `errdex show --json` prints one. What looks secret in its examples is masked.
    """
    chosen = lang or environment_lang()
    with ExitStack() as stack:
        content = open_streams([file], stack, output.note)[0].read(LARGEST_PROPOSAL + 1)
    received = sources.submit(content, chosen, submitter, note)
    if as_json:
        output.write_json(received)
    else:
        output.say(received_words(received, chosen))


def mcp() -> None:
    """Serve the tools for coding agents (Model Context Protocol) over standard input and output.

    They answer from the configured database, or with ERRDEX_URL from that server. A running server has them at /mcp.
    """
    from asyncio import run as run_loop

    from errdex_client.config import read_config
    from errdex_client.mcp import serve

    if sources.is_remote():
        found = read_config()
        serve(found.url, found.token)
        return
    from app.main import create_app
    from app.mcp.stdio import serve_database

    with filled():
        pass
    run_loop(serve_database(create_app(settings())))


def run(
    job: Annotated[list[str], typer.Argument(metavar="-- COMMAND …", help="The job and its arguments.")],
    lang: LangOption = None,
    json_file: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write status, answer and actions into this file.")
    ] = "",
    verbose: Annotated[bool, typer.Option("--verbose", help="Say why when nobody could be asked.")] = False,
) -> None:
    """Run a job as ever; when it fails, say below its output what explains and fixes it.

    Bytes, signals and status are those of the job, whatever becomes of asking.
    """
    from errdex_client.running import run as run_job

    chosen = lang or environment_lang()

    def ask(excerpt: Excerpt, _lang: str) -> dict[str, Any]:
        return sources.match(excerpt, chosen, 3)

    raise typer.Exit(run_job(job, lang=chosen, json_file=json_file, verbose=verbose, ask=ask))
