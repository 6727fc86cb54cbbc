#!/usr/bin/env python3
"""How quick this revision is beside another one, both asked in turn on one machine.

    python -m bench.compare BASE [--sizes 1000 10000 109663] [--shared FOLDER]

BASE is checked out into a temporary folder and run by the same Python. Prints Markdown: a question at each number of
raise sites; entries with text in two languages, what they take to import, on disk and to ask; a long log; a paste of
many different errors. All times are of the processor, so that what else the machine does counts little. Base and this
revision are measured in turn, questions and texts several times.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Self

from app.config import ROOT
from bench import growth, machine
from bench.figures import exponent, say, spread
from bench.logs import TRACE
from bench.pastes import SHARED, shipped
from bench.raise_sites import entry, rows

SIZES = (1_000, 10_000, 109_663)
TURNS = 3
WITH_TEXT = 10_000
# characters of a text of each language
BODY = {"en": 1_500, "zh": 600}
LOG = 16 * 1024 * 1024
ERRORS = (500, 1_000, 2_000)
ONE_ERROR = """Traceback (most recent call last):
  File "/srv/{one}/{two}.py", line 12, in {three}
    {two}.{three}({one})
ValueError: the {one} of {two} does not take a {three}
"""


class Row(NamedTuple):
    """A measured thing: its name, its unit, what the base and this revision take, and how much more may be taken."""

    name: str
    unit: str
    base: float
    here: float
    bar: str

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the row as cells of a table."""
        return self.name, f"{self.base:.2f}", f"{self.here:.2f}", self.unit, f"{self.here / self.base:.2f}", self.bar


class Side:
    """A revision at work in a process of its own."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-P", str(ROOT / "bench" / "compare_side.py")]
        self._process = subprocess.Popen(
            command,
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()

    def do(self, what: str, file: Path | None = None) -> dict[str, Any]:
        """Have it do something with a file and return what it says. Raises `RuntimeError` when it ended."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("it has no pipes")
        self._process.stdin.write(json.dumps({"do": what, "file": str(file)}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a side ended while it was told to {what}")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Check a revision out beside this one, for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "base"
        _git("worktree", "add", "--detach", str(place), revision)
        try:
            yield place
        finally:
            _git("worktree", "remove", "--force", str(place))


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True)


class Comparison:
    """Both revisions, the base first, with a folder for what they are given."""

    def __init__(self, sides: Sequence[Side], folder: Path, shared: Path) -> None:
        self._sides, self._folder = sides, folder
        asked = list(rows(shared / "bench" / "queries.jsonl.gz"))
        self._queries = self._kept("queries", json.dumps([row["text"] for row in asked]))
        self._sites = list(rows(shared / "bench" / "raise_sites.jsonl.gz"))
        random.Random(1).shuffle(self._sites)
        # those that a paste comes from are first, so that every size can answer every paste
        own = {row["expect"] for row in asked}
        self._sites.sort(key=lambda site: site["slug"] not in own)

    def rows(self, sizes: Sequence[int]) -> Iterator[Row]:
        """Measure everything, and yield what was measured."""
        yield from self._read()
        yield from self._asked_at(sizes)
        yield from self._with_text()

    def _asked_at(self, sizes: Sequence[int]) -> Iterator[Row]:
        self._each(lambda side: side.do("begin"))
        there = 0
        for size in sizes:
            say(f"compare: {size:,} raise sites")
            sites = self._sites[there:size]
            lines = self._kept("sites", "\n".join(json.dumps(entry(site, True)) for site in sites))
            self._each(lambda side, lines=lines: side.do("import", lines))  # type: ignore[misc]
            there = size
            yield from self._asked(f"{size:,} raise sites", "1.5", "2")

    def _asked(self, name: str, median: str, p99: str) -> Iterator[Row]:
        self._each(lambda side: side.do("size"))
        base, here = self._in_turn(lambda side: side.do("ask", self._queries)["seconds"])
        theirs, ours = (spread(list(chain.from_iterable(turns))) for turns in (base, here))
        yield Row(f"{name}: a question, median", "ms", theirs["median_ms"], ours["median_ms"], f"≤ {median}")
        yield Row(f"{name}: a question, p99", "ms", theirs["p99_ms"], ours["p99_ms"], f"≤ {p99}")

    def _with_text(self) -> Iterator[Row]:
        name = f"{WITH_TEXT:,} entries with text in two languages"
        say(f"compare: {name}")
        lines = self._kept("texts", "\n".join(with_text(self._sites[:WITH_TEXT])))

        def imported(side: Side) -> float:
            side.do("begin")
            done = side.do("import", lines)
            return float(done["added"] / done["seconds"])

        base, here = map(imported, self._sides)
        yield Row(f"{name}: imported", "a second", base, here, "≥ 0.7")
        sizes = [side.do("size")["bytes"] / 2**20 for side in self._sides]
        yield Row(f"{name}: on disk", "MiB", sizes[0], sizes[1], "≤ 1.5")
        yield from self._asked(name, "2", "2")

    def _read(self) -> Iterator[Row]:
        say("compare: a long log and many errors")
        half = growth.ordinary(LOG // 2)
        log = self._kept("log", f"{half}\n{TRACE}{half}")
        base, here = self._in_turn(lambda side: side.do("read", log)["seconds"])
        yield Row("a log of 16 MiB: read", "s", min(base), min(here), "≤ 1.5")
        self._each(lambda side: side.do("begin"))
        spent: list[list[float]] = [[], []]
        for number in ERRORS:
            paste = self._kept("errors", json.dumps([many_errors(number)]))
            both = self._in_turn(lambda side, paste=paste: side.do("ask", paste)["seconds"][0])  # type: ignore[misc]
            for side, seconds in zip(spent, both, strict=True):
                side.append(min(seconds))
        yield Row(f"{ERRORS[-1]:,} different errors: answered", "s", spent[0][-1], spent[1][-1], "≤ 1.5")
        grown = [exponent(ERRORS, seconds) for seconds in spent]
        yield Row("different errors: exponent of the growth", "", grown[0], grown[1], "itself ≤ 1.1")

    def _kept(self, name: str, text: str) -> Path:
        path = self._folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def _each(self, work: Callable[[Side], object]) -> None:
        for side in self._sides:
            work(side)

    def _in_turn(self, work: Callable[[Side], Any]) -> tuple[list[Any], list[Any]]:
        """Return what base and this revision took, each several times, in turn."""
        found: tuple[list[Any], list[Any]] = ([], [])
        for _ in range(TURNS):
            for side, taken in zip(self._sides, found, strict=True):
                taken.append(work(side))
        return found


def with_text(sites: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield raise sites as lines of entries whose texts, in both languages, are made of lines of the shipped ones."""
    documents = shipped()
    said = {
        language: [
            line for document in documents if (text := getattr(document, language)) for line in _plain(text.body)
        ]
        for language in BODY
    }
    for at, site in enumerate(sites):
        pick = random.Random(at)
        one = entry(site, True)
        for language, lines in said.items():
            body = "\n\n".join(pick.choices(lines, k=40))[: BODY[language]]
            one[language] = {"title": f"{one['en']['title']} {pick.choice(lines)[:40]}"[:200], "body": body}
        yield json.dumps(one, ensure_ascii=False)


def _plain(body: str) -> list[str]:
    """Return the lines of a text that are prose."""
    return [line for line in body.splitlines() if len(line) > 40 and line[0].isalpha()]


def many_errors(number: int) -> str:
    """Return a paste of so many errors, of which no two are the same but for numbers."""
    pick = random.Random(number)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = partial(lambda: "".join(pick.choices(letters, k=7)))
    return "".join(ONE_ERROR.format(one=words(), two=words(), three=words()) for _ in range(number))


def page(found: Sequence[Row], base: str) -> str:
    """Return the figures as Markdown."""
    head = ("", f"base {base}", "here", "unit", "ratio", "bar")
    cells = (head, ("---",) * len(head), *(row.cells for row in found))
    about = "; ".join(f"{what} {which}" for what, which in machine.described().items())
    return "\n".join(f"| {' | '.join(row)} |" for row in cells) + f"\n\n{about}.\n"


def main() -> None:
    """Compare this revision with BASE and print the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--shared", type=Path, default=SHARED, help="where raise sites and queries are")
    asked = parser.parse_args()
    with ExitStack() as stack:
        base = stack.enter_context(checked_out(asked.base))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides = [stack.enter_context(Side(root)) for root in (base, ROOT)]
        found = []
        for row in Comparison(sides, folder, asked.shared).rows(asked.sizes):
            say(" | ".join(row.cells))
            found.append(row)
    print(page(found, asked.base))


if __name__ == "__main__":
    main()
