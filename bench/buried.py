#!/usr/bin/env python3
"""Put labelled pastes into a long healthy log and ask `errdex match`: is the answer the one to the paste alone?

    python -m bench.buried FILE [--cases 60] [--megabytes 64]

FILE has a paste a line (JSON with `id` and `text`), of which so many are taken, spread over it. Each is put at the
beginning, in the middle and at the end of the log, which is that of bench.made_logs. The answer is the slugs of the
matches in their order. Ends with 1 when at one of the places more than one in sixty is another one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench import machine, made_logs
from bench.figures import say
from bench.large_logs import errdex

PLACES = ("beginning", "middle", "end")
ALLOWED = 1 / 60


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--megabytes", type=float, default=64)
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()]
    chosen = [rows[number * len(rows) // given.cases] for number in range(min(given.cases, len(rows)))]
    log = made_logs.healthy(int(given.megabytes * 1_000_000))
    middle = log.index("\n", len(log) // 2) + 1
    halves = (log[:middle].encode(), log[middle:].encode())
    about = machine.described()
    print(f"{about['processor']}; {len(chosen)} pastes of {given.file.name}, a log of {given.megabytes:g} MB\n")
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"ERRDEX_DATABASE_URL": f"sqlite:///{folder}/bench.db", "LC_ALL": "C.UTF-8"}
        env.pop("ERRDEX_URL", None)
        subprocess.run([errdex(), "ingest"], env=env, check=True, capture_output=True)
        other: dict[str, list[str]] = {place: [] for place in PLACES}
        for number, row in enumerate(chosen):
            say(f"{number + 1} of {len(chosen)}: {row['id']}")
            for place in compared(row["text"], halves, env):
                other[place].append(row["id"])
    print("| place | the answer of the paste alone | another |")
    print("|---|---|---|")
    for place in PLACES:
        print(f"| {place} | {len(chosen) - len(other[place])} of {len(chosen)} | {', '.join(other[place])} |")
    if max(map(len, other.values())) > len(chosen) * ALLOWED:
        sys.exit(1)


def compared(paste: str, halves: tuple[bytes, bytes], env: Mapping[str, str]) -> list[str]:
    """Return the places of the log at which a paste has another answer than alone."""
    text = (paste.rstrip("\n") + "\n").encode()
    alone = answer([text], env)
    texts = {"beginning": (text, *halves), "middle": (halves[0], text, halves[1]), "end": (*halves, text)}
    return [place for place in PLACES if answer(texts[place], env) != alone]


def answer(parts: Iterable[bytes], env: Mapping[str, str]) -> list[str]:
    """Return the slugs that `errdex match` answers with. Raises `RuntimeError` when it cannot answer."""
    command = [errdex(), "match", "--json"]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for part in parts:
            asked.stdin.write(part)
        asked.stdin.close()
        said: dict[str, Any] = json.loads(asked.stdout.read() or b"{}")
    if asked.returncode not in (0, 1):
        raise RuntimeError(f"errdex match ended with {asked.returncode}")
    return [match["slug"] for match in said["matches"]]


if __name__ == "__main__":
    main()
