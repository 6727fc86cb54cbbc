"""Colours for code: which languages are coloured, and how much of them.

Every lexer here was tried by `bench/lexers.py` on what makes its expressions slow; docs/decisions/rendering.md has the
figures. A language that is not in the table is shown without colours.
"""

import re
from collections.abc import Sequence
from functools import cache
from io import StringIO
from itertools import islice
from typing import Any, NamedTuple, cast

from markupsafe import escape
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name

# Code is coloured if it, its longest line and its longest run of spaces have at most so many characters.
MOST_A_FENCE = 10_000
LONGEST_LINE = 1000
LONGEST_GAP = 60
MOST_TOKENS_A_FENCE = 4000
# These are the limits for all code of a text together.
MOST_A_TEXT = 50_000
MOST_FENCES = 200
MOST_TOKENS = 12_000
# The code of a text of n characters may have FEW + n / ONE_IN tokens, so that a short text is not slow for its length.
FEW_TOKENS, TOKENS_ONE_IN = 800, 12


class Mend(NamedTuple):
    """An expression of a lexer that can be slow, and a quick one that matches the same texts."""

    state: str
    slow: str
    quick: str


class Language(NamedTuple):
    """A language: its names after the fence of a code block, of which the first is the name of its lexer, and the
    expressions of that lexer that are replaced.
    """

    names: tuple[str, ...]
    mends: tuple[Mend, ...] = ()


LEXERS: tuple[Language, ...] = (
    Language(
        ("bash", "sh", "shell"),
        (
            # The expression of Pygments matches a backslash with digits in two ways, so that its time doubles with each
            # of them.
            Mend("data", r"(?s)\$'(\\\\|\\[0-7]+|\\.|[^'\\])*'", r"(?s)\$'(?:\\.|[^'\\])*+'"),
            Mend("data", r'(?s)\$?"(\\.|[^"\\$])*"', r'(?s)\$?"(?:\\.|[^"\\$])*+"'),
            # The expression of Pygments looks for the end anew for each beginning of the word, and up to the end of the
            # code.
            Mend("basic", r"<<-?\s*(\'?)\\?(\w+)[\w\W]+?\2", r"<<-?\s*+(\'?)\\?(\w++)[\w\W]{1,2000}?\2"),
        ),
    ),
    Language(("python", "py", "python3")),
    Language(("yaml", "yml")),
    Language(("toml",)),
    Language(("json",)),
    Language(("properties",)),
    Language(("diff", "patch")),
    Language(("sql",)),
    Language(("c",)),
    Language(("cpp", "c++")),
    Language(("cuda", "cu")),
    Language(("rust", "rs")),
    Language(("cmake",)),
    Language(("nginx",)),
)

_LONG_LINE = re.compile(rf"[^\n]{{{LONGEST_LINE + 1}}}")
_WIDE_GAP = re.compile(rf"\s{{{LONGEST_GAP + 1}}}")


class Palette:
    """Colours the code of one text of `length` characters; code over the limits of this module gets no colours."""

    def __init__(self, length: int = MOST_A_TEXT) -> None:
        self._fences = MOST_FENCES
        self._characters = MOST_A_TEXT
        self._tokens = min(MOST_TOKENS, FEW_TOKENS + length // TOKENS_ONE_IN)

    def spans(self, code: str, language: str) -> str:
        """Return code as HTML: words in `span` elements, or just escaped when it gets no colours."""
        lexer = _lexer(language.lower())
        if (
            lexer is None
            or not is_colourable(code)
            or not self._fences
            or not self._tokens
            or len(code) > self._characters
        ):
            return str(escape(code))
        self._fences -= 1
        self._characters -= len(code)
        most = min(self._tokens, MOST_TOKENS_A_FENCE)
        tokens = first_tokens(lexer, code, most + 1)
        self._tokens -= min(len(tokens), most)
        return str(escape(code)) if len(tokens) > most else _written(tokens)


def is_colourable(code: str) -> bool:
    """Tell whether code is short enough, in all and in its lines and gaps, to be given to a lexer."""
    return len(code) <= MOST_A_FENCE and not _LONG_LINE.search(code) and not _WIDE_GAP.search(code)


def first_tokens(lexer: Lexer, code: str, most: int) -> list[tuple[Any, str]]:
    """Return the first `most` tokens of code; the lexer reads no further."""
    return list(islice(lexer.get_tokens(code), most))


def _written(tokens: Sequence[tuple[Any, str]]) -> str:
    written = StringIO()
    HtmlFormatter(nowrap=True).format(tokens, written)
    return written.getvalue()


@cache
def lexers() -> dict[str, Lexer]:
    """Return the lexer of each language that is coloured, by all of its names."""
    made = {language: _mended(language)(stripnl=False) for language in LEXERS}
    return {name: lexer for language, lexer in made.items() for name in language.names}


def _lexer(language: str) -> Lexer | None:
    return lexers().get(language)


def _mended(language: Language) -> type[Lexer]:
    """Return the lexer class with quick expressions in place of slow ones. Raises `LookupError` if it lacks one."""
    kind: Any = find_lexer_class_by_name(language.names[0])
    if not language.mends:
        return cast(type[Lexer], kind)
    tokens = {state: list(rules) for state, rules in kind.tokens.items()}
    for mend in language.mends:
        places = [at for at, rule in enumerate(tokens[mend.state]) if rule[0] == mend.slow]
        if not places:
            raise LookupError(f"{kind.name}: no {mend.slow} in {mend.state}")
        for at in places:
            tokens[mend.state][at] = (mend.quick, *tokens[mend.state][at][1:])
    mended: type[Lexer] = type(kind.__name__, (kind,), {"tokens": tokens})
    return mended
