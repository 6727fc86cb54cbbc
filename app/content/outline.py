"""The bones of a markdown text: headings, fenced code, sections, with the lines they stand on."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from app.i18n import Lang

if TYPE_CHECKING:
    from app.content.schema import EntryDocument

# Anybody's text is read with these expressions, so no two parts of one can match the same characters: it would take too
# long.
_FENCE = re.compile(r"(\s*+)(`{3,}+|~{3,}+)([^`]*+)$")
_HEADING = re.compile(r" {0,3}(#{1,6})\s(.*)")


class Heading(NamedTuple):
    """A heading: 1 to 6, its text, and its line from 1."""

    level: int
    text: str
    line: int


class Block(NamedTuple):
    """Fenced code: its language, its text without the indentation of the fence, its first and last line from 1.

    The lines are those of the fences; code that is never closed ends with the text.
    """

    language: str
    text: str
    line: int
    end: int


class Outline(NamedTuple):
    """All headings and all fenced code of a text, in order."""

    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]


def outline(text: str) -> Outline:
    """Return the headings and code of a markdown text; a `#` inside code is no heading."""
    headings: list[Heading] = []
    blocks: list[Block] = []
    opened: tuple[Block, str, int] | None = None
    inside: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        fence = _FENCE.match(line)
        if opened is not None:
            block, mark, indent = opened
            if fence and fence[2][0] == mark[0] and len(fence[2]) >= len(mark) and not fence[3].strip():
                blocks.append(block._replace(text="\n".join(inside), end=number))
                opened = None
            else:
                inside.append(line[min(indent, len(line) - len(line.lstrip())) :].rstrip())
        elif fence:
            opened, inside = (Block(fence[3].strip(), "", number, number), fence[2], len(fence[1])), []
        elif heading := _HEADING.match(line):
            headings.append(Heading(len(heading[1]), _without_closing(heading[2].strip()), number))
    if opened is not None:
        blocks.append(opened[0]._replace(text="\n".join(inside), end=text.count("\n") + 1))
    return Outline(tuple(headings), tuple(blocks))


def without_code(text: str) -> str:
    """Return a markdown text without its fenced code."""
    lines = text.split("\n")
    for block in reversed(outline(text).blocks):
        lines[block.line - 1 : block.end] = [""]
    return "\n".join(lines)


def _without_closing(heading: str) -> str:
    """Return a heading without the signs that may close it: `Fix ##` is `Fix`."""
    text = heading.rstrip("#")
    return text.rstrip() if text != heading and text[-1:].isspace() else heading


def markdown(document: "EntryDocument", lang: Lang) -> str | None:
    """Return the canonical markdown file of an entry in a language, None when it has none."""
    text = document.en if lang == "en" else document.zh
    return None if text is None else f"# {text.title}\n\n{text.body}\n"


def sections(text: str) -> Iterator[tuple[Heading, str]]:
    """Yield every `##` heading of a markdown text with what stands below it up to the next."""
    lines = text.split("\n")
    heads = [heading for heading in outline(text).headings if heading.level == 2]
    for place, head in enumerate(heads):
        end = heads[place + 1].line - 1 if place + 1 < len(heads) else len(lines)
        yield head, "\n".join(lines[head.line : end]).strip()
