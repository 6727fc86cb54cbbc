"""The bones of a markdown text."""

import pytest

from app.content.outline import outline


@pytest.mark.parametrize(
    ("line", "level", "heading"),
    [
        ("# Fix", 1, "Fix"),
        ("  ## Fix ##  ", 2, "Fix"),
        ("## C#", 2, "C#"),
        ("## C #", 2, "C"),
        ("### #", 3, "#"),
        ("## ", 2, ""),
        ("## a  ## b", 2, "a  ## b"),
        ("## " + " " * 100_000 + "x" + " " * 100_000 + "x", 2, "x" + " " * 100_000 + "x"),
    ],
)
def test_a_heading_is_read_without_what_closes_it(line: str, level: int, heading: str) -> None:
    (found,) = outline(line).headings
    assert (found.level, found.text) == (level, heading)


@pytest.mark.parametrize("line", ["#Fix", "    # Fix", "####### Fix", "a # b"])
def test_other_lines_are_no_headings(line: str) -> None:
    assert outline(line).headings == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```bash\nls\n```", [("bash", "ls")]),
        ("  ~~~ toml \n  a\n  ~~~", [("toml", "a")]),
        ("````\n```\n````", [("", "```")]),
        ("```\nopen", [("", "open")]),
        ("```a`b", []),
        ("```" + " " * 100_000 + "`", []),
    ],
)
def test_fenced_code_is_read_with_its_language(text: str, found: list[tuple[str, str]]) -> None:
    assert [(block.language, block.text) for block in outline(text).blocks] == found
