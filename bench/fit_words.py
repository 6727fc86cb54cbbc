#!/usr/bin/env python3
"""Fit the two word tables of the engine: how telling a word is in a message, and in a question.

    fit_words.py RAISE_SITES.jsonl.gz

The weight of a word is ln(N / n) / ln(N), where n of N texts hold it: 0 when all hold it, 1 when one does (inverse
document frequency, Spärck Jones 1972, scaled). Messages are counted over the raise sites, questions over the titles and
texts of the shipped entries. The tables are constants of the engine: run this when the corpus has grown a lot, look at
what moves in `errdex eval`, and commit both.
"""

import argparse
import gzip
import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from app.config import ROOT
from app.content import bundle
from app.index import prose
from app.matching.terms import message_terms, prose_terms
from app.matching.tokens import words

DATA = ROOT / "app" / "matching" / "data"
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


def main() -> None:
    """Fit both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", metavar="RAISE_SITES", type=Path, help="gzipped JSON lines")
    with gzip.open(parser.parse_args().sites, "rt", encoding="utf-8") as lines:
        sites = [json.loads(line) for line in lines]
    documents = [bundle.read(folder, slug) for slug, folder in bundle.folders(Path(ROOT / "content"))]
    write(
        "message_words.tsv",
        "Words of error messages",
        table((message_terms(words(f"{site['type']}: {site['template']}")) for site in sites), least=60),
    )
    write(
        "prose_words.tsv",
        "Words of questions",
        table((set().union(*map(prose_terms, prose(document))) for document in documents), least=1),
    )


if __name__ == "__main__":
    main()
