"""How right answers are where nobody of this project wrote entry or question: pages of a compiler's error codes.

    python -m bench.outside_pages FILE [--draws 123] [--patterns 3]

FILE is `rustc.jsonl.gz`: rows of a code with its page (`markdown`), and rows of a code with what the compiler printed
(`text`, without the code) and the error line in it (`line`). A draw takes a fifth of the codes away, whose texts are
then without an entry, and makes entries of the other pages. Their patterns are the error lines of three outputs, with
holes for numbers and names in backticks as a hurried author writes them; six other outputs of each code are asked. Two
codes that print one line are both right. Weights were chosen on draws 1 to 3, and not on 4 and 5.
"""

import argparse
import gzip
import json
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.asking.question_service import Questions
from app.config import Settings
from app.content.schema import EntryDocument
from app.quality import evaluation
from app.quality.evaluation import Case, Result
from app.store.engine import connect
from app.store.migrate import migrate
from app.store.session import writing
from app.transfer import jsonl

PATTERNS = 3
ASKED = 6
# characters outside of holes below which a pattern says nothing
FEWEST = 8
UPDATED = "2026-01-01"
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_BLANK = re.compile(r"\n{3,}")
_GONE = "#### Note: this error code is no longer emitted by the compiler."
_NAME = re.compile(r"(`[^`]*`)(\w*)")
_NUMBER = re.compile(r"\b\d+\b")


class Draw(NamedTuple):
    """The entries of one draw, and what is asked of them."""

    entries: tuple[EntryDocument, ...]
    cases: tuple[Case, ...]


def draw(path: Path, seed: int, patterns: int = PATTERNS) -> Draw:
    """Return the draw of a number from a file; it is always the same. Raises `OSError`."""
    pages: dict[str, str] = {}
    outputs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "markdown" in row:
                pages[row["code"]] = row["markdown"]
            if "line" in row:
                outputs[row["code"]].append(row)
    chance = random.Random(seed)
    codes = sorted(outputs)
    for code in codes:
        chance.shuffle(outputs[code])
    without = set(chance.sample(codes, len(codes) // 5))
    entries = [
        _entry(code, pages[code], _patterns(outputs[code][:PATTERNS])[:patterns])
        for code in sorted(set(pages) - without)
    ]
    alike: dict[str, set[str]] = defaultdict(set)
    for code, rows in outputs.items():
        for row in rows:
            alike[_wording(row["line"])].add(code)
    cases: list[Case] = []
    for code in codes:
        kept = outputs[code][:ASKED] if code in without else outputs[code][PATTERNS : PATTERNS + ASKED]
        for row in kept:
            right = tuple(sorted(_slug(one) for one in alike[_wording(row["line"])] | {code} if one not in without))
            # what has no entry of its own and prints the line of one that has is not asked
            if code not in without or not right:
                cases.append(Case(row["id"], row["text"], "en", right, {}))
    return Draw(tuple(entries), tuple(cases))


def ask(found: Draw) -> list[Result]:
    """Return what a throwaway database that holds just the entries of a draw answers to its questions."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/pages.db")
        engine = connect(settings)
        migrate(settings, engine)
        with writing(engine) as session:
            jsonl.add_new(session, found.entries, actor="bench")
        results = evaluation.run(Questions(engine), found.cases)
        engine.dispose()
    return results


def _slug(code: str) -> str:
    return f"rust/{code.lower()}"


def _entry(code: str, markdown: str, patterns: Sequence[str]) -> EntryDocument:
    body = _BLANK.sub("\n\n", _FENCED.sub("", markdown)).strip()
    words = body.replace(_GONE, "").strip().replace("\n", " ")
    title = re.split(r"(?<=[.:])\s", words)[0] or markdown[:80]
    return EntryDocument.model_validate(
        {
            "slug": _slug(code),
            "updated": UPDATED,
            "en": {"title": title[:300], "body": f"## Symptom\n\n{body}"},
            "signatures": [{"pattern": pattern} for pattern in patterns],
        }
    )


def _pattern(line: str) -> str:
    return _NUMBER.sub("<*>", _NAME.sub(r"`<*>`\2", line))


def _patterns(rows: Sequence[dict[str, Any]]) -> list[str]:
    found = dict.fromkeys(_pattern(row["line"]) for row in rows)
    return [pattern for pattern in found if len(re.sub(r"<\*>|\W", "", pattern)) >= FEWEST]


def _wording(line: str) -> str:
    return re.sub(r"\W+", " ", _pattern(line)).strip()


def main() -> None:
    """Print the figures of each draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--draws", default="123", help="their numbers, each of one digit")
    parser.add_argument("--patterns", type=int, default=PATTERNS, choices=range(PATTERNS + 1))
    given = parser.parse_args()
    for number in map(int, given.draws):
        found = evaluation.figures(ask(draw(given.file, number, given.patterns)))
        print(number, ", ".join(f"{name} {value}" for name, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
