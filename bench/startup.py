#!/usr/bin/env python3
"""How long a command takes from its call to its end, beside another revision, both called in turn on one machine.

    python -m bench.startup BASE [--times 10]

BASE is checked out into a temporary folder and run by the same Python. Each revision has a database of its own with the
shipped entries. Prints Markdown: the median of the seconds that pass, and of those that the processor works.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from app.config import ROOT
from bench.compare import checked_out
from bench.figures import say

PASTE = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"
COMMANDS = (("--help",), ("--version",), ("match",))
# a setting of who measures would have another database asked
OURS = ("ERRDEX_", "PYTHON")


class Call(NamedTuple):
    """What a command took, in seconds: by the clock, and of the processor."""

    wall: float
    processor: float


def environment(root: Path, folder: Path) -> dict[str, str]:
    """Return the environment that runs the code of `root`, whose compiled files and database go into `folder`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return kept | {
        "PYTHONPATH": os.pathsep.join((str(root), str(root / "clients" / "python" / "src"))),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "ERRDEX_DATABASE_URL": f"sqlite:///{folder / 'errdex.db'}",
    }


def call(words: tuple[str, ...], env: Mapping[str, str]) -> Call:
    """Call `errdex` with these words. Raises `RuntimeError` when it fails."""
    command = [sys.executable, "-c", "from app.cli import main; main()", *words]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    # -c would put the current folder before PYTHONPATH, so it is one without any package.
    done = subprocess.run(
        command, cwd="/", env=dict(env), input=PASTE, text=True, capture_output=True, check=False, timeout=600
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"errdex {' '.join(words)}: {done.stderr}")
    return Call(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Measure both revisions and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", metavar="BASE", help="revision that this one is compared with")
    parser.add_argument("--times", type=int, default=10, help="how often each command is called (default: 10)")
    given = parser.parse_args()
    with checked_out(given.base) as base, tempfile.TemporaryDirectory() as folder:
        sides = {}
        for name, root in (("base", base), ("here", ROOT)):
            (Path(folder) / name).mkdir()
            sides[name] = environment(root, Path(folder) / name)
            call(("ingest",), sides[name])
        say("| | before, s | after, s | of the processor before, s | after, s |")
        say("|---|---|---|---|---|")
        for words in COMMANDS:
            took: dict[str, list[Call]] = {name: [] for name in sides}
            # The first time compiles, and is not counted.
            for time_ in range(given.times + 1):
                for name, env in sides.items():
                    if (found := call(words, env)) and time_:
                        took[name].append(found)
            cells = [
                f"{statistics.median(getattr(one, kind) for one in took[name]):.2f}"
                for kind in Call._fields
                for name in ("base", "here")
            ]
            say(f"| `errdex {' '.join(words)}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
