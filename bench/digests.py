#!/usr/bin/env python3
"""What every text at hand is read and answered as, so that a change of speed can be seen to change nothing else.

    PYTHONHASHSEED=0 python -m bench.digests [--answers] [--outside FOLDER] > DIGESTS

Prints a line for each text: a digest of its report, with `--answers` one of its answer too, and its name. `diff` of
what two revisions print shows the texts that they differ in. Texts are the examples, the labelled and golden pastes,
mixtures of these, many errors, and half a of the logs in FOLDER (see `bench.outside_logs`).
"""

import argparse
import hashlib
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from app.asking.question_service import Questions
from app.config import ROOT
from app.matching.parsing.parser import parse
from bench import databases, growth, logs, outside_logs, pastes
from bench.compare import many_errors

# How many pastes are put together, and how many such mixtures there are.
MIXTURES = ((10, 20), (50, 20), (200, 12), (800, 8))
SHUFFLED = 60
MANY = (1, 10, 100, 500, 2_000)
MOST_MATCHES = 20
LONGEST_PASTE = 20_000


def texts(outside: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the name of each text and the text."""
    own = list(_own())
    yield from own
    for path in [outside / "pytorch.jsonl.gz", outside / "logdx.jsonl.gz"] if outside else []:
        for row in outside_logs.logs(path, "a"):
            yield f"{path.name} {row['id']}", row["text"]
    yield from _made([text for _, text in own if len(text) < LONGEST_PASTE])


def _own() -> Iterator[tuple[str, str]]:
    for document in pastes.shipped():
        for at, text in enumerate(document.examples):
            yield f"{document.slug} {at}", text
    for name, cases in pastes.labelled().items():
        for case in cases:
            yield f"{name} {case.id}", case.text
    for path in sorted((ROOT / "tests" / "golden").rglob("*.txt")):
        yield f"{path.parent.name}/{path.name}", path.read_text(encoding="utf-8")


def _made(from_texts: list[str]) -> Iterator[tuple[str, str]]:
    for number in MANY:
        yield f"{number} errors", many_errors(number)
    many = many_errors(MANY[-1] // 2)
    yield "errors that come again", f"{many}and more\n{many}"
    yield "errors of four ranks", "\n".join(f"[rank{at % 4}]: {line}" for at, line in enumerate(many.splitlines()))
    yield "a log", f"{growth.ordinary(300_000)}\n{logs.TRACE}{growth.ordinary(300_000)}"
    pick = random.Random(5)
    for number, times in MIXTURES:
        for at in range(times):
            yield f"{number} pastes, {at}", "\n".join(pick.choices(from_texts, k=number))
    for at in range(SHUFFLED):
        lines = [line for text in pick.choices(from_texts, k=40) for line in text.splitlines()]
        pick.shuffle(lines)
        yield f"shuffled lines, {at}", "\n".join(lines)
    for piece in growth.HOSTILE:
        yield f"{piece!r} in a line", piece * 3_000
        yield f"{piece!r} in lines", f"{piece * 30}{growth.OPENER}\n" * 300


def digest(found: object) -> str:
    """Return what differs when two things are written differently."""
    return hashlib.sha256(repr(found).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def main() -> None:
    """Print a line for each text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", action="store_true", help="ask the entries of the repository too")
    parser.add_argument("--outside", type=Path, help="a folder with logs from elsewhere")
    asked = parser.parse_args()
    with ExitStack() as stack:
        questions = Questions(stack.enter_context(databases.shipped())) if asked.answers else None
        for name, text in texts(asked.outside):
            found = [digest(parse(text))]
            if questions:
                answer = questions.ask(text, "en", MOST_MATCHES)
                found.append(digest((answer.matches, answer.related)))
            print(*found, name)


if __name__ == "__main__":
    main()
