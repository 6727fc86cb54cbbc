"""Logs of any size, the same for the same arguments: of healthy runs, and of nothing but errors."""

import random
import re
from collections.abc import Callable

from app.config import ROOT

_NUMBER = re.compile(r"\d+")
_LETTERS = "bcdfghklmnprstvwz"


def healthy(size: int, seed: int = 1) -> str:
    """Return about `size` characters of healthy logs: those under bench/noise in turn, each time with other numbers."""
    pick = random.Random(seed)
    logs = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "bench" / "noise").glob("*.txt"))]
    if not logs:
        raise FileNotFoundError("bench/noise holds no logs")

    def other(match: re.Match[str]) -> str:
        return str(pick.randrange(10 ** len(match[0]))).zfill(len(match[0])) if len(match[0]) < 19 else match[0]

    parts: list[str] = []
    length = 0
    while length < size:
        part = _NUMBER.sub(other, pick.choice(logs)).rstrip("\n") + "\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


def same_errors(size: int, seed: int = 1) -> str:
    """Return lines that are all an error, and differ in their numbers only."""
    pick = random.Random(seed)
    return _lines(size, lambda: f"ValueError: expected {pick.randrange(10**6)} rows of shard {pick.randrange(99)}\n")


def other_errors(size: int, seed: int = 1) -> str:
    """Return lines that are each another error."""
    pick = random.Random(seed)

    def word() -> str:
        return "".join(pick.choices(_LETTERS, k=7))

    return _lines(size, lambda: f"{word().title()}Error: {word()} of {word()} is {word()} at {pick.randrange(10**6)}\n")


def request_ids(size: int, seed: int = 1) -> str:
    """Return a healthy log of a service: each line has a number of its own, in hexadecimal."""
    pick = random.Random(seed)

    def line() -> str:
        return f"INFO:     10.0.{pick.randrange(99)}.7 - finished request cmpl-{pick.randbytes(16).hex()}, 200 OK\n"

    return _lines(size, line)


def one_line(size: int, seed: int = 1) -> str:
    """Return a progress bar: carriage returns, and no line that ends."""
    return healthy(size, seed).replace("\n", "\r")


def chinese(size: int, seed: int = 1) -> str:
    """Return a healthy log in Chinese, with emoji."""
    pick = random.Random(seed)
    return _lines(size, lambda: f"第 {pick.randrange(10**6)} 步：损失 {pick.random():.4f}，一切正常 🔥\n")


def _lines(size: int, line: Callable[[], str]) -> str:
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(line())
        length += len(parts[-1])
    return "".join(parts)


KINDS: dict[str, Callable[[int], str]] = {
    "healthy": healthy,
    "errors that differ in numbers": same_errors,
    "each line another error": other_errors,
    "request numbers": request_ids,
    "one line without an end": one_line,
    "Chinese": chinese,
}
