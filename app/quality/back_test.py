"""Strong patterns against what other packages print: what identifies an error must not be everybody's message."""

import lzma
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from app.config import DATA
from app.content.bundle import Finding
from app.content.check import Bundle
from app.content.names import project_of_package
from app.content.schema import EntryDocument
from app.matching.ranking.pattern import ROUNDING, Pattern, compile_pattern, fit, heads, reads
from app.matching.text.rules import weights

# made by `python -m bench.message_table`
TABLE = DATA / "bench" / "messages" / "messages.txt.xz"
# Of a message the table has so many words from its beginning; what a longer pattern says beyond them is not there.
KEPT_WORDS = 15
FEWEST_PACKAGES = 2


class Printed(NamedTuple):
    """A message as words with spaces between them, and the packages that print it."""

    message: str
    packages: tuple[str, ...]


class Mark(NamedTuple):
    """A strong pattern of an entry that counts wherever it is seen."""

    entry: Bundle
    text: str
    pattern: Pattern


@lru_cache(maxsize=2)
def read_table(path: Path = TABLE) -> tuple[Printed, ...]:
    """Return the table; empty where there is none, as in an installed package. Raises `OSError`, `LZMAError`."""
    return tuple(_rows(lzma.decompress(path.read_bytes()).decode().splitlines())) if path.is_file() else ()


def read_rows(entries: Sequence[Bundle], path: Path = TABLE) -> tuple[Printed, ...]:
    """Return what of the table can be a strong pattern of these entries: a small part of it, in a part of the time.

    Raises `OSError`, `LZMAError`.
    """
    words = {word for entry in entries for mark in _marks(entry) for word in heads(mark.pattern)}
    if not words or not path.is_file():
        return ()
    text = f"\n{lzma.decompress(path.read_bytes()).decode()}\n"
    starts = sorted({start for word in words for start in _lines_with(word, text)})
    return tuple(_row_at(start, text) for start in starts if not text.startswith("# ", start))


def _lines_with(word: str, text: str) -> Iterator[int]:
    """Yield where each line begins that holds `word`."""
    at = text.find(word)
    while at >= 0:
        yield text.rindex("\n", 0, at) + 1
        at = text.find(word, text.index("\n", at))


def _row_at(start: int, text: str) -> Printed:
    head = text.rindex("\n# ", 0, start) + 3
    packages = text[head : text.index("\n", head)].split()
    return Printed(text[start : text.index("\n", start)], tuple(packages))


def _rows(lines: Iterable[str]) -> Iterator[Printed]:
    packages: tuple[str, ...] = ()
    for line in lines:
        if line.startswith("# "):
            packages = tuple(line[2:].split())
        else:
            yield Printed(line, packages)


def unspecific(entries: Sequence[Bundle], table: Sequence[Printed]) -> Iterator[Finding]:
    """Yield the strong patterns that say too little by themselves, or that others print.

    The first are those whose words weigh less than `least_own`; the others those that at least `FEWEST_PACKAGES`
    packages print, none of which is one of the entry's components or of its project.
    """
    marks = [mark for entry in entries for mark in _marks(entry)]
    for mark in marks:
        if mark.pattern.total < weights()["message"]["least_own"]:
            told = f"says too little to identify an error; make it `weak` beside a frame, or say `unless`: {mark.text}"
            yield mark.entry.fact(mark.entry.signature(mark.text), "little", mark.text[:40], told)
    for mark, packages in _printers(marks, table):
        strangers = sorted(package for package in packages if not _named(package, mark.entry.document))
        if len(strangers) >= FEWEST_PACKAGES:
            told = (
                f"{', '.join(strangers[:4])} print this too; make it `weak` beside a frame, more exact, say `unless`, "
                f"or name them in `components`: {mark.text}"
            )
            place, packages_told = mark.entry.signature(mark.text), ", ".join(strangers[:4])
            yield mark.entry.fact(place, "elsewhere", mark.text[:40], told, packages=packages_told)


def _marks(entry: Bundle) -> Iterator[Mark]:
    if entry.document.status == "published":
        for signature in entry.document.signatures:
            # What has an `unless` says by itself where it does not count.
            if signature.pattern and not signature.weak and not signature.unless:
                yield Mark(entry, signature.pattern, compile_pattern(signature.pattern))


def _printers(marks: Sequence[Mark], table: Sequence[Printed]) -> Iterator[tuple[Mark, set[str]]]:
    """Yield each mark with the packages of the messages that would let it carry an answer."""
    telling = [heads(mark.pattern) for mark in marks]
    holders: dict[str, list[int]] = {word: [] for words in telling for word in words}
    words_of = [frozenset(row.message.split(" ")) for row in table]
    for number, words in enumerate(words_of):
        for word in holders.keys() & words:
            holders[word].append(number)
    for mark, words in zip(marks, telling, strict=True):
        numbers = {number for word in words for number in holders[word]}
        close = [table[number] for number in numbers if _has_most(words_of[number], mark.pattern)]
        yield mark, set(_packages(mark.pattern, close))


def _has_most(there: Collection[str], pattern: Pattern) -> bool:
    """Tell whether the words that are there weigh enough for the pattern to carry an answer, whatever their order."""
    spare = (1 - weights()["message"]["carry_coverage"]) * pattern.total
    # Most messages miss a heavy word, so that the first look is the last.
    for word, weight in pattern.by_word:
        if word not in there:
            spare -= weight
            if spare < -ROUNDING:
                return False
    return True


def _packages(pattern: Pattern, rows: Iterable[Printed]) -> Iterator[str]:
    least = weights()["message"]["carry_coverage"]
    for message, packages in rows:
        found = fit(pattern, reads(message)[0])
        if found and found.coverage >= least:
            yield from packages


def _named(package: str, document: EntryDocument) -> bool:
    return not {project_of_package(package), package.replace("_", "-")}.isdisjoint(
        (document.project, *document.components)
    )
