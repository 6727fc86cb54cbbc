"""How much of a text is laid out: what a parser takes longest for is counted before it begins.

A text of the length of a whole entry's body may hold all that people write; each limit is several times what the
shipped entries have. What is over one is shown as it was typed, so that nothing is lost. The figures behind them are in
docs/decisions/rendering.md.
"""

import re
from collections.abc import Sequence

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

# The schema allows a body so many characters.
MOST_CHARACTERS = 200_000
# Quotes and lists may lie so deep within each other, a list counting twice; markdown-it-py leaves out what is deeper.
DEEPEST = 20
# Emphasis may lie so deep within emphasis, for the time of the sanitiser grows with the depth of elements.
DEEPEST_WORDS = 20
# All tables together may have so many cells. A row without any text still has all of its cells.
MOST_CELLS = 5000
# The characters of a paragraph times its opening brackets may be so many, for the parser looks for the end of each
# bracket up to the end of the paragraph.
MOST_BRACKET_WORK = 1_000_000
# A text of n characters may have FEW + n / ONE_IN lines, and as many signs and brackets in its paragraphs. Each mark of
# a quote or list within another one counts as a line.
FEW_LINES, LINES_ONE_IN = 500, 16
FEW_SIGNS, SIGNS_ONE_IN = 500, 20
FEW_BRACKETS, BRACKETS_ONE_IN = 60, 200

# The token of words that were not parsed has this key in its `meta`.
PLAIN = "plain"

# The first ends a run of plain characters for markdown-it-py, the second opens a link.
_SIGN = re.compile(r"[\n!#$%&*+\-:<=>@\[\\\]^_`{}~]")
_BRACKET = re.compile(r"[\[<]")
# Such a line can separate the head of a table from its rows, whatever quotes and lists it stands in.
_TABLE_LINE = re.compile(r"[\s|:>*+.)\d-]+")
# A line of a quote or list begins with these marks.
_MARKS = re.compile(r"[ \t]*(?:(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*)*")
_MARK = re.compile(r"[>+*-]|\d+")
_BLANK = " \t>"


def is_parsed(text: str) -> bool:
    """Tell whether a text is short enough, in its lines and tables too, to be given to the parser."""
    # The parser takes a carriage return for a line end, too.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    most_lines = FEW_LINES + len(text) // LINES_ONE_IN
    if len(text) > MOST_CHARACTERS or text.count("\n") > most_lines:
        return False
    lines = text.split("\n")
    return sum(map(_starts, lines)) <= most_lines and _most_cells(lines) <= MOST_CELLS


def is_whole(tokens: Sequence[Token]) -> bool:
    """Tell whether the parser took everything: nothing was too deep for it."""
    return all(token.level < DEEPEST - 1 for token in tokens)


def parse_words(state: StateCore) -> None:
    """Parse what paragraphs, headings and cells say, while there is room for it; the rest is plain text.

    Stands in place of markdown-it-py's rule `inline`.
    """
    signs = FEW_SIGNS + len(state.src) // SIGNS_ONE_IN
    brackets = FEW_BRACKETS + len(state.src) // BRACKETS_ONE_IN
    for token in state.tokens:
        if token.type != "inline":
            continue
        signs -= len(_SIGN.findall(token.content))
        own = len(_BRACKET.findall(token.content))
        brackets -= own
        token.children = []
        if signs >= 0 and brackets >= 0 and own * len(token.content) <= MOST_BRACKET_WORK:
            state.md.inline.parse(token.content, state.md, state.env, token.children)
        if not token.children or any(child.level > DEEPEST_WORDS for child in token.children):
            token.children = [Token("text", "", 0, content=token.content)]
            token.meta[PLAIN] = True


def _starts(line: str) -> int:
    """Return how many blocks a line can begin: one, or as many as it has marks of quotes and lists."""
    marks = _MARKS.match(line)
    return max(1, len(_MARK.findall(marks.group()))) if marks else 1


def _most_cells(lines: Sequence[str]) -> int:
    """Return how many cells all tables of a text can have: of each run of lines, its widest head times its lines."""
    found = rows = columns = 0
    for line in lines:
        if line.strip(_BLANK):
            rows += 1
            if "|" in line and "-" in line and _TABLE_LINE.fullmatch(line):
                columns = max(columns, line.count("|") + 1)
        else:
            found += rows * columns
            rows = columns = 0
    return found + rows * columns
