#!/usr/bin/env python3
"""Write logs into `errdex match`, as a job does whose output is piped: seconds, memory, how the writer ended.

    python -m bench.large_logs [--megabytes 1000] [--only KIND …]

Each kind of log is written by a program of its own, with an error in its middle; a paste of one line before them says
what the command needs without a log. The command is started when the writer has made its text. Memory is the most that
the command held at once, as the system counts it; the seconds of the processor are those of the command alone, whatever
else the machine does. A database with the shipped entries is made in a temporary folder.
"""

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from app.config import ROOT
from bench import machine, made_logs
from bench.figures import say

BLOCK = 8_000_000
ERROR = (
    "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
    "'spawn' start method\n"
)
GZIP = "healthy, packed by gzip"
KINDS = (*made_logs.KINDS, GZIP)
WRITER = "import sys; from bench.large_logs import write; write(sys.argv[1], int(sys.argv[2]))"


class Measured(NamedTuple):
    """One run: seconds, those of the processor, the largest memory in MiB, and both exit codes."""

    seconds: float
    processor: float
    memory: float
    code: int
    writer: int


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS)
    given = parser.parse_args()
    about = machine.described()
    print(f"{about['processor']}; load before the run {about['load before the run']}; {given.megabytes} MB each\n")
    print("| log | seconds | of the processor | memory, MiB | above a paste | writer ended with | errdex ended with |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"ERRDEX_DATABASE_URL": f"sqlite:///{folder}/bench.db"}
        env.pop("ERRDEX_URL", None)
        subprocess.run([errdex(), "ingest"], env=env, check=True, capture_output=True)
        paste = measure("", 0, env)
        _print("a paste", paste, paste)
        for kind in given.only:
            say(kind)
            _print(kind, measure(kind, given.megabytes, env), paste)


def errdex() -> str:
    """Return the path of the command of this environment."""
    return str(Path(sys.executable).with_name("errdex"))


def write(kind: str, megabytes: int) -> None:
    """Write so much of a kind of log to standard output, and an error in its middle; standard error says when."""
    size = min(BLOCK, megabytes * 1_000_000)
    block = made_logs.KINDS.get(kind, made_logs.healthy)(size).encode() if size else b""
    turns = megabytes * 1_000_000 // len(block) if block else 0
    error = ERROR.encode()
    if kind == GZIP:
        block, error = gzip.compress(block, 1), gzip.compress(error)
    sys.stderr.write("ready\n")
    sys.stderr.flush()
    for turn in range(turns + 1):
        sys.stdout.buffer.write(error if turn == turns // 2 else block)
    sys.stdout.flush()


def measure(kind: str, megabytes: int, env: Mapping[str, str]) -> Measured:
    """Return what the command needs for so much of a kind of log ("": a line)."""
    words = [sys.executable, "-c", WRITER, kind, str(megabytes)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        writer.stderr.readline()
        began = time.perf_counter()
        words = [errdex(), "match", "--json"]
        command = subprocess.Popen(words, stdin=writer.stdout, stdout=subprocess.DEVNULL, env=env)
        writer.stdout.close()
        _, status, usage = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
    spent = usage.ru_utime + usage.ru_stime
    return Measured(seconds, spent, usage.ru_maxrss / 1024, command.returncode, writer.returncode)


def _print(kind: str, found: Measured, paste: Measured) -> None:
    row = (kind, f"{found.seconds:.1f}", f"{found.processor:.1f}", f"{found.memory:.0f}")
    print("| " + " | ".join((*row, f"{found.memory - paste.memory:.0f}", str(found.writer), str(found.code))) + " |")


if __name__ == "__main__":
    main()
