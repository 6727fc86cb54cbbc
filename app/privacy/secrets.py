"""Finds what looks secret in a text, and puts placeholders in its place: `<TOKEN#1>`, `<EMAIL#1>`, `<USER#1>` …

The rules are data, `static/secret-rules.json`, which the page applies in the browser before a paste is sent; its own
comments say how to read and edit them. Here they serve a browser without JavaScript, and the check of published texts.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from app.config import DATA

RULES = DATA / "static" / "secret-rules.json"
# On either side of a value a rule may look at so many characters of the line.
NEAR = 40
_PIECE = re.compile(r"\{\{([a-z-]+)\}\}")
_PLACED = re.compile(r"<([A-Z]{1,12})#([0-9]{1,6})>")


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One row of the rule file, ready to use."""

    name: str
    placeholder: str
    needs: tuple[str, ...]
    whole: bool
    again: bool
    pattern: re.Pattern[str]
    not_if: tuple[re.Pattern[str], ...]
    not_after: tuple[re.Pattern[str], ...]
    not_before: tuple[re.Pattern[str], ...]

    def where(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield, in order, the stretches of whole lines that can hold a match."""
        if self.whole:
            if any(need in text for need in self.needs):
                yield 0, len(text)
            return
        places = [place for need in self.needs if (place := text.find(need)) >= 0]
        if len(places) == 1:
            yield from self._lines_with(next(need for need in self.needs if need in text), text)
        elif places:
            yield from self._lines_with_any(text)

    def _lines_with(self, need: str, text: str) -> Iterator[tuple[int, int]]:
        at = text.find(need)
        while at >= 0:
            end = _end_of_line(text, at)
            yield text.rfind("\n", 0, at) + 1, end
            at = text.find(need, end)

    def _lines_with_any(self, text: str) -> Iterator[tuple[int, int]]:
        next_at = {need: text.find(need) for need in self.needs}
        while at := {need: place for need, place in next_at.items() if place >= 0}:
            first = min(at.values())
            end = _end_of_line(text, first)
            yield text.rfind("\n", 0, first) + 1, end
            next_at = {need: place if place >= end else text.find(need, end) for need, place in at.items()}

    def value(self, match: re.Match[str]) -> str | None:
        """Return what a match says is secret, which ends the match; None when a check speaks against it."""
        value: str = match[match.lastindex or 0]
        text, start, end = match.string, match.end() - len(value), match.end()
        if self.not_if and _any(self.not_if, value):
            return None
        if self.not_after and _any(self.not_after, text[max(0, start - NEAR) : start].rpartition("\n")[2]):
            return None
        if self.not_before and _any(self.not_before, text[end : end + NEAR].partition("\n")[0]):
            return None
        return value


@dataclass(frozen=True, slots=True)
class MaskedValue:
    """A value that was masked: the name of the rule, the placeholder in its place, and how often it stood there."""

    name: str
    value: str
    placeholder: str
    count: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with what looked secret replaced, and what that was."""

    text: str
    findings: tuple[MaskedValue, ...]


def mask(text: str, kept: Iterable[str] = ()) -> Masked:
    """Return the text with what looks secret masked, but for the values in `kept`.

    The same value has the same placeholder throughout; masking again changes nothing.
    """
    names = _Placeholders(text, frozenset(kept))
    for rule in rules():
        before, text = text, names.put(rule, text)
        while rule.again and before != text:
            before, text = text, names.put(rule, text)
    return Masked(text, names.findings())


def spotted(text: str, placeholders: frozenset[str] | None = None) -> Iterator[tuple[int, SecretRule]]:
    """Yield the place and the rule of everything in a text that looks secret, rule by rule, not in the order of places.

    `placeholders` are those of the rules that are asked for, all by default.
    """
    there = {need for need in _needs(placeholders) if need in text} if text else set()
    for rule in rules():
        if placeholders is not None and rule.placeholder not in placeholders:
            continue
        if there.isdisjoint(rule.needs):
            continue
        for start, end in rule.where(text):
            for match in rule.pattern.finditer(text, start, end):
                if rule.value(match) is not None:
                    yield match.start(), rule


@cache
def _needs(placeholders: frozenset[str] | None) -> frozenset[str]:
    wanted = (rule for rule in rules() if placeholders is None or rule.placeholder in placeholders)
    return frozenset(need for rule in wanted for need in rule.needs)


def _any(patterns: tuple[re.Pattern[str], ...], text: str) -> bool:
    return any(one.search(text) for one in patterns)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


class _Placeholders:
    """The placeholders of one text; numbers go on after those that stand in it already."""

    def __init__(self, text: str, kept: frozenset[str]) -> None:
        self._kept = kept
        self._last: dict[str, int] = defaultdict(int)
        self._of: dict[tuple[str, str], str] = {}
        self._rule: dict[tuple[str, str], str] = {}
        self._count: dict[tuple[str, str], int] = defaultdict(int)
        for kind, number in _PLACED.findall(text):
            self._last[kind] = max(self._last[kind], int(number))

    def put(self, rule: SecretRule, text: str) -> str:
        """Return the text with the matches of a rule replaced."""
        parts: list[str] = []
        done = 0
        for start, end in rule.where(text):
            parts += text[done:start], rule.pattern.sub(partial(self._replaced, rule), text[start:end])
            done = end
        return "".join((*parts, text[done:])) if parts else text

    def _replaced(self, rule: SecretRule, match: re.Match[str]) -> str:
        value = rule.value(match)
        if value is None or value in self._kept:
            return match.group()
        key = (rule.placeholder, value)
        if key not in self._of:
            self._last[rule.placeholder] += 1
            self._of[key] = f"<{rule.placeholder}#{self._last[rule.placeholder]}>"
            self._rule[key] = rule.name
        self._count[key] += 1
        return match.group()[: len(match.group()) - len(value)] + self._of[key]

    def findings(self) -> tuple[MaskedValue, ...]:
        """Return what was replaced, in the order in which it was found."""
        return tuple(MaskedValue(self._rule[key], key[1], name, self._count[key]) for key, name in self._of.items())


@cache
def rules() -> tuple[SecretRule, ...]:
    """Return the rules in their order."""
    plain: dict[str, Any] = json.loads(RULES.read_text(encoding="utf-8"))
    pieces: dict[str, str] = plain["pieces"]

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(_PIECE.sub(lambda match: pieces[match[1]], pattern))

    return tuple(
        SecretRule(
            name=row["name"],
            placeholder=row["placeholder"],
            needs=tuple(row["needs"]),
            whole=row.get("whole", False),
            again=row.get("again", False),
            pattern=compiled(row["pattern"]),
            not_if=tuple(map(compiled, row.get("not_if", ()))),
            not_after=tuple(map(compiled, row.get("not_after", ()))),
            not_before=tuple(map(compiled, row.get("not_before", ()))),
        )
        for row in plain["rules"]
    )
