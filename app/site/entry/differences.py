"""What changed between two versions of an entry: by file of its bundle and by line, long unchanged parts folded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel, Opcode

from app.content.bundle import EXAMPLES, FACTS, files
from app.content.schema import EntryDocument
from app.site.entry.word_differences import Parts, word_parts

CONTEXT = 3
MOST_SHOWN = 400
_TOO_FEW_TO_FOLD = 3
# Comparing takes one bit of memory for each pair of lines, whatever they hold. Parts with more pairs are shown as taken
# out and put in whole.
_MOST_COMPARED = 64_000_000

Sign = Literal["+", "-", " "]


class DifferenceLine(NamedTuple):
    """A line of either version: put in, taken out, or in both. `parts` tell its changed words, if they are known."""

    sign: Sign
    text: str
    parts: Parts = ()


@dataclass(frozen=True, slots=True)
class DifferenceStretch:
    """Neighbouring lines: `count` of them, of which it holds the first ones. A folded one is unchanged."""

    lines: tuple[DifferenceLine, ...]
    count: int
    folded: bool


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file that is not the same in both versions; `state` says whether it is in only one of them.

    `changed` is how many lines are in one version only.
    """

    name: str
    state: Literal["added", "removed", "changed"]
    stretches: tuple[DifferenceStretch, ...]
    changed: int = 0


def differences(before: EntryDocument, after: EntryDocument) -> tuple[FileDifference, ...]:
    """Return the files that differ: the facts, the texts, then the examples.

    Of each file at most 400 open lines and as many folded ones are kept; the stretches tell how many there are.
    """
    old, new = files(before), files(after)
    names = sorted({*old, *new}, key=lambda name: (name.startswith(f"{EXAMPLES}/"), name != FACTS, name))
    return tuple(
        text_difference(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    )


def text_difference(name: str, before: str | None, after: str | None) -> FileDifference:
    """Return what changed between two versions of a text; None stands for a file that is not there."""
    state: Literal["added", "removed", "changed"] = (
        "added" if before is None else "removed" if after is None else "changed"
    )
    found = lines(before, after)
    changed = sum(line.sign != " " for line in found)
    return FileDifference(name, state, tuple(_bounded(_stretches(list(_with_words(found))))), changed)


def _with_words(found: Sequence[DifferenceLine]) -> Iterator[DifferenceLine]:
    """Yield the lines, those that are versions of each other with the words that differ.

    Each line that was taken out is compared with the one of the same place among those put in right behind it.
    """
    compared = 0
    for sign, group in groupby(found, key=lambda line: line.sign == " "):
        run = list(group)
        if not sign and compared < MOST_SHOWN:
            compared += len(run)
            run = _paired(run)
        yield from run


def _paired(run: list[DifferenceLine]) -> list[DifferenceLine]:
    taken, put = ([line for line in run if line.sign == sign] for sign in ("-", "+"))
    for at, (old, new) in enumerate(zip(taken, put, strict=False)):
        if parts := word_parts(old.text, new.text):
            taken[at], put[at] = old._replace(parts=parts[0]), new._replace(parts=parts[1])
    return [*taken, *put]


def lines(before: str | None, after: str | None) -> list[DifferenceLine]:
    """Return both versions of a text line by line; None stands for a file that is not there."""
    # A line feed at the end counts as a line only where the other version has none.
    both_end = all(text is None or text.endswith("\n") for text in (before, after))
    old, new = _split(before, both_end), _split(after, both_end)
    head = _same_length(old, new)
    tail = _same_length(old[head:][::-1], new[head:][::-1])
    middle = _compared(old[head : len(old) - tail], new[head : len(new) - tail])
    return [*_signed(" ", old[:head]), *middle, *_signed(" ", old[len(old) - tail :])]


def _split(text: str | None, ends: bool) -> list[str]:
    if text is None:
        return []
    return (text[:-1] if ends else text).split("\n")


def _same_length(old: Sequence[str], new: Sequence[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))


def _compared(old: list[str], new: list[str]) -> Iterator[DifferenceLine]:
    if len(old) * len(new) > _MOST_COMPARED:
        yield from (*_signed("-", old), *_signed("+", new))
        return
    # Lines are compared by numbers, since two different lines may have the same hash.
    known: dict[str, int] = {}
    numbers = [[known.setdefault(line, len(known)) for line in version] for version in (old, new)]
    yield from _taken_out_first(Indel.opcodes(*numbers), old, new)


def _taken_out_first(steps: Iterable[Opcode], old: list[str], new: list[str]) -> Iterator[DifferenceLine]:
    """Yield what neighbouring steps take out before what they put in."""
    put_in: list[str] = []
    for step in steps:
        if step.tag == "insert":
            put_in += new[step.dest_start : step.dest_end]
        elif step.tag == "delete":
            yield from _signed("-", old[step.src_start : step.src_end])
        else:
            yield from _signed("+", put_in)
            put_in = []
            yield from _signed(" ", old[step.src_start : step.src_end])
    yield from _signed("+", put_in)


def _signed(sign: Sign, texts: Sequence[str]) -> Iterator[DifferenceLine]:
    return (DifferenceLine(sign, text) for text in texts)


def _stretches(found: list[DifferenceLine]) -> Iterator[DifferenceStretch]:
    at = 0
    for fold in _folds(found):
        yield _stretch(found[at : fold.start], folded=False)
        yield _stretch(found[fold.start : fold.stop], folded=True)
        at = fold.stop
    yield _stretch(found[at:], folded=False)


def _stretch(found: list[DifferenceLine], *, folded: bool) -> DifferenceStretch:
    return DifferenceStretch(tuple(found), len(found), folded)


def _folds(found: list[DifferenceLine]) -> Iterator[range]:
    """Yield where unchanged lines are too far from a change to be of interest."""
    changes = (at for at, line in enumerate(found) if line.sign != " ")
    for last, following in pairwise((-CONTEXT - 1, *changes, len(found) + CONTEXT)):
        fold = range(last + CONTEXT + 1, following - CONTEXT)
        if len(fold) > _TOO_FEW_TO_FOLD:
            yield fold


def _bounded(stretches: Iterator[DifferenceStretch]) -> Iterator[DifferenceStretch]:
    left = {True: MOST_SHOWN, False: MOST_SHOWN}
    for stretch in stretches:
        if stretch.count:
            kept = stretch.lines[: left[stretch.folded]]
            left[stretch.folded] -= len(kept)
            yield DifferenceStretch(kept, stretch.count, stretch.folded)
