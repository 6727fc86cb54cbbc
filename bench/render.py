"""How long the worst texts that anybody can send take to be rendered, beside an ordinary text of the same size.

    python -m bench.render [--quick]

Renders 2,000 hostile texts (quick: 100) of up to the largest size of a body, the same ones in every run, and prints how
many times as long as an ordinary text of that size the slowest take. Ends with 1 when that is more than 5.
`bench.lexers` does the same for the lexers, one by one.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from app.config import ROOT
from app.web.highlighting import LEXERS, MOST_A_FENCE
from app.web.markdown import laid_out, sections
from app.web.markdown_limits import MOST_CHARACTERS
from bench import lexers
from bench.figures import cpu_clock, say

SIZES = (MOST_CHARACTERS // 16, MOST_CHARACTERS // 4, MOST_CHARACTERS)
TEXTS, QUICK = 2000, 100
MOST_TIMES = 5.0
SHOWN = 12
# Each of the slowest texts is read again so many times.
TURNS = 5

# Each is repeated to the wanted length, alone or with others.
WORDS = (
    "*a_", "*a ", "a* ", "**", "*a*", "***a*b**c***", "_a_ ", "[", "[a](", "[a]", "[a](b)", "![", "[[a]]", "[a][b]",
    "[](a)", "](", "](<",
    "[x](http://a)", "[a](<", "[a](b \"", "`", "`a", "``a` ", "<", "<a:", "<a@b.c>", "<http://a>", "&", "&amp;", "&#",
    "&#1;", "\\", "\\*",
    "a", "a ", "中", "中 ", "|", "|a", "~", "!", "\"", "(", ")", "0", "http://a ", "\t", "\u00a0", "$", "{", "=", "@",
    "^",
)  # fmt: skip
LINES = (
    "a\n", "a\n\n", "中\n", "# a\n", "# ", "#", "- a\n", "- a\n\n", "* * ", "- - - ", "1. ", "1.\n", "+ a\n\n  b\n",
    "  - a\n   - b\n", "> a\n",
    ">> a\n", "> ", ">", " > - > - a\n", "> - ", "[a]: b\n", "[a]: b\n\n", "[a\n", "[a]:\n", "[a]: b '\n", "| a |\n",
    "a|b\n-|-\n", "|\n", "| ", "|-",
    "a|b\n-|-\na|b\n\n", "    a\n", "\ta\n", "```\n", "~~~a\n", "```bash\n", "```python\na\n```\n", "---\n",
    "a\n---\n", "=\n", "a  \n", "a\\\n", "\n", "\r",
    "- [a\n", "> [a\n", "> a|b\n> -|-\n", "- ```\n", "<b>\n", "&amp;\n", "- `a\n",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """A hostile text: how it was made, its characters, its seconds, and how many times an ordinary one's that is."""

    made: str
    size: int
    seconds: float
    times: float


def hostile(count: int) -> Iterator[tuple[str, str]]:
    """Yield how each text was made, and the text; the same ones in every run."""
    pick = random.Random(20)
    makers: Sequence[Callable[[random.Random, int], tuple[str, str]]] = (
        _repeated, _repeated, _mixed, _lined, _nested, _deep, _wide, _fenced, _fenced, _many_fences, _referred, _titled,
    )  # fmt: skip
    for number in range(count):
        yield makers[number % len(makers)](pick, SIZES[number // len(makers) % len(SIZES)])


def _run(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def _repeated(pick: random.Random, size: int) -> tuple[str, str]:
    unit = pick.choice(WORDS + LINES)
    return f"{unit!r} repeated", _run(unit, size)


def _mixed(pick: random.Random, size: int) -> tuple[str, str]:
    units = pick.sample(WORDS + LINES, pick.randrange(2, 5))
    return f"{units!r} repeated", _run("".join(units), size)


def _lined(pick: random.Random, size: int) -> tuple[str, str]:
    """Lines as long as those of an ordinary text, of one thing: the limits on numbers of lines do not see them."""
    unit, length = pick.choice(WORDS), pick.choice((17, 40, 200, 2000))
    end, start = pick.choice(("\n", "\n\n")), pick.choice(("", "", "- ", "> ", "# ", "|"))
    return f"lines of {length} of {unit!r} after {start!r}", _run(start + _run(unit, length) + end, size)


def _nested(pick: random.Random, size: int) -> tuple[str, str]:
    depth, kind = pick.randrange(2, 25), pick.choice(("> ", ">", "- ", "1. ", "> - "))
    end = pick.choice(("a\n", "a\n\n", "*a*\n", "[a\n", "aaaaaaaaaaaaaaaaaaaaa\n"))
    return f"{kind!r} {depth} deep", _run(kind * depth + end, size)


def _deep(pick: random.Random, size: int) -> tuple[str, str]:
    opened, closed = pick.choice(
        (("*a ", " a*"), ("**a ", " a**"), ("_a ", " a_"), ("[", "](a)"), ("[", "]"), ("*a _b ", " b_ a*"))
    )
    depth = pick.choice((10, 100, size // (len(opened) + len(closed))))
    return f"{opened!r} {depth} deep", _run(opened * depth + "x" + closed * depth + "\n\n", size)


def _wide(pick: random.Random, size: int) -> tuple[str, str]:
    columns = pick.choice((2, 10, 100, 500))
    head = "a|" * columns + "\n" + "-|" * columns + "\n"
    return f"a table of {columns} columns", _run(
        head + pick.choice(("|\n", "a\n", "|" * columns + "\n")) * 200 + "\n", size
    )


def _fenced(pick: random.Random, size: int) -> tuple[str, str]:
    name = pick.choice(LEXERS).names[0]
    unit = pick.choice(lexers.UNITS)
    code = lexers.Text("", unit, "").made(MOST_A_FENCE - 10)
    return f"code in {name} of {unit!r}", _run(f"~~~~{name}\n{code}\n~~~~\n\n", size)


def _many_fences(pick: random.Random, size: int) -> tuple[str, str]:
    name, unit, length = pick.choice(LEXERS).names[0], pick.choice(lexers.UNITS), pick.choice((1, 10, 100, 1000))
    return f"much code in {name} of {length} of {unit!r}", _run(f"```{name}\n{_run(unit, length)}\n```\n", size)


def _referred(pick: random.Random, size: int) -> tuple[str, str]:
    label = _run(pick.choice(("a", "ẞ", "a ", "中")), pick.choice((1, 30, 900)))
    return f"references of {label[:2]!r}", f"[{label}]: b\n\n" + _run(f"[{label}] [{label}][] ", size - len(label) - 8)


def _titled(pick: random.Random, size: int) -> tuple[str, str]:
    host = "".join(chr(0x4E00 + number) for number in range(pick.choice((10, 200, 1900))))
    return "long hosts", _run(f"[a](http://{host}{pick.choice(('.', '/', ''))}) ", size)


@cache
def ordinary(size: int) -> str:
    """Return `size` characters of the shipped entries in English, one after another."""
    bodies = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "content").glob("*/*/en.md")))
    return _run("\n\n".join(bodies), size)


@cache
def _ordinary_seconds(size: int) -> float:
    return min(_seconds(ordinary(size)) for _ in range(5))


def _seconds(text: str) -> float:
    """Return the seconds for all that the site makes of a text."""

    def work() -> None:
        laid_out(text, "en")
        sections(text)

    return cpu_clock(work)


def _measured(made: str, text: str) -> Measured:
    seconds = _seconds(text)
    return Measured(made, len(text), seconds, seconds / _ordinary_seconds(len(text)))


def _read_again(made: str, text: str) -> Measured:
    """Return the figures of a text read in turn with the ordinary one, since the machine may be slower by now."""
    pairs = [(_seconds(text), _seconds(ordinary(len(text)))) for _ in range(TURNS)]
    seconds, beside = (min(column) for column in zip(*pairs, strict=True))
    return Measured(made, len(text), seconds, seconds / beside)


def main() -> int:
    """Print the slowest; return 1 when one takes more than `MOST_TIMES` as long as an ordinary text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} texts, not {TEXTS:,}")
    count = QUICK if parser.parse_args().quick else TEXTS
    # Whatever is made once for all texts is made before the clock runs.
    _seconds(ordinary(SIZES[0]))
    for size in SIZES:
        say(f"render: an ordinary text of {size:,} characters: {_ordinary_seconds(size):.3f} s")
    say(f"render: {count:,} hostile texts")
    ranked = sorted(((_measured(made, text), text) for made, text in hostile(count)), key=lambda one: -one[0].times)
    # Other work of the machine can make a single reading long, so the slowest texts are read again.
    again = [_read_again(one.made, text) for one, text in ranked[:SHOWN]]
    slowest = sorted(again, key=lambda one: -one.times)
    print("| text | characters | seconds | times an ordinary text |\n|---|---:|---:|---:|")
    for one in slowest:
        print(f"| {one.made} | {one.size:,} | {one.seconds:.3f} | {one.times:.1f} |")
    print(f"\nThe slowest of {count:,} hostile texts: {slowest[0].times:.1f} times an ordinary text of its size.")
    return int(slowest[0].times > MOST_TIMES)


if __name__ == "__main__":
    sys.exit(main())
