"""How long the lexers that colour code take for what makes their expressions slow.

    python -m bench.lexers [--quick] [NAME …]

Tries every lexer of `app.web.highlighting` (or the named ones of Pygments, to judge one before it is allowed) on
repeated characters, and on what its own expressions repeat, with an end that does not fit: the classic way to a slow
regular expression. Prints a Markdown table, the slowest first. Ends with 1 when one that is allowed is slower than it
may be.
"""

import argparse
import random
import re
import signal
import string
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import FrameType, FunctionType
from typing import Any, cast

from pygments.lexer import DelegatingLexer, Lexer, LexerMeta, words
from pygments.lexers import get_lexer_by_name

from app.web.highlighting import (
    LEXERS,
    LONGEST_GAP,
    LONGEST_LINE,
    MOST_A_FENCE,
    MOST_TOKENS_A_FENCE,
    first_tokens,
    lexers,
)
from bench.figures import exponent, say

# The parser of expressions is not public, and types of it come and go.
codes: Any = import_module("re._constants")
expressions: Any = import_module("re._parser")

SIZES = (MOST_A_FENCE // 8, MOST_A_FENCE // 4, MOST_A_FENCE // 2, MOST_A_FENCE)
# The largest size may take so many seconds. So many of the slowest texts at the smallest size are made larger.
MOST_SECONDS = 0.25
FOLLOWED = 12
SAMPLES_OF_ONE = 4
QUICK = 150
CUT = 2.0
HEAD = """| lexer | texts tried | slowest, seconds | of characters | exponent | before, repeated, after |
|---|---:|---:|---:|---:|---|"""

# Each is repeated up to the wanted length.
UNITS = (
    *(sign for sign in string.printable if not sign.isalnum()),
    "a", "A", "0", "\n ", " \n", "\\\n", "${", "$(", "/*", "*/", "//", "--", "::", "a ", "a.", "a=", "a(", "a:", "0x",
    "1.", "1e",
    "a\n", "a=\n", "<a ", "</", "<!--", "'''", '"""', "\\'", '\\"', "${a", "$((", "<<", "<<a\n", "=begin\n", "é", "中",
    "中 ",
    "a1", "a-", "a_", "a::", "a\t", "\t\n", "    ", "    \n", "# \n", "-\n", "- ", "a: ", "a: |\n", "'a", '"a', "{a",
    "(a", "[a",
)  # fmt: skip
# None of these words is like another, for expressions that look for the same word again.
DIFFERENT = ("<<{} ", "<<'{}'\n", 'r#{}"', "[{}]\n", "${{{}", "{}=", "@{}\n")
ENDS = ("", "!", "\n", "\x01", "a", "x'")


_LINE = re.compile(rf"[^\n]{{{LONGEST_LINE}}}")
_GAP = re.compile(rf"\s{{{LONGEST_GAP}}}")


class Slow(Exception):
    """A text took longer than is worth waiting for."""


@dataclass(frozen=True, slots=True)
class Text:
    """What is repeated, what stands before and after it."""

    before: str
    unit: str
    after: str

    def made(self, size: int) -> str:
        """Return the text with `size` characters, or few more when its ends are longer."""
        room = max(0, size - len(self.before) - len(self.after))
        text = self.before + (self.unit * (room // len(self.unit) + 1))[:room] + self.after
        # The site does not colour longer lines and gaps, so they are broken here.
        return _GAP.sub(r"\g<0>a", _LINE.sub(r"\g<0>\n", text))[:size]


@dataclass(frozen=True, slots=True)
class Growth:
    """The slowest text of a lexer: seconds at the largest size that was reached, and the exponent of its growth."""

    name: str
    seconds: float
    size: int
    exponent: float
    text: Text
    tried: int


def measure(name: str, most: int | None = None) -> Growth:
    """Return the growth of the text that is slowest for the lexer `name`; `most` bounds how many are tried."""
    lexer = lexers().get(name) or get_lexer_by_name(name, stripnl=False)
    texts = list(dict.fromkeys(_texts(lexer)))
    random.Random(1).shuffle(texts)
    texts = texts[:most]
    first: list[tuple[float, Text]] = []
    for text in texts:
        first.append((_seconds(lexer, text.made(SIZES[0])), text))
        if first[-1][0] >= CUT:
            return Growth(name, CUT, SIZES[0], float("inf"), text, len(first))
    slowest = sorted(first, key=lambda one: -one[0])[:FOLLOWED]
    return max((_growth(name, lexer, text, len(texts)) for _, text in slowest), key=lambda one: one.seconds / one.size)


def _growth(name: str, lexer: Lexer, text: Text, tried: int) -> Growth:
    sizes, seconds = [], []
    for size in SIZES:
        sizes.append(size)
        seconds.append(min(_seconds(lexer, text.made(size)) for _ in range(2)))
        if seconds[-1] >= CUT:
            break
    grown = exponent(sizes, seconds) if len(sizes) > 1 else float("inf")
    return Growth(name, seconds[-1], sizes[-1], grown, text, tried)


def _seconds(lexer: Lexer, text: str) -> float:
    """Return the seconds for all tokens of a text; `CUT` when it takes longer than that."""
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, CUT)
    try:
        first_tokens(lexer, text, MOST_TOKENS_A_FENCE + 1)
    except Slow:
        return CUT
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return max(time.process_time() - began, 1e-6)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Slow


def _texts(lexer: Lexer) -> Iterator[Text]:
    for unit in UNITS:
        yield Text("", unit, "")
        yield Text(" ", unit, "\x01")
    for form in DIFFERENT:
        yield Text("", "".join(form.format(f"{number:x}") for number in range(3000)), "")
    pick = random.Random(7)
    for pattern in dict.fromkeys(_patterns(type(lexer))):
        try:
            tree = expressions.parse(pattern, getattr(lexer, "flags", 0))
        except (re.error, OverflowError):
            continue
        for _ in range(SAMPLES_OF_ONE):
            whole = _sample(tree, pick)
            if whole:
                yield Text("", whole, "")
                yield Text("", whole[:-1] or whole, "\x01")
            for before, unit in _pumps(tree, pick):
                yield Text(before, unit, pick.choice(ENDS))
                yield Text("", before + unit, pick.choice(ENDS))


def _patterns(kind: type[Lexer]) -> Iterator[str]:
    """Yield every expression of a lexer, and of the lexers that it calls."""
    kinds = [kind]
    for one in kinds:
        if issubclass(one, DelegatingLexer):
            raise TypeError(f"{one.name} gives its text to lexers that cannot be told from outside")
        one()
        for base in one.__mro__:
            states = vars(base).get("tokens", {})
            for rule in (rule for rules in states.values() for rule in rules if isinstance(rule, tuple)):
                first, *rest = rule
                yield str(first.get()) if isinstance(first, words) else str(first)  # type: ignore[no-untyped-call]
                kinds += [other for other in _called(rest) if other not in kinds]


def _called(actions: Iterable[Any]) -> Iterator[type[Lexer]]:
    """Yield the lexers that the actions of a rule call."""
    for action in actions:
        if isinstance(action, LexerMeta):
            yield cast(type[Lexer], action)
        elif isinstance(action, tuple | list):
            yield from _called(action)
        elif isinstance(action, FunctionType):
            yield from _called(cell.cell_contents for cell in action.__closure__ or ())


def _sample(tree: Iterable[Any], pick: random.Random) -> str:
    """Return a text that the parsed expression takes, more or less: conditions on what stands around are not kept."""
    return "".join(_of(code, value, pick) for code, value in tree)


def _of(code: Any, value: Any, pick: random.Random) -> str:  # noqa: PLR0911
    match code:
        case codes.LITERAL:
            return chr(value)
        case codes.NOT_LITERAL:
            return pick.choice([one for one in "a0 .\"'" if ord(one) != value])
        case codes.ANY:
            return pick.choice("a0 .")
        case codes.IN:
            return _member(value, pick)
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            low, high, inner = value
            return "".join(_sample(inner, pick) for _ in range(min(int(high), max(int(low), pick.randrange(3)))))
        case codes.SUBPATTERN:
            return _sample(value[-1], pick)
        case codes.ATOMIC_GROUP:
            return _sample(value, pick)
        case codes.BRANCH:
            return _sample(pick.choice(value[1]), pick)
        case _:
            return ""


def _member(items: Sequence[Any], pick: random.Random) -> str:
    if items[0][0] is codes.NEGATE:
        kinds = re.compile("[^\0" + "".join(re.escape(chr(v)) for c, v in items[1:] if c is codes.LITERAL) + "]")
        return pick.choice([one for one in "a0 .\"'\n(" if kinds.match(one)] or ["a"])
    code, value = pick.choice(items)
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.RANGE:
        return chr(pick.choice((value[0], value[1])))
    return {"CATEGORY_SPACE": pick.choice(" \n\t"), "CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a"}.get(str(value), ".")


def _pumps(tree: Iterable[Any], pick: random.Random) -> Iterator[tuple[str, str]]:
    """Yield for every repetition in an expression what leads to it and what it repeats."""
    before = ""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            _, high, inner = value
            if int(high) > 8:
                yield before, "".join(_sample(inner, pick) for _ in range(pick.randrange(1, 3))) or "a"
            yield from ((before + lead, unit) for lead, unit in _pumps(inner, pick))
        elif code is codes.SUBPATTERN:
            yield from ((before + lead, unit) for lead, unit in _pumps(value[-1], pick))
        elif code in (codes.ASSERT, codes.ASSERT_NOT) and value[0] > 0:
            yield from ((before + lead, unit) for lead, unit in _pumps(value[1], pick))
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from ((before + lead, unit) for lead, unit in _pumps(branch, pick))
        before += _of(code, value, pick)


def tables(names: Sequence[str], most: int | None) -> tuple[str, bool]:
    """Return a Markdown table of these lexers, the slowest first, and whether all are quick enough."""
    signal.signal(signal.SIGPROF, _stop)
    found = []
    for name in names:
        say(f"lexers: {name}")
        found.append(measure(name, most))
    rows = [_row(one) for one in sorted(found, key=lambda one: -one.seconds / one.size)]
    return "\n".join([HEAD, *rows]), all(one.size == SIZES[-1] and one.seconds <= MOST_SECONDS for one in found)


def _row(found: Growth) -> str:
    text = ", ".join(
        f"`{part[:30]!a}`".replace("|", "\\|") for part in (found.text.before, found.text.unit, found.text.after)
    )
    return f"| {found.name} | {found.tried:,} | {found.seconds:.3f} | {found.size:,} | {found.exponent:.2f} | {text} |"


def main() -> int:
    """Print the table; return 1 when a lexer is slower than it may be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="lexers of Pygments (default: all that are allowed)")
    parser.add_argument("--quick", action="store_true", help=f"try {QUICK} texts a lexer, not all")
    asked = parser.parse_args()
    names = asked.names or list(dict.fromkeys(language.names[0] for language in LEXERS))
    table, quick_enough = tables(names, QUICK if asked.quick else None)
    print(table)
    return 0 if quick_enough else 1


if __name__ == "__main__":
    sys.exit(main())
