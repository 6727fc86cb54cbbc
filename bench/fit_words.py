#!/usr/bin/env python3
"""Fit the word tables of the engine: how telling words are in messages and in questions, and what packages print.

    fit_words.py RAISE_SITES.jsonl.gz

The weight of a word is ln(N / n) / ln(N), where n of N texts hold it: 0 when all hold it, 1 when one does (inverse
document frequency, Spärck Jones 1972, scaled). Messages are counted over the raise sites, questions over the titles and
texts of the shipped entries. `public_words.txt` are the words that the messages of several packages hold,
`error_types.txt` the names of what packages raise. The tables are constants of the engine: run this when the corpus has
grown a lot, look at what moves in `errdex eval`, and commit all.
"""

import argparse
import gzip
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.config import ROOT
from app.content import bundle
from app.matching.ranking.terms import message_terms, prose_terms
from app.matching.text.tokens import parts, words
from app.store.entry_index import prose

DATA = ROOT / "app" / "matching" / "rules"
HEAD = """# {what}
# Made by bench/fit_words.py; do not edit by hand. A word and how telling it is: 0 (every text has it) to 1 (one has).
# A word that is not listed counts 1.
"""


def table(texts: Iterable[set[str]], least: int) -> dict[str, float]:
    """Return the weight of every term that at least `least` of the texts hold."""
    counts: Counter[str] = Counter()
    total = 0
    for terms in texts:
        counts.update(terms)
        total += 1
    return {
        word: round(math.log(total / count) / math.log(total), 3)
        for word, count in sorted(counts.items())
        if count >= least and "\t" not in word
    }


def write(name: str, what: str, weights: dict[str, float]) -> None:
    """Write one table."""
    rows = "".join(f"{word}\t{weight:g}\n" for word, weight in weights.items())
    (DATA / name).write_text(HEAD.format(what=what) + rows, encoding="utf-8")
    print(f"{name}: {len(weights)} words")


# So many packages must print a word, for a word that only one or two of them have may be somebody's name.
FEWEST_PACKAGES = 5
_FILLED_IN = re.compile(r"\{[^{}]*\}")
LISTS = {
    "public_words.txt": f"""# Words in messages of {FEWEST_PACKAGES} or more public packages, identifiers by parts.
# Made by bench/fit_words.py; do not edit by hand. What none of the tables knows may be somebody's name.
""",
    "error_types.txt": """# Names of what public Python packages raise, as they are printed.
# Made by bench/fit_words.py; do not edit by hand. The exceptions of Python itself need no row.
""",
}


def public_words(sites: Iterable[dict[str, Any]]) -> set[str]:
    """Return the words of messages, without what is filled in, that enough packages print."""
    packages: dict[str, set[str]] = defaultdict(set)
    for site in sites:
        for word in parts(_FILLED_IN.sub(" ", site["template"])):
            packages[word].add(site["package"])
    return {word for word, held in packages.items() if len(word) > 1 and len(held) >= FEWEST_PACKAGES}


def write_list(name: str, rows: Iterable[str]) -> None:
    """Write one list of words, a word a line."""
    found = sorted(rows)
    (DATA / name).write_text(LISTS[name] + "".join(f"{row}\n" for row in found), encoding="utf-8")
    print(f"{name}: {len(found)} words")


def main() -> None:
    """Fit all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", metavar="RAISE_SITES", type=Path, help="gzipped JSON lines")
    with gzip.open(parser.parse_args().sites, "rt", encoding="utf-8") as lines:
        sites = [json.loads(line) for line in lines]
    documents = [bundle.read(folder, slug) for slug, folder in bundle.folders(Path(ROOT / "content"))]
    write(
        "message_word_weights.tsv",
        "Words of error messages",
        table((message_terms(words(f"{site['type']}: {site['template']}")) for site in sites), least=60),
    )
    write(
        "question_word_weights.tsv",
        "Words of questions",
        table((set().union(*map(prose_terms, prose(document))) for document in documents), least=1),
    )
    write_list("public_words.txt", public_words(sites))
    write_list("error_types.txt", {site["type"] for site in sites})


if __name__ == "__main__":
    main()
