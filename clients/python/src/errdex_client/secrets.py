"""What looks secret, masked before anything leaves the machine: `<TOKEN#1>`, `<EMAIL#1>`, `<USER#1>` …

The rules are the server's, in `data/secret-rules.json`; its own comments say how to read them. This is what
app/privacy/secrets.py does, for an older Python, and with the way back to the places of the text before.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Iterator, NamedTuple, Pattern

from errdex_client.data import read_data
from errdex_client.positions import Stretches

# On either side of a value a rule may look at so many characters of the line.
NEAR = 40
_PIECE = re.compile(r"\{\{([a-z-]+)\}\}")
_PLACED = re.compile(r"<([A-Z]{1,12})#([0-9]{1,6})>")


class Rule(NamedTuple):
    """One row of the rule file, ready to use."""

    placeholder: str
    needs: tuple[str, ...]
    whole: bool
    again: bool
    pattern: Pattern[str]
    not_if: tuple[Pattern[str], ...]
    not_after: tuple[Pattern[str], ...]
    not_before: tuple[Pattern[str], ...]

    def where(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield, in order, the stretches of whole lines that can hold a match."""
        next_at = {need: at for need in self.needs for at in [text.find(need)] if at >= 0}
        if self.whole:
            if next_at:
                yield 0, len(text)
            return
        while next_at:
            first = min(next_at.values())
            end = text.find("\n", first)
            end = len(text) if end < 0 else end
            yield text.rfind("\n", 0, first) + 1, end
            for need, at in list(next_at.items()):
                if at < end:
                    after = text.find(need, end)
                    if after < 0:
                        del next_at[need]
                    else:
                        next_at[need] = after

    def value(self, match: Any) -> str | None:
        """Return what a match says is secret, which ends the match; None when a check speaks against it."""
        value: str = match[match.lastindex or 0]
        text, start, end = match.string, match.end() - len(value), match.end()
        if any(one.search(value) for one in self.not_if):
            return None
        before = text[max(0, start - NEAR) : start].rpartition("\n")[2]
        if any(one.search(before) for one in self.not_after):
            return None
        after = text[end : end + NEAR].partition("\n")[0]
        return None if any(one.search(after) for one in self.not_before) else value


class Masked(NamedTuple):
    """A text with what looked secret replaced; `passes` lead back from it, the last one first."""

    text: str
    passes: tuple[Stretches, ...]

    def start(self, at: int) -> int:
        """Return where in the text before a span begins that begins at `at` in this one."""
        for one in reversed(self.passes):
            at = one.start(at)
        return at

    def end(self, at: int) -> int:
        """Return where in the text before a span ends that ends at `at` in this one."""
        for one in reversed(self.passes):
            at = one.end(at)
        return at


def mask(text: str) -> Masked:
    """Return the text with what looks secret masked. The same value has the same placeholder throughout."""
    names = _Names(text)
    passes: list[Stretches] = []
    for rule in rules():
        while True:
            changed = _put(rule, text, names)
            if changed is None:
                break
            text, stretches = changed
            passes.append(stretches)
            if not rule.again:
                break
    return Masked(text, tuple(passes))


def mask_examples(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry (as JSON values) with what looks secret in its examples masked; its texts stay as written."""
    examples = entry.get("examples")
    if not isinstance(examples, list):
        return entry
    return {**entry, "examples": [mask(one).text if isinstance(one, str) else one for one in examples]}


class _Names:
    """The placeholders of one text; numbers go on after those that stand in it already."""

    def __init__(self, text: str) -> None:
        self._last: dict[str, int] = {}
        self._of: dict[tuple[str, str], str] = {}
        for kind, number in _PLACED.findall(text):
            self._last[kind] = max(self._last.get(kind, 0), int(number))

    def name(self, kind: str, value: str) -> str:
        """Return the placeholder of a value."""
        if (kind, value) not in self._of:
            self._last[kind] = self._last.get(kind, 0) + 1
            self._of[kind, value] = f"<{kind}#{self._last[kind]}>"
        return self._of[kind, value]


def _put(rule: Rule, text: str, names: _Names) -> tuple[str, Stretches] | None:
    """Return the text with the matches of a rule replaced, and what it shares with the one before; None: no change."""
    parts: list[str] = []
    stretches = Stretches()
    new = done = 0
    for low, high in rule.where(text):
        line = text[low:high]
        for match in rule.pattern.finditer(line):
            value = rule.value(match)
            # An empty value would be replaced again and again.
            if not value:
                continue
            name = names.name(rule.placeholder, value)
            start, end = low + match.end() - len(value), low + match.end()
            stretches.add(new, done, start - done)
            parts += text[done:start], name
            new += start - done + len(name)
            done = end
    if not parts:
        return None
    stretches.add(new, done, len(text) - done)
    return "".join([*parts, text[done:]]), stretches


@lru_cache(maxsize=None)
def rules() -> tuple[Rule, ...]:
    """Return the rules in their order."""
    plain = read_data("secret-rules.json")
    pieces = plain["pieces"]

    def compiled(pattern: str) -> Pattern[str]:
        return re.compile(_PIECE.sub(lambda match: str(pieces[match[1]]), pattern))

    return tuple(
        Rule(
            row["placeholder"],
            tuple(row["needs"]),
            row.get("whole", False),
            row.get("again", False),
            compiled(row["pattern"]),
            tuple(map(compiled, row.get("not_if", ()))),
            tuple(map(compiled, row.get("not_after", ()))),
            tuple(map(compiled, row.get("not_before", ()))),
        )
        for row in plain["rules"]
    )
