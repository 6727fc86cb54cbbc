"""The command `errdex` of the client: the words, JSON and exit codes of the full command line."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import Any, Iterator, NoReturn, Sequence

from errdex_client import __version__
from errdex_client.exits import INTERNAL, NOTHING, UNREACHABLE, USAGE, Ended

_COLOURS = {"bold": "1", "dim": "2", "good": "1;32", "fair": "1;33"}


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A terminal or pipe that is not UTF-8 gets a question mark for what it cannot show; the command must not
            # end because of it.
            reconfigure(errors="replace")
    try:
        code = _run(arguments)
        # A command that is started with `>&-` has no standard output.
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the result has gone. Standard output is replaced, so that nothing is left to be flushed at the
        # end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 0
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
        run: Any = options.command
        return int(run(options))
    except Ended as ended:
        sys.stderr.write(f"errdex: {' '.join(str(ended).split())}\n")
        return ended.code
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stderr.write(f"errdex: {error.filename or 'cannot read'}: {error.strerror or error}\n")
        return UNREACHABLE
    except Exception as error:
        if os.environ.get("ERRDEX_DEBUG"):
            raise
        text = f"errdex: internal error: {type(error).__name__}: {error} (ERRDEX_DEBUG=1 shows where)"
        sys.stderr.write(" ".join(text.split()) + "\n")
        return INTERNAL


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Ended(USAGE, f"{message.rstrip('.')}. `{self.prog} --help` says what there is.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="errdex", description="Paste an error, get the entry that explains and fixes it.")
    parser.add_argument("--version", action="version", version=f"errdex-client {__version__}")
    parser.set_defaults(command=lambda _options: _no_command(parser))
    commands = parser.add_subparsers(metavar="COMMAND")
    match = _command(commands, "match", _match, "Find the entry for an error message or a whole log.")
    match.add_argument("files", metavar="FILE", nargs="*", help="Files to read; default: standard input.")
    match.add_argument("--limit", type=_limit, default=5, help="Most answers, and most related entries.")
    match.add_argument("--explain", action="store_true", help="Show every reason with its points.")
    match.add_argument("--format", choices=("text", "markdown", "json", "github"), default="text", help="How to print.")
    match.add_argument(
        "--tee", action="store_true", help="Write what is read to standard output, and the answer to standard error."
    )
    match.add_argument("--output", metavar="FILE", default="", help="Write the answer into this file.")
    search = _command(commands, "search", _search, "Search the entries for words.")
    search.add_argument("words", metavar="WORDS", nargs="+", help="What to look for.")
    search.add_argument("--limit", type=_limit, default=20, help="Most entries.")
    show = _command(commands, "show", _show, "Print an entry.")
    show.add_argument("slug", metavar="SLUG", help="The entry, as project/name.")
    submit = _command(commands, "submit", _submit, "Propose an entry; a reviewer decides on it.")
    submit.add_argument("file", metavar="FILE", help="The entry as JSON; - is standard input.")
    submit.add_argument("--submitter", default="", help="Who to thank; may be empty.")
    submit.add_argument("--note", default="", help="For the reviewer; not published.")
    run = _command(
        commands, "run", _run_job, "Run a job as ever; when it fails, say what explains and fixes it.", json=False
    )
    run.add_argument("--json", metavar="FILE", default="", help="Write status, answer and actions into this file.")
    run.add_argument("--verbose", action="store_true", help="Say why when the server could not be asked.")
    run.add_argument("job", metavar="-- COMMAND …", nargs=argparse.REMAINDER, help="The job and its arguments.")
    text = "Serve the tools for coding agents (Model Context Protocol) over standard input and output."
    commands.add_parser("mcp", help=text, description=text).set_defaults(command=_mcp)
    return parser


def _command(commands: Any, name: str, run: Any, text: str, *, json: bool = True) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text)
    parser.add_argument("--lang", choices=("en", "zh"), help="Language of the answer; default: the environment's.")
    if json:
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")
    parser.set_defaults(command=run)
    return parser


def _no_command(parser: argparse.ArgumentParser) -> int:
    parser.print_help()
    return USAGE


def _limit(text: str) -> int:
    number = int(text) if text.isdigit() else 0
    if not 1 <= number <= 50:
        raise argparse.ArgumentTypeError("a number from 1 to 50")
    return number


def environment_lang() -> str:
    """Return the language that LC_ALL, LC_MESSAGES or LANG name: Chinese, or else English."""
    values = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    named = next((value for value in values if value), "")
    return "zh" if named.lower().startswith("zh") else "en"


def _match(options: Any) -> int:
    from errdex_client import reading, remote

    lang = options.lang or environment_lang()
    with ExitStack() as stack:
        streams = reading.open_streams(options.files, stack, note, tee=options.tee)
        excerpt = reading.read_excerpt(streams, note)
    answer = remote.match(excerpt, lang, options.limit)
    with answer_to(options.output, options.tee):
        _write_answer(answer, lang, "json" if options.json else options.format, options.explain)
    return 0 if answer["matches"] else NOTHING


@contextmanager
def answer_to(path: str, tee: bool) -> Iterator[None]:
    """Have what is printed written to a file or, where the input is written to standard output, to standard error."""
    if path:
        with open(path, "w", encoding="utf-8") as stream, redirect_stdout(stream):  # noqa: PTH123
            yield
    elif tee:
        with redirect_stdout(sys.stderr):
            yield
    else:
        yield


def note(text: str) -> None:
    """Print a line that is not part of the result."""
    sys.stderr.write(f"{text}\n")


def _write_answer(answer: dict[str, Any], lang: str, form: str, explain: bool) -> None:
    from errdex_client import answer_text

    if form == "json":
        _write_json(answer)
    elif form == "markdown":
        sys.stdout.write(answer_text.markdown(answer, lang))
    elif form == "github":
        sys.stdout.write(answer_text.github(answer, lang))
    else:
        write_lines(answer_text.terminal_lines(answer, lang, explain=explain), sys.stdout)


def _search(options: Any) -> int:
    from errdex_client import answer_text, remote

    lang = options.lang or environment_lang()
    found = remote.search(" ".join(options.words), lang, options.limit)
    if options.json:
        _write_json({"items": found})
    elif found:
        _table(("score", "entry", "title"), [(f"{row['score']:g}", row["slug"], row["title"]) for row in found])
    else:
        sys.stdout.write(answer_text.word(lang, "answer-text.no-words") + "\n")
    return 0 if found else NOTHING


def _show(options: Any) -> int:
    from errdex_client import answer_text, remote

    lang = options.lang or environment_lang()
    entry = remote.show(options.slug)
    if entry["slug"] != options.slug:
        sys.stderr.write(answer_text.word(lang, "answer-text.moved", old=options.slug, new=entry["slug"]) + "\n")
    if options.json:
        _write_json(entry)
    else:
        sys.stdout.write(answer_text.plain(remote.entry_text(entry, lang)))
    return 0


def _submit(options: Any) -> int:
    from errdex_client import answer_text, reading, remote

    lang = options.lang or environment_lang()
    with ExitStack() as stack:
        content = reading.open_streams([options.file], stack, note)[0].read(remote.LARGEST_PROPOSAL + 1)
    received = remote.submit(content, lang, options.submitter, options.note)
    if options.json:
        _write_json(received)
    else:
        sys.stdout.write(answer_text.received(received, lang) + "\n")
    return 0


def _run_job(options: Any) -> int:
    from errdex_client.running import run

    command = options.job[1:] if options.job[:1] == ["--"] else options.job
    if not command:
        raise Ended(USAGE, "name the job after two dashes: errdex run -- python train.py")
    return run(command, lang=options.lang or environment_lang(), json_file=options.json, verbose=options.verbose)


def _mcp(_options: Any) -> int:
    from errdex_client import remote
    from errdex_client.mcp import need_sdk, serve

    need_sdk()
    config = remote.configured()
    serve(config.url, config.token)
    return 0


def write_lines(lines: Any, stream: Any) -> None:
    """Write lines of (text, style) pieces, with colours where the stream is a terminal that wants them."""
    coloured = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    for line in lines:
        for text, style in line:
            code = _COLOURS.get(style) if coloured else None
            stream.write(f"\x1b[{code}m{text}\x1b[0m" if code else text)
        stream.write("\n")


def _write_json(value: Any) -> None:
    import json

    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows under their heads, one line each; a Chinese character counts as two columns."""
    from errdex_client.answer_text import plain

    lines = [[plain(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(_columns(row[place]) for row in lines) for place in range(len(heads))]
    for line in lines:
        padded = [cell + " " * (width - _columns(cell)) for cell, width in zip(line, widths)]
        sys.stdout.write("  ".join(padded).rstrip() + "\n")


def _columns(text: str) -> int:
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
