"""The page on what the entries rest on lists the unconfirmed signatures, and the script behind its figures counts."""

import re
from pathlib import Path

import pytest

from app.config import ROOT
from app.content import bundle
from app.content.schema import EntryDocument
from bench.content_share import documents, table

PAGE = ROOT / "docs" / "content-notes.md"
SECTION = re.compile(r"^## Unconfirmed signatures$(.*?)^## ", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (\S+/\S+) \| `(.+?)` \| (\S.*) \|$", re.MULTILINE)


def listed() -> list[tuple[str, str]]:
    """The slug and pattern of every row of the page's section on unconfirmed signatures."""
    section = SECTION.search(PAGE.read_text(encoding="utf-8"))
    assert section is not None
    return [(slug, pattern) for slug, pattern, _ in ROW.findall(section[1])]


def test_every_unconfirmed_signature_is_listed_once_and_no_other() -> None:
    """A new unconfirmed signature needs a row, and one that was found or removed must lose its row."""
    unconfirmed = [
        (entry.slug, signature.pattern or signature.frame)
        for entry in documents(ROOT / "content")
        for signature in entry.signatures
        if signature.unconfirmed
    ]
    assert sorted(listed()) == sorted(unconfirmed)


def test_every_slug_on_the_page_is_an_entry() -> None:
    """A renamed entry is renamed on the page."""
    slugs = {slug for slug, _ in bundle.folders(ROOT / "content")}
    projects = "|".join({slug.partition("/")[0] for slug in slugs})
    named = set(re.findall(rf"(?<![\w/.`])(?:{projects})/[a-z0-9-]+(?![\w./])", PAGE.read_text(encoding="utf-8")))
    assert named
    assert named <= slugs


def test_the_figures_count_patterns_and_frames_strong_weak_and_unconfirmed(tmp_path: Path) -> None:
    """A row a project and one for all; an entry whose only strong signature is missing is not carried."""
    signatures: dict[str, list[dict[str, object]]] = {
        "one/strong": [{"pattern": "A: one"}, {"frame": "a/b.py:c", "weak": True}],
        "one/weak": [{"pattern": "B: two", "weak": True, "unconfirmed": True}],
        "two/question": [],
    }
    for slug, of_entry in signatures.items():
        plain = {"slug": slug, "updated": "2026-11-20", "signatures": of_entry, "en": {"title": slug, "body": ""}}
        bundle.write(tmp_path / slug, EntryDocument.model_validate(plain))
    assert table(tmp_path).splitlines()[2:] == [
        "| one | 2 | 3 | 1 | 2 | 1 | 66.7% | 1 |",
        "| two | 1 | 0 | 0 | 0 | 0 | - | 0 |",
        "| all | 3 | 3 | 1 | 2 | 1 | 66.7% | 1 |",
    ]


@pytest.mark.parametrize(
    ("name", "words"), [("README.md", r"ships with (\d+) entries"), ("README.zh.md", r"自带 (\d+) 个")]
)
def test_the_readme_says_how_many_entries_there_are(name: str, words: str) -> None:
    said = re.search(words, (ROOT / name).read_text(encoding="utf-8"))
    assert said is not None
    assert int(said[1]) == len(list(documents(ROOT / "content")))
