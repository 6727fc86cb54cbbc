"""Whether words around an error line change what is answered: 100 lines that no entry covers, in ten typed wrappings.

    python -m bench.typed_lines

Prints how many of the lines without an entry are answered bare, how many of all texts are answered otherwise than bare,
and each of these. The lines are what public packages print, written as such that no entry covers. Three turned out to
be covered by a pattern of an entry, and twenty-four got an entry of their own later: its slug stands behind a tab.
Half of the wrappings are Chinese. Both files were written before the engine was asked, and are not changed to suit it.
"""

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from app.asking.question_service import Questions
from app.config import ROOT
from bench import databases

FOLDER = ROOT / "bench" / "labelled" / "typed"


class Wrapped(NamedTuple):
    """A text with an error line in it, the entries answered first for the line alone and for the text, and whether an
    entry covers the line.
    """

    text: str
    bare: str | None
    wrapped: str | None
    covered: bool


def rows(name: str) -> list[str]:
    """Return the rows of a file of the set, `lines` or `wrappings`; in a wrapping `{}` stands for the line."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def measure(questions: Questions) -> list[Wrapped]:
    """Ask each line in each wrapping."""
    found = []
    for row in rows("lines"):
        line, _, entry = row.partition("\t")
        bare = _first(questions, line)
        texts = [wrapping.replace("{}", line) for wrapping in rows("wrappings")]
        found += [Wrapped(text, bare, _first(questions, text), bool(entry)) for text in texts]
    return found


def bare_answered(asked: Sequence[Wrapped]) -> float:
    """Return the share of the lines without an entry that are answered alone."""
    alone = [one.bare for one in asked if not one.covered]
    return sum(bare is not None for bare in alone) / len(alone)


def otherwise(asked: Sequence[Wrapped]) -> list[Wrapped]:
    """Return the texts that are answered otherwise than their line alone."""
    return [one for one in asked if one.wrapped != one.bare]


def _first(questions: Questions, text: str) -> str | None:
    answer = questions.ask(text)
    return answer.matches[0].slug if answer.matches else None


def main() -> None:
    """Measure on the shipped entries and print."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    with databases.shipped() as engine:
        asked = measure(Questions(engine))
    for one in otherwise(asked):
        print(f"{one.bare} -> {one.wrapped}: {one.text}")
    without = sum("\t" not in row for row in rows("lines"))
    print(f"bare answered: {bare_answered(asked):.3f} of {without}")
    print(f"answered otherwise than bare: {len(otherwise(asked)) / len(asked):.3f} of {len(asked)}")


if __name__ == "__main__":
    main()
