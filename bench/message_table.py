#!/usr/bin/env python3
"""Which packages print which message: the table that `errdex check` holds strong patterns against.

    python -m bench.message_table RAISE_SITES.jsonl.gz

Writes `bench/messages/messages.txt.xz` and prints how many messages it holds. RAISE_SITES are places where packages
raise an exception with a message, as `bench/raise_sites.py` reads them: `type`, `template` with `{…}` for what is
filled in at run time, and `file`, whose first folder is the package. What cannot make a finding is left out, so that
the table stays below one megabyte: words that only one package uses become a hole, of a message the first words are
kept, and a message that says less than a pattern must say is dropped.
"""

import argparse
import lzma
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from app.matching.ranking.holes import HOLE
from app.matching.ranking.pattern import word_weight
from app.matching.text.rules import weights
from app.matching.text.tokens import words
from app.quality.back_test import KEPT_WORDS, TABLE
from bench.raise_sites import HOLE as FILLED
from bench.raise_sites import rows

Packages = frozenset[str]


def printed(path: Path) -> dict[tuple[str, ...], set[str]]:
    """Return for each message, as words, the packages that print it."""
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for site in rows(path):
        package, folder, _ = site["file"].partition("/")
        if folder:
            found[tuple(words(FILLED.sub(" ", f"{site['type']}: {site['template']}")))].add(package)
    return found


def shortened(messages: dict[tuple[str, ...], set[str]]) -> dict[str, set[str]]:
    """Return the messages that two packages could both print, without the words that only one of them uses."""
    users: dict[str, set[str]] = defaultdict(set)
    for message, packages in messages.items():
        for word in message:
            users[word] |= packages
    least = weights()["message"]["least_own"]
    found: dict[str, set[str]] = defaultdict(set)
    for message, packages in messages.items():
        shared = [word if len(users[word]) > 1 else HOLE for word in message[:KEPT_WORDS]]
        if sum(word_weight(word) for word in {*shared} - {HOLE}) >= least:
            found[re.sub(rf"{re.escape(HOLE)}( {re.escape(HOLE)})+", HOLE, " ".join(shared))] |= packages
    return found


def as_text(messages: dict[str, set[str]]) -> str:
    """Return the table: after a line `# package package` the messages that just these packages print, one a line."""
    groups: dict[Packages, list[str]] = defaultdict(list)
    for message, packages in messages.items():
        groups[frozenset(packages)].append(message)
    return "".join(_group(packages, groups[packages]) for packages in sorted(groups, key=sorted))


def _group(packages: Packages, messages: Iterable[str]) -> str:
    return "\n".join([f"# {' '.join(sorted(packages))}", *sorted(messages), ""])


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path)
    messages = shortened(printed(parser.parse_args().sites))
    packed = lzma.compress(as_text(messages).encode(), preset=9 | lzma.PRESET_EXTREME)
    TABLE.write_bytes(packed)
    packages = set().union(*messages.values())
    print(f"{len(messages)} messages of {len(packages)} packages, {len(packed)} bytes")


if __name__ == "__main__":
    main()
