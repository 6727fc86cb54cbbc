#!/usr/bin/env python3
"""Ask the same pastes at every face: are the answers equal?

    python -m bench.faces FILE [--every N] [--python PATH …]

FILE has a paste a line (JSON with `text` and `lang`). The faces are the REST API, the full command line on its own
database and at the server (ERRDEX_URL), and the command of the light client at the server, on this Python and on each
PATH; each is asked for JSON and for markdown. A program masks what looks secret before it sends it, so REST is asked
with a masked paste beside such a face, and the places in the answer are led back to the paste; beside the command line
on its own database, which masks nothing, REST is asked with the paste itself. Ends with 1 when two faces differ. A
database with the shipped entries is made in a temporary folder.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from typer.testing import CliRunner

from app.cli.root import cli
from app.config import ROOT
from bench import servers
from bench.figures import say
from errdex_client.asking import restored
from errdex_client.excerpts import excerpt_of
from errdex_client.secrets import Masked, mask

CLIENT = ROOT / "clients" / "python" / "src"
FORMS = ("json", "markdown")
# The client's command, run in one process for all pastes: each on standard input, as it comes from a pipe.
DRIVER = """
import io, json, sys
from errdex_client.command import main
pastes, forms, found = json.load(sys.stdin), sys.argv[1].split(","), []
for paste in pastes:
    for form in forms:
        sys.stdin = io.TextIOWrapper(io.BytesIO(paste["text"].encode("utf-8", "surrogatepass")), "utf-8")
        sys.stdout = told = io.StringIO()
        try:
            main(["match", "--lang", paste["lang"], "--format", form])
        except SystemExit:
            pass
        sys.stdout = sys.__stdout__
        found.append(told.getvalue())
sys.stdout.buffer.write(json.dumps(found).encode())
"""


@dataclass(frozen=True)
class Said:
    """What a face answered to a paste: the answer as JSON values, and the words."""

    answer: Any
    words: str


Face = Callable[[Sequence[Mapping[str, str]]], list[Said]]


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every Nth paste only")
    parser.add_argument("--python", nargs="*", default=[], metavar="PATH", help="other Pythons to run the client on")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()][:: given.every]
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        with servers.errdex(url) as port:
            address = f"http://127.0.0.1:{port}"
            different = {}
            for name, (face, is_local) in faces(address, url, [sys.executable, *given.python]).items():
                say(name)
                different[name] = compare(face, rest(address, masked=not is_local), rows)
    print(f"{len(rows)} pastes of {given.file.name}, beside REST\n\n| face | equal | different |\n|---|---|---|")
    for name, numbers in different.items():
        ids = ", ".join(str(rows[number].get("id", number)) for number in numbers)
        print(f"| {name} | {len(rows) - len(numbers)} | {ids} |")
    if any(different.values()):
        sys.exit(1)


def faces(address: str, database_url: str, pythons: Sequence[str]) -> dict[str, tuple[Face, bool]]:
    """Return every face beside REST by its name, and whether it answers from its own database."""
    local = {"ERRDEX_DATABASE_URL": database_url, "ERRDEX_BASE_URL": address, "ERRDEX_URL": ""}
    found: dict[str, tuple[Face, bool]] = {
        "command line, local": (command_line(local), True),
        "command line, remote": (command_line({"ERRDEX_URL": address}), False),
    }
    for python in pythons:
        version = subprocess.check_output(
            [python, "-c", "import platform; print(platform.python_version())"], text=True
        )
        found[f"client on Python {version.strip()}"] = (client(python, address), False)
    return found


def compare(face: Face, beside: Face, rows: Sequence[Mapping[str, str]]) -> list[int]:
    """Return the numbers of the pastes (from 0) that a face answers otherwise than another one does."""
    return [number for number, (one, other) in enumerate(zip(face(rows), beside(rows), strict=True)) if one != other]


def rest(address: str, *, masked: bool) -> Face:
    """Return the REST API as a face; with `masked` it is asked as the client asks it."""

    def ask(rows: Sequence[Mapping[str, str]]) -> list[Said]:
        with httpx2.Client(base_url=address, timeout=60) as browser:
            return [_rest(browser, row, masked) for row in rows]

    return ask


def _rest(browser: httpx2.Client, row: Mapping[str, str], masked: bool) -> Said:
    hidden = mask(row["text"]) if masked else Masked(row["text"], ())
    query = {"lang": row["lang"], "include": "fix", "limit": "5"}

    def asked(accept: str) -> httpx2.Response:
        headers = {"content-type": "text/plain; charset=utf-8", "accept": accept}
        body = hidden.text.encode("utf-8", "replace")
        found = browser.post("/api/v1/match", params=query, content=body, headers=headers)
        return found.raise_for_status()

    answer = restored(asked("application/json").json(), hidden, excerpt_of(row["text"]))
    return Said(answer, asked("text/markdown").text)


def command_line(env: Mapping[str, str]) -> Face:
    """Return the full command line, with these variables, as a face."""

    def ask(rows: Sequence[Mapping[str, str]]) -> list[Said]:
        return [Said(json.loads(said(row, "json")), said(row, "markdown")) for row in rows]

    def said(row: Mapping[str, str], form: str) -> str:
        words = ["match", "--lang", row["lang"], "--format", form]
        return CliRunner().invoke(cli, words, input=row["text"].encode(), env=env, catch_exceptions=False).stdout

    return ask


def client(python: str, address: str) -> Face:
    """Return the client's command on a Python as a face."""

    def ask(rows: Sequence[Mapping[str, str]]) -> list[Said]:
        env = os.environ | {"PYTHONPATH": str(CLIENT), "PYTHONDONTWRITEBYTECODE": "1", "ERRDEX_URL": address}
        pastes = json.dumps([{"text": row["text"], "lang": row["lang"]} for row in rows]).encode()
        command = [python, "-c", DRIVER, ",".join(FORMS)]
        done = subprocess.run(command, check=False, input=pastes, env=env, capture_output=True)
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        told = json.loads(done.stdout)
        return [Said(json.loads(one), words) for one, words in zip(told[::2], told[1::2], strict=True)]

    return ask


if __name__ == "__main__":
    main()
