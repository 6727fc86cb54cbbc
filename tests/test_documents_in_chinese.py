"""A document with a Chinese side says the same on both: headings, tables and commands; each leads to the other."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHINESE = sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.zh.md"), *ROOT.glob("docs/**/*.zh.md")))
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> list[str]:
    """The code blocks, without what follows a comment sign: comments are translated."""
    return [re.sub(r"[ \t]*#.*", "", block) for block in FENCE.findall(text)]


def shape(text: str) -> tuple[list[int], list[int]]:
    """Levels of the headings, and the number of cells of each row of a table, in order."""
    prose = FENCE.sub("", text)
    headings = [len(line) - len(line.lstrip("#")) for line in prose.splitlines() if line.startswith("#")]
    rows = [line.replace(r"\|", "").count("|") for line in prose.splitlines() if line.startswith("|")]
    return headings, rows


def test_readme_has_a_chinese_side() -> None:
    assert "README.zh.md" in CHINESE


@pytest.mark.parametrize("name", CHINESE)
def test_both_sides_have_the_same_headings_tables_and_commands(name: str) -> None:
    chinese, english = ROOT / name, ROOT / name.replace(".zh.md", ".md")
    here, there = chinese.read_text("utf-8"), english.read_text("utf-8")
    assert shape(here) == shape(there)
    assert blocks(here) == blocks(there)
    assert f"({english.name})" in here.split("\n## ", 1)[0], "the Chinese side leads to the English one"
    assert f"({chinese.name})" in there.split("\n## ", 1)[0], "the English side leads to the Chinese one"
