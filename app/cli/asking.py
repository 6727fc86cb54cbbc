"""`errdex match`, `search` and `show`: asking and reading."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown

from app.asking.answer_json import answer_json, match_json
from app.asking.ask import AnswerService
from app.asking.question_service import Questions
from app.cli import answers, output
from app.cli.database import filled, settings
from app.cli.exits import NOTHING, Stop
from app.cli.pasted import InputText, read_pasted
from app.content.schema import EntryDocument
from app.errors import Moved, NotFound
from app.i18n import Lang
from app.store.session import reading
from app.wiki import publishing

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
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="File to read; default: standard input.", show_default=False)
    ] = None,
    lang: LangOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=50, help="Most answers, and most related entries.")] = 5,
    explain: Annotated[bool, typer.Option("--explain", help="Show every reason with its points.")] = False,
    as_json: Json = False,
) -> None:
    """Find the entry for an error message or a whole log.

    Input is read to its end; of more than ERRDEX_MAX_PASTE bytes the beginning and the end are looked at. Ends with 1
    when there is no known entry.
    """
    found = settings()
    chosen = lang or environment_lang()
    # before the database is asked for: whoever writes into the pipe is not to be ended by what is wrong here
    pasted = _paste(file, found.max_paste)
    with filled() as engine:
        answer = AnswerService(Questions(engine)).ask(pasted.text, chosen, limit)
    if pasted.left_out:
        output.note(f"{pasted.left_out:,} bytes of the middle were left out: ERRDEX_MAX_PASTE is {found.max_paste:,}.")
        answer = replace(answer, report=replace(answer.report, truncated=True))
    if as_json:
        output.write_json(answer_json(answer, chosen, found.base_url))
    else:
        answers.show(answer, chosen, explain=explain)
    if not answer.matches:
        raise typer.Exit(NOTHING)


def _paste(file: Path | None, most: int) -> InputText:
    if file is not None and str(file) != "-":
        with file.open("rb") as stream:
            return read_pasted(stream, most)
    if sys.stdin.isatty():
        output.note("Paste the error, then press Ctrl-D on an empty line.")
    return read_pasted(sys.stdin.buffer, most)


def search(
    words: Annotated[list[str], typer.Argument(help="What to look for.")],
    lang: LangOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=50, help="Most entries.")] = 20,
    as_json: Json = False,
) -> None:
    """Search the entries for words.

    Ends with 1 when there is none.
    """
    found = settings()
    chosen = lang or environment_lang()
    with filled() as engine:
        matches = Questions(engine).search(" ".join(words), chosen, limit)
    if as_json:
        output.write_json({"items": [match_json(match, chosen, found.base_url) for match in matches]})
    elif matches:
        output.table(("score", "entry", "title"), [(f"{m.score:g}", m.slug, m.title) for m in matches])
    else:
        output.say("No entry has these words.")
    if not matches:
        raise typer.Exit(NOTHING)


def show(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="The entry, as project/name.")],
    lang: LangOption = None,
    as_json: Json = False,
) -> None:
    """Print an entry: formatted on a terminal, as markdown elsewhere.

    Ends with 1 when there is no such entry.
    """
    document = _document(slug)
    if as_json:
        output.write_json(document.plain())
        return
    _, text = document.text(lang or environment_lang())
    markdown = output.plain(f"# {text.title}\n\n{text.body}\n")
    if sys.stdout.isatty():
        output.console().print(Markdown(markdown))
    else:
        output.write(markdown)


def _document(slug: str) -> EntryDocument:
    with filled() as engine, reading(engine) as session:
        try:
            return publishing.named(session, slug)[1]
        except Moved as moved:
            output.note(str(moved))
            return publishing.named(session, moved.slug)[1]
        except NotFound:
            raise Stop(NOTHING, f"there is no entry {slug}; `errdex search` finds one by its words") from None
