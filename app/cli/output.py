"""Where words go: results to stdout, everything else to stderr."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

# Rich is imported by what draws with it: a command whose output nobody looks at on a terminal is spared its start.
if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from app.content.bundle import Finding

# Control characters of a pasted text must not reach the reader's terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def is_styled() -> bool:
    """Tell whether stdout may be given colours: a terminal, or what says that it is as good as one."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE"))


def console() -> "Console":
    """Return the console on stdout; it wraps only where there is a terminal."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not sys.stdout.isatty())


def say(text: "str | Text" = "") -> None:
    """Print a line of the result."""
    console().print(plain(text) if isinstance(text, str) else text)


def note(text: str) -> None:
    """Print a line that is not part of the result."""
    from rich.console import Console

    Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True).print(plain(text))


def complain(text: str) -> None:
    """Print why a command ends, in one line."""
    note("errdex: " + " ".join(text.split()))


def plain(text: str) -> str:
    """Return `text` without control characters other than tab and newline."""
    return _CONTROL.sub("", text)


def write(text: str) -> None:
    """Write text to stdout as it is."""
    sys.stdout.write(text)


def write_json(value: Any) -> None:
    """Print a result as JSON."""
    write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their heads, one line each; a Chinese character counts as two columns."""
    from rich.cells import cell_len, set_cell_size

    lines = [[plain(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = [set_cell_size(cell, width) for cell, width in zip(line, widths, strict=True)]
        say("  ".join(padded).rstrip())


def findings(found: Sequence["Finding"]) -> None:
    """Print findings as `path:line: text`."""
    for item in found:
        say(str(item))


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal's stderr; give a function that takes how much is done, and of how much."""
    # Few commands take so long that they show how far they are.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    err = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
