"""The first steps of an answer, and the others: a reader in a hurry sees the first command and opens the rest in place.

A step is an item of the list below the heading of the answer; where there is no list, a paragraph or block is one.
"""

import json
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from app.web.markdown import blocks, sections
from app.web.markdown_cache import Rendered
from app.web.markdown_limits import is_parsed

# Of a text that is not laid out so many characters are shown.
LONGEST_BEGINNING = 2000
# A command is looked for in the first three steps. If none of them has one, two steps are shown.
COMMAND_WITHIN, WITHOUT_COMMAND = 3, 2
# A process keeps so many bytes of divided texts.
_MOST_KEPT = 4 * 1024 * 1024
_kept: Rendered[str] = Rendered(_MOST_KEPT)
_NUMBER = re.compile(r"\d+(?=[.)])")


class Steps(NamedTuple):
    """The markdown of the first `shown` of `total` steps, and that of the rest, which is empty when none is left."""

    first: str
    rest: str
    shown: int
    total: int


class _Step(NamedTuple):
    """A block of markdown: its first line, the line after its last, whether it is an item of a list, and the item's
    number in a numbered list.
    """

    start: int
    end: int
    is_item: bool
    number: int


def first_steps(body: str, headings: Collection[str]) -> Steps:
    """Return the steps below the first heading named in `headings`, or those of the first section.

    The steps that are shown first reach to the first block of code, or are two when that comes late. Of a body over the
    limits of `app.web.markdown_limits` the beginning is shown.
    """
    return Steps(*json.loads(_kept.get((*sorted(headings), body), lambda: json.dumps(_divided(body, headings)))))


def _divided(body: str, headings: Collection[str]) -> Steps:
    if not is_parsed(body):
        return Steps(body[:LONGEST_BEGINNING], "", 1, 1)
    parts = sections(body)
    chosen = next((text for heading, text in parts if heading in headings), parts[0][1] if parts else "")
    tokens = blocks(chosen)
    lines = chosen.split("\n")
    found = _steps(tokens)
    cut = _enough(
        found, lines, [token.map[0] for token in tokens if token.map and token.type in ("fence", "code_block")]
    )
    if cut >= len(found):
        return Steps(chosen.rstrip(), "", len(found), len(found))
    has_items = any(step.is_item for step in found)
    counted = [step.is_item or not has_items for step in found]
    first = "\n".join(lines[: found[cut].start]).rstrip()
    return Steps(first, _rest(lines, found[cut]), sum(counted[:cut]), sum(counted))


def _steps(tokens: Sequence[Token]) -> list[_Step]:
    found: list[_Step] = []
    number = 0
    for token in tokens:
        if token.type == "ordered_list_open" and token.level == 0:
            number = int(token.attrs.get("start", 1))
        is_item = token.type == "list_item_open" and token.level == 1
        is_block = token.level == 0 and token.nesting >= 0 and not token.type.endswith("_list_open")
        if token.map and (is_item or is_block):
            found.append(_Step(token.map[0], token.map[1], is_item, number))
            number += is_item
    return found


def _enough(steps: Sequence[_Step], lines: Sequence[str], code: Sequence[int]) -> int:
    """Return how many of the steps are shown first."""
    first = min(code, default=len(lines))
    holder = next((place for place, step in enumerate(steps, 1) if step.start <= first < step.end), len(steps) + 1)
    has_items = any(step.is_item for step in steps)
    enough = holder if holder <= COMMAND_WITHIN else WITHOUT_COMMAND
    while enough < len(steps) and not _may_end(lines[steps[enough - 1].start : steps[enough - 1].end]):
        enough += 1
    if has_items:
        first_item = next(place for place, step in enumerate(steps, 1) if step.is_item)
        enough = max(enough, first_item)
    return enough


def _may_end(lines: Sequence[str]) -> bool:
    """Tell whether a block may be the last that is shown. One that ends with a colon may not, for the next block
    belongs to it.
    """
    text = "\n".join(lines).rstrip()
    return not text.endswith((":", "：")) and not text.lstrip().startswith("#")


def _rest(lines: Sequence[str], step: _Step) -> str:
    """Return what is left from a step on; a list goes on with the number that the step has."""
    first = lines[step.start]
    if step.is_item:
        first = _NUMBER.sub(str(step.number), first, count=1) if _NUMBER.match(first.lstrip()) else first
    return "\n".join([first, *lines[step.start + 1 :]]).rstrip()
