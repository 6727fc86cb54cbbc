#!/usr/bin/env python3
"""Raise sites as entries, and how quickly and how rightly they are imported and asked.

    raise_sites.py entries RAISE_SITES.jsonl.gz [--frames] > ENTRIES.jsonl
    raise_sites.py measure RAISE_SITES.jsonl.gz QUERIES.jsonl.gz [--frames] [--database URL]

`entries` writes JSON lines for `errdex import` and reports how many sites the schema refuses, by reason. `measure`
imports the shipped entries and then the sites into a throwaway SQLite database (or the one at URL, which must be
empty), and asks every query before and after: entries a second, milliseconds a question, share of right first answers.
"""

import argparse
import gzip
import json
import re
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from app import sync
from app.asking.question_service import Questions
from app.config import ROOT, Settings
from app.content.schema import EntryDocument
from app.store.engine import connect
from app.store.migrate import migrate
from app.transfer.jsonl import import_lines

UPDATED = "2026-11-20"
HOLE = re.compile(r"\{[^{}]*\}")


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a gzipped JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def entry(site: dict[str, Any], frames: bool) -> dict[str, Any]:
    """Return a raise site as an entry."""
    pattern = f"{site['type']}: {HOLE.sub('<*>', site['template'])}"
    signatures: list[dict[str, Any]] = [{"pattern": pattern}]
    if frames and "/" in site["file"] and site["function"] not in ("", "<module>"):
        signatures.append({"frame": f"{site['file']}:{site['function']}"})
    title = " ".join(site["template"].split())[:500] or site["type"]
    text = {"title": title, "body": ""}
    return {"slug": site["slug"], "updated": UPDATED, "signatures": signatures, "en": text}


def entries(path: Path, frames: bool, refused: Counter[str]) -> Iterator[str]:
    """Yield the lines of the entries that the schema takes; count the others by reason."""
    for site in rows(path):
        line = json.dumps(entry(site, frames), ensure_ascii=False)
        try:
            EntryDocument.model_validate_json(line)
        except ValidationError as error:
            refused[error.errors()[0]["msg"]] += 1
        else:
            yield line


def ask(questions: Questions, path: Path) -> dict[str, float]:
    """Ask every query one at a time and return the figures."""
    spent: list[float] = []
    right = silent = 0
    for query in rows(path):
        began = time.perf_counter()
        answer = questions.ask(query["text"])
        spent.append((time.perf_counter() - began) * 1000)
        first = answer.matches[0].slug if answer.matches else None
        right += first in query["same_message"]
        silent += first is None
    spent.sort()
    return {
        "right first": right / len(spent),
        "silent": silent / len(spent),
        "median ms": round(statistics.median(spent), 2),
        "p99 ms": round(spent[int(len(spent) * 0.99)], 2),
    }


def measure(sites: Path, queries: Path, frames: bool, url: str) -> None:
    """Print the figures of an import and of the questions before and after it."""
    settings = Settings(database_url=url)
    engine = connect(settings)
    migrate(settings, engine)
    outcome = sync.ingest(engine, ROOT / "content")
    print("shipped entries", len(outcome.added), ask(Questions(engine), queries))
    refused: Counter[str] = Counter()
    lines = list(entries(sites, frames, refused))
    began = time.perf_counter()
    done = import_lines(engine, lines)
    spent = time.perf_counter() - began
    print(f"imported {done.added} in {spent:.1f} s: {done.added / spent:.0f} a second; broken {len(done.broken)}, "
          f"findings {done.findings}; refused before {dict(refused)}")  # fmt: skip
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")
    print("all entries", ask(Questions(engine), queries))
    began = time.perf_counter()
    again = import_lines(engine, lines)
    spent = time.perf_counter() - began
    print(f"again: {again.unchanged} unchanged, {again.added + again.changed} written, {spent:.1f} s")


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("entries", "measure"))
    parser.add_argument("sites", type=Path)
    parser.add_argument("queries", type=Path, nargs="?")
    parser.add_argument("--frames", action="store_true")
    parser.add_argument("--database", default="")
    asked = parser.parse_args()
    if asked.command == "entries":
        refused: Counter[str] = Counter()
        for line in entries(asked.sites, asked.frames, refused):
            print(line)
        print(f"refused: {dict(refused)}", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(asked.sites, asked.queries, asked.frames, asked.database or f"sqlite:///{folder}/bench.db")


if __name__ == "__main__":
    main()
