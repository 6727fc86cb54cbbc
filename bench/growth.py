"""How the time of reading a text grows: with its size in short lines, in one line, and within one piece of a line."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from app.content.names import projects
from app.matching.parsing.parser import parse
from app.matching.ranking.query import Query
from bench.figures import cpu_clock, exponent, say

# The sizes are in characters: of texts of short lines, of one line without a newline, of one piece of a line (16,384 is
# the longest that is read).
SIZES = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
ONE_LINE = (125_000, 250_000, 500_000, 1_000_000)
PIECES = (2_000, 4_000, 8_000, 16_000)
LINE = 200
# Short readings are taken more often, since whatever else the machine does is a larger part of them.
REPEATS = {True: 7, False: 2}
SHORT = 100_000
# Once a reading takes so many seconds, this kind of text is not made any larger.
PATIENCE = 2.0
ORDINARY = "ordinary log"

# Texts that make careless expressions slow: each is repeated to the wanted length.
HOSTILE = (
    "a.", "a", "A", "A.", "(", ">", "> ", "[", "│", "0x", " ", "\t", "Error: ", "Error:", "ValueError", "Error in ",
    "<*>", "/", "/a", "a/", "1.", "1", "abc123", "[rank0]: ", "(pid=1) ", "\x1b[31m", "[31m", "a\\n", "50%\r", "\"'",
    "A_", "显存不足", "🔥", 'File "', "x.py in ", "- ", "<", "=", ":A", "how ",
)  # fmt: skip
# With these a line gets to the later steps of reading: an error type, words of a stack line, a box, a note of Ray.
OPENER = " Error: line 1 in .py: in f [repeated 3x across cluster] │"


def measure() -> list[dict[str, Any]]:
    """Return for each kind of text its exponents, and the seconds of the largest reading per million characters."""
    return list(_growths())


def ordinary(length: int, extra: str = "") -> str:
    """Return about `length` characters of an ordinary training log, the same for the same arguments."""
    pick = random.Random(2)
    found: list[str] = []
    size = 0
    while size < length:
        step = pick.randrange(10**6)
        line = (
            f"2026-11-20 06:{step % 60:02d}:{step % 59:02d},{step % 1000:03d} INFO trainer.loop step={step} "
            f"loss={pick.random():.4f} lr=1e-05 grad_norm={pick.random() * 3:.3f} tokens/s={step % 9999} "
            f"ckpt=/data/run-{step % 97}/step_{step}{extra}\n"
        )
        found.append(line)
        size += len(line)
    return "".join(found)[:length]


def _growths() -> Iterator[dict[str, Any]]:
    say(f"logs: growth, {ORDINARY}")
    yield {"kind": ORDINARY, "size": _growth(ordinary, SIZES)}
    for unit in HOSTILE:
        say(f"logs: growth, {unit!r}")
        pieces = max((_growth(made, PIECES) for made in _pieces(unit)), key=lambda found: found["worst"])
        one_line = _growth(lambda size, unit=unit: _run(unit, size), ONE_LINE)  # type: ignore[misc]
        size = _growth(lambda size, unit=unit: _lines(unit, size), SIZES)  # type: ignore[misc]
        yield {"kind": unit, "piece": pieces, "one_line": one_line, "size": size}


def _pieces(unit: str) -> Iterator[Callable[[int], str]]:
    yield lambda length: _run(unit, length)
    yield lambda length: _run(unit, length) + OPENER


def _growth(made: Callable[[int], str], sizes: tuple[int, ...]) -> dict[str, Any]:
    seconds: list[float] = []
    for size in sizes:
        text = made(size)
        seconds.append(min(cpu_clock(partial(_read, text)) for _ in range(REPEATS[size < SHORT])))
        if seconds[-1] > PATIENCE:
            break
    measured = sizes[: len(seconds)]
    grown = exponent(measured, seconds) if len(measured) > 1 else None
    return {"sizes": measured, "seconds": seconds, "exponent": grown, "worst": seconds[-1] / measured[-1] * 1e6}


def _read(text: str) -> None:
    Query.of(parse(text), projects())


def _run(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def _lines(unit: str, length: int) -> str:
    """Return lines that differ at their end, so that none is folded with another."""
    whole = _run(unit, LINE)
    return "".join(f"{whole}{number:07d}\n" for number in range(length // (LINE + 8)))
