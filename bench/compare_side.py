"""One side of `bench/compare.py`: does what it is told by JSON lines on standard input, with the code on its path.

It is started by its file, with the modules of a revision, whichever that is, so it takes from them only what all have:
the databases and readers that their own benches import. `python -m bench.compare_side` is the same on this revision.
"""

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench import databases, logs, raise_sites

Told = dict[str, Any]
_VACUUM = ("VACUUM", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)")


class _Side:
    def __init__(self) -> None:
        self._stack = ExitStack()
        self._engine: Any = None

    def close(self) -> None:
        """Drop the database."""
        self._stack.close()

    def do_begin(self, told: Told) -> Told:
        """Take an empty database in place of the one that there was."""
        self._stack.close()
        self._engine = self._stack.enter_context(databases.sqlite())
        return {}

    def do_import(self, told: Told) -> Told:
        """Import the entries of a file of JSON lines."""
        lines = Path(told["file"]).read_text(encoding="utf-8").splitlines()
        began = _busy()
        done = raise_sites.import_lines(self._engine, lines)  # type: ignore[attr-defined]
        return {"seconds": _busy() - began, "added": done.added}

    def do_size(self, told: Told) -> Told:
        """Return the bytes of the database, once what is free in it was given back."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for statement in _VACUUM:
                connection.connection.cursor().execute(statement).fetchall()
        return {"bytes": Path(str(self._engine.url.database)).stat().st_size}

    def do_ask(self, told: Told) -> Told:
        """Ask every text of a file and return the seconds of processor time of each; nothing is kept from before."""
        texts = json.loads(Path(told["file"]).read_text(encoding="utf-8"))
        questions = raise_sites.Questions(self._engine)  # type: ignore[attr-defined]
        gc.collect()
        return {"seconds": [_clocked(lambda text=text: questions.ask(text)) for text in texts]}  # type: ignore[misc]

    def do_read(self, told: Told) -> Told:
        """Parse a text and return the seconds of processor time."""
        text = Path(told["file"]).read_text(encoding="utf-8")
        gc.collect()
        return {"seconds": _clocked(lambda: logs.parse(text))}  # type: ignore[attr-defined]


def _clocked(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _busy() -> float:
    """Return the seconds of processor time of this process and of those that it started and waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main() -> None:
    """Answer each line with a line."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    # what the code prints is not for who asks
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    side = _Side()
    for line in sys.stdin:
        told = json.loads(line)
        answers.write(json.dumps(getattr(side, f"do_{told['do']}")(told)) + "\n")
        answers.flush()
    side.close()


if __name__ == "__main__":
    main()
