"""A large log with one error in its middle: seconds and memory of reading it."""

import re
import tracemalloc
from collections.abc import Callable
from typing import Any

from app.matching.parsing.parser import Parser, parse
from bench import growth
from bench.figures import cpu_clock, say

LOG = 10_000_000
CHUNK = 64 * 1024
ERROR = "ValueError: the state dict of layer 17 has shape (4096, 512), expected (4096, 1024)"
TRACE = f"""Traceback (most recent call last):
  File "/srv/run/train.py", line 88, in <module>
    main()
  File "/srv/run/trainer/loop.py", line 412, in restore
    raise ValueError(message)
{ERROR}
"""
# One pass over the text with what people grep for is the least that reading a log can cost.
GREP = re.compile(r"(?m)^.*(?:Error|Exception).*$")


def measure() -> dict[str, Any]:
    """Return the figures of a 10 MB log, and the growth of each kind of text."""
    return {"log": [_log("ASCII", ""), _log("with emoji", " 🔥 loss 📉")], "growth": growth.measure()}


def _log(name: str, extra: str) -> dict[str, Any]:
    say(f"logs: 10 MB, {name}")
    lines = growth.ordinary(LOG, extra).splitlines(keepends=True)
    middle = len(lines) // 2
    text = "".join((*lines[:middle], TRACE, *lines[middle:]))
    text = text.encode()[:LOG].decode("utf-8", "ignore") if extra else text
    grep = min(cpu_clock(lambda: sum(1 for _ in GREP.finditer(text))) for _ in range(3))
    seconds = min(cpu_clock(lambda: parse(text)) for _ in range(3))
    cause = parse(text).cause
    size = len(text.encode())
    return {
        "kind": name,
        "bytes": size,
        "seconds": seconds,
        "grep_seconds": grep,
        "ratio": seconds / grep,
        "found": cause is not None and cause.text == ERROR,
        "peak_whole": _peak(lambda: parse(text)) / size,
        "peak_chunks": _peak(lambda: _fed(text)) / size,
    }


def _fed(text: str) -> None:
    parser = Parser()
    for at in range(0, len(text), CHUNK):
        parser.feed(text[at : at + CHUNK])
    parser.close()


def _peak(work: Callable[[], object]) -> float:
    """Return the bytes that `work` holds at once, besides what was there before."""
    tracemalloc.start()
    try:
        work()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
