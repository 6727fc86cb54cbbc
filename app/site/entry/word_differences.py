"""Which words differ between two versions of a line."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

# a word, a character of a script that writes without spaces, a stretch of spaces, or a sign
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\s+|.")
# Two lines of more pairs of words are shown as they are: comparing takes a bit of memory for each pair.
MOST_PAIRS = 1_000_000
# Lines that have less than this part of their words in common are two lines, and no version of each other.
LEAST_IN_COMMON = 0.3


class WordPart(NamedTuple):
    """A stretch of a line, and whether it is only in this version."""

    text: str
    is_changed: bool


Parts = tuple[WordPart, ...]


def word_parts(before: str, after: str) -> tuple[Parts, Parts] | None:
    """Return both versions of a line in parts; None where they have too little in common, or are too long."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) * len(new) > MOST_PAIRS:
        return None
    known: dict[str, int] = {}
    numbers = [[known.setdefault(word, len(known)) for word in version] for version in (old, new)]
    # spaces and signs are alike everywhere
    telling = [
        [number for number, word in zip(row, words, strict=True) if word[0].isalnum()]
        for row, words in zip(numbers, (old, new), strict=True)
    ]
    if Indel.normalized_similarity(*telling) < LEAST_IN_COMMON:
        return None
    steps = list(Indel.opcodes(*numbers))
    taken = [(old[step.src_start : step.src_end], step.tag != "equal") for step in steps]
    put = [(new[step.dest_start : step.dest_end], step.tag != "equal") for step in steps]
    return tuple(_joined(taken)), tuple(_joined(put))


def _joined(found: Sequence[tuple[list[str], bool]]) -> Iterator[WordPart]:
    """Yield neighbouring stretches of one kind as one; spaces between two changed words count as changed."""
    rows = [("".join(words), is_changed) for words, is_changed in found if words]
    text, last = "", False
    for at, (words, is_changed) in enumerate(rows):
        between = 0 < at < len(rows) - 1 and not words.strip() and last
        is_marked = is_changed or between
        if text and is_marked != last:
            yield WordPart(text, last)
            text = ""
        text, last = text + words, is_marked
    if text:
        yield WordPart(text, last)
