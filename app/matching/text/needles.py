"""Needles: texts of which one must stand in a line before an expression need be tried on it, and how they are sought.

They are derived from the expressions themselves, so that nobody keeps them level.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# Letters by the letters that may follow them; a longer key than a letter is an expression for what must stand before.
Tree = dict[str, "Tree"]
# The letters of logs, the most frequent first; all others are rarer. Nothing but the speed depends on it.
_LEAST_FREQUENCY = 7
_FREQUENT = " ertanioslcpd/_.0u1m-:gyhkfbv"
# What a backslash and one of these stands for is no text that is always the same.
_CLASSES = frozenset("dDsSwWbBAZ")
_REPEAT = re.compile(r"(?:(?P<sign>[*+?])|\{(?P<least>\d*)(?:,\d*)?\})[?+]?")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_GROUP = re.compile(r"\((?:\?(?:P<\w+>|(?P<flags>[a-z]*):|(?P<around><?[=!])))?")


class Needles(NamedTuple):
    """Texts of which one stands in all that an expression finds; those of `folded` in any case, in lower case here."""

    cased: frozenset[str]
    folded: frozenset[str] = frozenset()

    @property
    def shortest(self) -> int:
        """The length of the shortest one: the longer, the fewer lines hold one."""
        return min(map(len, self.cased | self.folded))


def shortest(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts, each once; one that holds another is left out: wherever it stands, the other stands too."""
    every = dict.fromkeys(texts)
    return tuple(one for one in every if not any(other in one for other in every if other != one))


def one_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Return what tells in a single pass whether one of the texts stands somewhere, whichever; nothing does where there
    are none. What it finds is a part of one.

    Each text is sought from a rare letter on, and as a whole only where the rest of it stands: a search passes quickly
    over letters that none begins with, and those are most where few and rare ones are chosen.
    """
    every = shortest(texts)
    sought = _few_and_rare(every)
    tree: Tree = {}
    for text in every:
        at = min((at for at, letter in enumerate(text) if letter in sought), key=lambda at: _frequency(text[at]))
        branch = tree
        for letter in text[at:]:
            branch = branch.setdefault(letter, {})
        branch[f"(?<={re.escape(text)})" if at else ""] = {}
    return re.compile(_branches(tree) if tree else r"(?!)")


def _few_and_rare(texts: Iterable[str]) -> frozenset[str]:
    """Return letters of which each text has one: each time the one that is rare for the texts that it is added for."""
    left = list(texts)
    chosen: list[str] = []
    while left:
        held = Counter(letter for text in left for letter in dict.fromkeys(text))
        chosen.append(min(held, key=lambda letter: _frequency(letter) / held[letter]))
        left = [text for text in left if chosen[-1] not in text]
    return frozenset(chosen)


def _frequency(letter: str) -> int:
    """Return how frequent a letter is beside others; they differ less than they do in logs, so that few are chosen."""
    return _LEAST_FREQUENCY + (len(_FREQUENT) - _FREQUENT.index(letter) if letter in _FREQUENT else 0)


def alternatives(texts: Iterable[str]) -> str:
    """Return the expression that fits where one of the texts stands; of two that begin alike it takes the shorter one.

    Those that begin with the same letters share them, so that a place is left after a look or two.
    """
    tree: Tree = {}
    for text in sorted(texts):
        branch = tree
        for letter in text:
            if letter in branch and not branch[letter]:
                break
            branch = branch.setdefault(letter, {})
    return _branches(tree) if tree else r"(?!)"


class NeedleSearch(NamedTuple):
    """What finds needles in a line, those that are meant as written and those in any case."""

    cased: re.Pattern[str]
    folded: re.Pattern[str] | None

    def may_hold(self, text: str) -> bool:
        """Tell whether a text may hold a needle; true for some that hold none."""
        if self.cased.search(text) is not None:
            return True
        return self.folded is not None and (not text.isascii() or self.folded.search(text.lower()) is not None)


def search_for(expressions: Iterable[str]) -> NeedleSearch | None:
    """Return what finds the needles of all expressions, None where one of these has none that can be told."""
    every = [needles_of(expression) for expression in expressions]
    told = [found for found in every if found is not None]
    if len(told) < len(every):
        return None
    cased: frozenset[str] = frozenset().union(*(found.cased for found in told))
    folded: frozenset[str] = frozenset().union(*(found.folded for found in told))
    return NeedleSearch(one_of(cased), one_of(folded) if folded else None)


def _branches(tree: Tree) -> str:
    parts = [_expression(letter) + _branches(branch) for letter, branch in sorted(tree.items())]
    return f"(?:{'|'.join(parts)})" if len(parts) > 1 else "".join(parts)


def _expression(key: str) -> str:
    return re.escape(key) if len(key) == 1 else key


def found_at(places: Iterable[int], expression: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what an expression finds, one after another, in a text in which it can only begin at these places."""
    end = 0
    for at in places:
        if at >= end and (found := expression.match(text, at)):
            end = found.end()
            yield found


def needles_of(expression: str) -> Needles | None:
    """Return the needles of a regular expression, None where it has none that can be told."""
    reader = _Reader(expression)
    try:
        found = reader.group()
    except _Unknown:
        return None
    return found if reader.is_at_end else None


class _Unknown(ValueError):
    """The expression holds something that is not read here."""


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, expression: str) -> None:
        self._text = expression
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._text)

    def group(self) -> Needles | None:
        """Read up to the end of a group: one of its alternatives stands there."""
        found = [self._sequence()]
        while self._text.startswith("|", self._at):
            self._at += 1
            found.append(self._sequence())
        told = [one for one in found if one is not None]
        if len(told) < len(found):
            return None
        return Needles(
            frozenset().union(*(one.cased for one in told)), frozenset().union(*(one.folded for one in told))
        )

    def _sequence(self) -> Needles | None:
        """Read one alternative: all of its parts stand there, and the longest says most."""
        told: list[Needles] = []
        run = ""
        while not self.is_at_end and self._text[self._at] not in "|)":
            letter, inner = self._part()
            least, repeats = self._repeat()
            run += letter if least else ""
            if repeats or not letter:
                told += [Needles(frozenset((run,)))] if run else []
                run = ""
            told += [inner] if inner and least else []
        told += [Needles(frozenset((run,)))] if run else []
        return max(told, key=lambda one: one.shortest, default=None)

    def _part(self) -> tuple[str, Needles | None]:
        """Read the next part: a letter that stands for itself, or what has needles of its own, or neither."""
        letter = self._text[self._at]
        if letter == "(":
            return "", self._group()
        if letter == "[":
            end = _CLASS.match(self._text, self._at)
            if end is None:
                raise _Unknown
            self._at = end.end()
            return "", None
        self._at += 1
        if letter == "\\":
            letter = self._text[self._at]
            self._at += 1
            if letter in _CLASSES:
                return "", None
            if letter.isalnum():
                raise _Unknown
            return letter, None
        return ("" if letter in ".^$" else letter), None

    def _group(self) -> Needles | None:
        head = _GROUP.match(self._text, self._at)
        assert head is not None
        if head.end() == self._at + 1 and self._text.startswith("?", head.end()):
            raise _Unknown
        self._at = head.end()
        found = self.group()
        if not self._text.startswith(")", self._at):
            raise _Unknown
        self._at += 1
        flags = head["flags"]
        if head["around"] or (flags and flags != "i"):
            return None
        if found is None or not flags:
            return found
        texts = found.cased | found.folded
        # outside of ASCII the case of a letter is more than two forms
        return Needles(frozenset(), frozenset(map(str.lower, texts))) if all(map(str.isascii, texts)) else None

    def _repeat(self) -> tuple[int, bool]:
        """Read how often a part stands there at least, and whether it may stand there otherwise than once."""
        found = _REPEAT.match(self._text, self._at)
        if found is None or (found["least"] is not None and found.group()[1] not in "0123456789,"):
            return 1, False
        self._at = found.end()
        if found["sign"]:
            return int(found["sign"] == "+"), True
        return int(found["least"] or 0), True
