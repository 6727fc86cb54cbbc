#!/usr/bin/env python3
"""Measure Errdex beside other engines, and write what was found.

    python -m bench.run [--only scale,ours,http,typing,logs]

Writes docs/benchmarks.md, docs/benchmarks/*.svg and bench/last.json. Sections that are not measured keep the figures
of their last run. Talks to loopback only: its own servers, and PostgreSQL where ERRDEX_BENCH_POSTGRESQL (default: port
5432 of 127.0.0.1) answers.
"""

import argparse
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from app.config import ROOT
from bench import databases, logs, machine, ours, over_http, page, plot, scale, search_box
from bench.figures import clock, say

LAST = ROOT / "bench" / "last.json"
PAGE = ROOT / "docs" / "benchmarks.md"
PLOT = ROOT / "docs" / "benchmarks" / "questions.svg"
SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "scale": scale.measure,
    "ours": ours.measure,
    "http": over_http.measure,
    "typing": search_box.measure,
    "logs": logs.measure,
}


def main() -> None:
    """Run the sections that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, separated by commas (default: all)")
    wanted = parser.parse_args().only.split(",")
    if unknown := set(wanted) - set(SECTIONS):
        parser.error(f"unknown section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    found: dict[str, Any] = json.loads(LAST.read_text(encoding="utf-8")) if LAST.is_file() else {}
    # The load average is read before the run adds to it.
    described = machine.described() | _postgresql()
    for name in wanted:
        found[name] = _measured(name, described)
        _write(found)
    say(f"written: {PAGE.relative_to(ROOT)}, {LAST.relative_to(ROOT)}")


def _measured(name: str, described: dict[str, str]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    seconds = clock(lambda: figures.update(SECTIONS[name]()))
    if "absent" in figures:
        say(f"{name}: not measured, {figures['absent']} is not here")
    about = {"date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "seconds": seconds, "machine": described}
    return figures | about


def _postgresql() -> dict[str, str]:
    found = databases.postgresql_version()
    return {"PostgreSQL": found} if found else {}


def _write(found: dict[str, Any]) -> None:
    LAST.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page.written(found), encoding="utf-8")
    if rows := found.get("scale", {}).get("rows"):
        plot.questions(rows, PLOT)


if __name__ == "__main__":
    main()
