"""The pastes and entries that are measured with: what `../shared` holds where it is there, and the repository's own."""

import re
from pathlib import Path

from app.config import ROOT
from app.content import bundle
from app.content.schema import EntryDocument
from app.quality import evaluation
from app.quality.evaluation import Case

SHARED = ROOT.parent / "shared"
SITES = SHARED / "bench" / "raise_sites.jsonl.gz"
QUERIES = SHARED / "bench" / "queries.jsonl.gz"
# not texts, but the labels that some of them have by now
RELABELLED = ROOT / "bench" / "labelled" / "relabelled.jsonl"

_ERROR = re.compile(r"\b[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Failed|Failure|Iteration)\b")


def own_sets() -> list[Path]:
    """Return the files of the repository that hold labelled pastes."""
    return sorted(path for path in RELABELLED.parent.glob("*.jsonl") if path != RELABELLED)


def labelled() -> dict[str, list[Case]]:
    """Return the sets of labelled pastes that are there, by the name of their file."""
    files = [SHARED / "eval" / "dev.jsonl", *own_sets()]
    return {path.stem: evaluation.read_cases(path) for path in files if path.is_file()}


def shipped() -> list[EntryDocument]:
    """Return the entries of the repository."""
    return [bundle.read(folder, slug) for slug, folder in bundle.folders(ROOT / "content")]


def last_error_line(text: str) -> str:
    """Return the last line of a paste that names an error, else its last line that is not empty."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.search(line)]
    return (errors or lines or [""])[-1]


def of_about(lines: int, within: int) -> list[tuple[str, str]]:
    """Return name and text of the pastes of the repository that have `lines` lines, or up to `within` more or fewer."""
    found = [(f"an example of {document.slug}", text) for document in shipped() for text in document.examples]
    for path in own_sets():
        found += [(f"{path.stem} {case.id}", case.text) for case in evaluation.read_cases(path)]
    return [(name, text) for name, text in found if abs(len(text.splitlines()) - lines) <= within]


def folder_of(path: Path) -> str:
    """Return a path as it is written in the page: relative to the repository's parent."""
    return str(path.relative_to(ROOT.parent))
