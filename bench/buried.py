#!/usr/bin/env python3
"""Put labelled pastes into a long healthy log and ask `errdex match`: is the answer the one to the paste alone?

    python -m bench.buried FILE [--cases 60] [--megabytes 64]

FILE has a paste a line (JSON with `id` and `text`). Of those in which a program reports an error so many are taken,
spread over the file: what a person asks, and what only a reader of few lines would call an error, is not looked for in
a log. Each is put at the beginning, in the middle and at the end of the log, which is that of bench.made_logs. The
answer is the first match, or that there is none; in how many all matches are the same in their order is told beside it.
Ends with 1 when at one of the places more than one answer in sixty is another one.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from typer.testing import CliRunner

from app.cli.root import cli
from app.matching.parsing.parser import parse
from bench import machine, made_logs
from bench.figures import say

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
    rows = [row for row in rows if (cause := parse(row["text"]).cause) and not cause.person]
    chosen = [rows[number * len(rows) // given.cases] for number in range(given.cases)] if rows else []
    log = made_logs.healthy(int(given.megabytes * 1_000_000))
    middle = log.index("\n", len(log) // 2) + 1
    halves = (log[:middle].encode(), log[middle:].encode())
    about = machine.described()
    print(f"{about['processor']}; {len(chosen)} pastes of {given.file.name}, a log of {given.megabytes:g} MB\n")
    with tempfile.TemporaryDirectory() as folder:
        env = {"ERRDEX_DATABASE_URL": f"sqlite:///{folder}/bench.db", "ERRDEX_URL": "", "LC_ALL": "C.UTF-8"}
        CliRunner().invoke(cli, ["ingest"], env=env, catch_exceptions=False)
        other: dict[str, list[str]] = {place: [] for place in PLACES}
        equal = dict.fromkeys(PLACES, 0)
        for number, row in enumerate(chosen):
            say(f"{number + 1} of {len(chosen)}: {row['id']}")
            alone, buried = answers(row["text"], halves, env)
            for place, found in buried.items():
                equal[place] += found == alone
                if found[:1] != alone[:1]:
                    other[place].append(row["id"])
    print("| place | the answer of the paste alone | all matches the same | another answer |")
    print("|---|---|---|---|")
    for place, ids in other.items():
        print(f"| {place} | {len(chosen) - len(ids)} of {len(chosen)} | {equal[place]} | {', '.join(ids)} |")
    if max(map(len, other.values())) > len(chosen) * ALLOWED:
        sys.exit(1)


def answers(paste: str, halves: tuple[bytes, bytes], env: Mapping[str, str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return the matches of a paste alone, and at each place of a log."""
    text = (paste.rstrip("\n") + "\n").encode()
    texts = {"beginning": (text, *halves), "middle": (halves[0], text, halves[1]), "end": (*halves, text)}
    return asked([text], env), {place: asked(texts[place], env) for place in PLACES}


def asked(parts: Iterable[bytes], env: Mapping[str, str]) -> list[str]:
    """Return the slugs that `errdex match` answers with, started in this process. Raises `RuntimeError`."""
    result = CliRunner().invoke(cli, ["match", "--json"], input=b"".join(parts), env=env, catch_exceptions=False)
    if result.exit_code not in (0, 1):
        raise RuntimeError(f"errdex match ended with {result.exit_code}: {result.stderr}")
    return [match["slug"] for match in json.loads(result.stdout)["matches"]]


if __name__ == "__main__":
    main()
