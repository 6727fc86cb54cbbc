"""How many signatures the entries have, and how many of them no release is known to print.

    python -m bench.content_share [CONTENT]

Prints a Markdown table, one row a project and one for all. Patterns and frames both count as signatures. Strong is what
is not weak; unconfirmed ones are among the weak. The share is (signatures - unconfirmed) / signatures. The last column
counts the entries with at least one signature that is strong and not unconfirmed.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.config import ROOT
from app.content import bundle
from app.content.schema import EntryDocument

HEAD = (
    "project",
    "entries",
    "signatures",
    "strong",
    "weak",
    "unconfirmed",
    "share confirmed",
    "entries with a confirmed strong one",
)


def documents(content: Path) -> Iterator[EntryDocument]:
    """Yield every entry of a content folder, in the order of the slugs. Raises `BrokenBundle` for a broken one."""
    for slug, folder in bundle.folders(content):
        yield bundle.read(folder, slug)


def counts(entries: Iterable[EntryDocument]) -> tuple[str, ...]:
    """Return what stands in a row after the project's name, as text."""
    of_entries = [entry.signatures for entry in entries]
    signatures = [signature for of_entry in of_entries for signature in of_entry]
    weak = sum(signature.weak for signature in signatures)
    unconfirmed = sum(signature.unconfirmed for signature in signatures)
    share = f"{(len(signatures) - unconfirmed) / len(signatures):.1%}" if signatures else "-"
    carried = sum(any(not (one.weak or one.unconfirmed) for one in of_entry) for of_entry in of_entries)
    numbers = (len(of_entries), len(signatures), len(signatures) - weak, weak, unconfirmed)
    return (*(f"{number:,}" for number in numbers), share, f"{carried:,}")


def table(content: Path) -> str:
    """Return the Markdown table for a content folder."""
    projects: dict[str, list[EntryDocument]] = defaultdict(list)
    for entry in documents(content):
        projects[entry.project].append(entry)
    everything = [entry for entries in projects.values() for entry in entries]
    rows = [HEAD, ("---",) + ("---:",) * (len(HEAD) - 1)]
    rows += [(project, *counts(entries)) for project, entries in projects.items()]
    rows.append(("all", *counts(everything)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", metavar="CONTENT", type=Path, nargs="?", default=ROOT / "content")
    print(table(parser.parse_args().content))
