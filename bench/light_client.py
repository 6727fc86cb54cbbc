#!/usr/bin/env python3
"""The light client as it is installed: what importing it costs, a question beside curl, and a job under `errdex run`.

    python -m bench.light_client [--python PATH …] [--megabytes 100] [--turns 5]

Its wheel is built and installed into a bare environment of each PATH (default: of this Python), without any index.
Import: seconds of the processor, the best of ten. A question: seconds from start to end of `errdex match` and of curl
with the same paste at the same server, in turn, the median and the best. `errdex run`: a job prints so many megabytes
of metrics, alone and under it, in turn; what counts is the ratio of the two. A database with the shipped entries is
made in a temporary folder. Ends with 1 when a job's bytes or status are other ones under it.
"""

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from app.config import ROOT
from bench import machine, servers
from bench.figures import say

IMPORTS = {
    "nothing": "pass",
    "errdex_client": "import errdex_client",
    "all that errdex match needs": "import errdex_client.command, errdex_client.remote, errdex_client.reading",
    "all that errdex run needs": "import errdex_client.command, errdex_client.running, errdex_client.terminal",
}
IMPORTED = "import time; began = time.process_time(); {}; print(time.process_time() - began)"
TEN = 10
LOOK_AGAIN = 0.05
# The metrics of one step are made of what a step computes; a line is 100 bytes, and one in a hundred is flushed.
JOB = """
import math, sys
lines, status = int(sys.argv[1]), int(sys.argv[2])
for step in range(lines):
    loss = sum(math.exp(-((step + n) % 97) / 31) for n in range(90)) / 90
    line = f"step {step:09d} loss {loss:.6f} grad_norm {math.sqrt(loss):.6f} lr 1.0e-05 tokens/s {step % 9973:05d}"
    sys.stdout.write(line.ljust(99, ".") + "\\n")
    if step % 100 == 0:
        sys.stdout.flush()
sys.exit(status)
"""
PASTE = "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, use spawn\n"


class Finished(NamedTuple):
    """A process that ended: seconds, those of its own on the processor, memory in MiB, status, digest of its output."""

    seconds: float
    processor: float
    memory: float
    code: int
    digest: str


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", nargs="+", default=[sys.executable], metavar="PATH")
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    about = machine.described()
    print(f"{about['processor']}; load before the run {about['load before the run']}")
    good = True
    with tempfile.TemporaryDirectory() as folder, servers.errdex(f"sqlite:///{folder}/bench.db") as port:
        wheel = build(Path(folder))
        print(f"wheel: {wheel.name}, {wheel.stat().st_size:,} bytes")
        for number, python in enumerate(given.python):
            bare = install(python, wheel, Path(folder) / f"bare-{number}")
            version = subprocess.check_output([bare / "python", "-V"], text=True).strip()
            print(f"\n## {version}\n")
            say(f"{version}: importing")
            for name, code in IMPORTS.items():
                print(f"import of {name}: {imported(bare, code) * 1000:.1f} ms of the processor, the best of {TEN}")
            say(f"{version}: a question")
            _questions(bare, f"http://127.0.0.1:{port}", given.turns)
            say(f"{version}: a job")
            good = _jobs(bare, given.megabytes, given.turns) and good
    if not good:
        sys.exit(1)


def build(folder: Path) -> Path:
    """Return the wheel of the client, built in a folder; its build backend is fetched unless it is installed here."""
    # A build leaves folders in the source.
    source = shutil.copytree(ROOT / "clients" / "python", folder / "source")
    build_system = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    installed = importlib.util.find_spec(build_system["build-backend"].split(".")[0])
    isolation = ["--no-build-isolation"] if installed else []
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", *isolation, "-w", str(folder), str(source)], check=True)
    return next(folder.glob("errdex_client-*.whl"))


def install(python: str, wheel: Path, folder: Path) -> Path:
    """Install a wheel, and nothing else, into a new environment of a Python; return the folder of its commands."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    commands = folder / "bin"
    pip = [str(commands / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
    words = [*pip, "install", "--no-index", str(wheel)]
    subprocess.run(words, check=True)
    return commands


def imported(commands: Path, code: str) -> float:
    """Return the fewest seconds of the processor that an import took."""
    words = [str(commands / "python"), "-c", IMPORTED.format(code)]
    return min(float(subprocess.check_output(words, cwd="/")) for _ in range(TEN))


def _questions(commands: Path, address: str, turns: int) -> None:
    url = f"{address}/api/v1/match?lang=en&limit=5&include=fix"
    curl = ["curl", "-sf", "-H", "content-type: text/plain", "--data-binary", "@-", url]
    took: dict[str, list[float]] = {"errdex match": [], "curl": []}
    env = _plain_environment() | {"ERRDEX_URL": address}
    for _ in range(max(TEN, turns)):
        for name, words in (("errdex match", [str(commands / "errdex"), "match", "--json"]), ("curl", curl)):
            found = finished(words, env, PASTE.encode())
            if found.code:
                raise RuntimeError(f"{name} ended with {found.code}")
            took[name].append(found.seconds)
    for name, seconds in took.items():
        print(f"a question by {name}: median {median(seconds) * 1000:.0f} ms, best {min(seconds) * 1000:.0f} ms")


def _jobs(commands: Path, megabytes: int, turns: int) -> bool:
    env = _plain_environment()
    lines = megabytes * 10_000

    def job(count: int, status: int = 0) -> list[str]:
        return [sys.executable, "-c", JOB, str(count), str(status)]

    under = [str(commands / "errdex"), "run", "--"]
    pairs = [(finished(job(lines), env), finished([*under, *job(lines)], env)) for _ in range(turns)]
    ratios = [with_it.seconds / alone.seconds for alone, with_it in pairs]
    little = finished([*under, *job(10_000)], env)
    failing = [finished([*words, *job(10_000, 7)], env) for words in ([], under)]
    equal = all(alone.digest == with_it.digest and alone.code == with_it.code for alone, with_it in [*pairs, failing])
    alone, with_it = (min(row, key=lambda one: one.seconds) for row in zip(*pairs, strict=True))
    print(f"{megabytes} MB of a job: bytes and status {'equal' if equal else 'DIFFERENT'}")
    print(f"alone {alone.seconds:.2f} s, under errdex run {with_it.seconds:.2f} s (the best of {turns} each)")
    print(f"added time: {(with_it.seconds / alone.seconds - 1) * 100:+.1f} % of the bests, ", end="")
    print(f"{(median(ratios) - 1) * 100:+.1f} % in the median of {turns} pairs")
    print(f"processor: the job {alone.processor:.2f} s, both together {with_it.processor:.2f} s")
    print(f"memory of errdex run: {with_it.memory:.1f} MiB, after 1 MB of output {little.memory:.1f} MiB")
    return equal


def finished(command: Sequence[str], env: Mapping[str, str], given: bytes = b"") -> Finished:
    """Run a command to its end; its processor time has that of what it ran, its memory is its own."""
    digest = hashlib.sha256()
    memory = 0.0
    began = look = time.perf_counter()
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given)
        process.stdin.close()
        while piece := process.stdout.read1(1024 * 1024):  # type: ignore[attr-defined]
            digest.update(piece)
            if time.perf_counter() > look:
                look += LOOK_AGAIN
                memory = max(memory, _memory(process.pid))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    spent = usage.ru_utime + usage.ru_stime
    return Finished(seconds, spent, memory, process.returncode, digest.hexdigest())


def _memory(process: int) -> float:
    """Return the largest memory in MiB that a process has had since it began; what `wait4` says counts its parent's."""
    try:
        rows = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM")), 0.0)


def _plain_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("ERRDEX_", "GITHUB_", "PYTHON"))}


if __name__ == "__main__":
    main()
