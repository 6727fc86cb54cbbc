"""Which lines of foreign logs the report names, against what others marked in them.

    python -m bench.outside_logs FOLDER [--half a|b]

FOLDER holds `pytorch.jsonl.gz` (logs of a continuous integration with the line that its maintainers' classifier marks)
and `logdx.jsonl.gz` (whole logs with the lines of evidence of their critical signals). The hash of a log's id says
which half it belongs to: rules are made on half a, half b judges them.
"""

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import Any

from app.matching.parsing.parser import parse

# The API gives at most so many errors.
MOST_ERRORS = 50
# A reader looks at the first so many errors.
FIRST = 20
# The line that is named may be so many lines off the evidence.
NEAR = 2
SALT = "1458"


def half_of(name: str) -> str:
    """Return the half, "a" or "b", that a log belongs to."""
    return "ab"[hashlib.sha256(f"{SALT} {name}".encode()).digest()[0] % 2]


def logs(path: Path, half: str) -> Iterator[dict[str, Any]]:
    """Yield the logs of a file that belong to a half ("": all)."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if half in ("", half_of(row["id"])):
                yield row


def named(text: str) -> tuple[list[int], int]:
    """Return the lines of the errors that the report of a text names, and that of the cause, 0 without one."""
    report = parse(text)
    return [error.line for error in report.errors[:MOST_ERRORS]], report.cause.line if report.cause else 0


def marked_lines(path: Path, half: str) -> dict[str, float]:
    """Return the figures of logs with one marked line; shares are from 0 to 1."""
    rows = [(set(row["lines"]), *named(row["text"])) for row in logs(path, half)]
    return {
        "logs": len(rows),
        "error seen": round(mean(bool(lines) for _, lines, _ in rows), 3),
        "marked line among the errors": round(mean(bool(marked & set(lines)) for marked, lines, _ in rows), 3),
        "cause on the marked line": round(mean(cause in marked for marked, _, cause in rows), 3),
        "errors listed, median": median(len(lines) for _, lines, _ in rows),
    }


def critical_signals(path: Path, half: str) -> dict[str, float]:
    """Return the figures of logs with critical signals; shares are from 0 to 1."""
    shares: list[float] = []
    listed: list[int] = []
    for row in logs(path, half):
        lines, _ = named(row["text"])
        signals = [
            {line for first, last in spans for line in range(first - NEAR, last + NEAR + 1)} for spans in row["signals"]
        ]
        shares.append(mean(bool(signal & set(lines[:FIRST])) for signal in signals))
        listed.append(len(lines))
    return {
        "logs": len(listed),
        f"signals among the first {FIRST} errors": round(mean(shares), 3),
        "logs without any error": round(mean(not length for length in listed), 3),
        "errors listed, median": median(listed),
    }


def main() -> None:
    """Print the figures of both sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("a", "b"), default="")
    options = parser.parse_args()
    for name, figures in (
        ("pytorch", marked_lines(options.folder / "pytorch.jsonl.gz", options.half)),
        ("logdx", critical_signals(options.folder / "logdx.jsonl.gz", options.half)),
    ):
        print(name, ", ".join(f"{key} {value:g}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
