"""Which words software prints, as far as the shipped tables know; every other one may be somebody's name.

The tables are made from public packages and from the shipped entries, never from what a team keeps in its database.
"""

import builtins
import re
from functools import cache, partial

from app.matching.ranking.holes import HOLE
from app.matching.ranking.terms import LONGEST_TERM
from app.matching.text.rules import stop_words, word_list, word_table
from app.matching.text.tokens import parts, stem

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
# Each match is judged as one, and the first alternative that fits wins. Chinese is judged a run of characters at a
# time. An identifier of any other script is judged whole, since its known half would tell what the other half is about.
# Anything else is judged that is neither ASCII nor Chinese punctuation.
_KNOWABLE = re.compile(
    rf"(?P<hole>{re.escape(HOLE)})|(?P<han>[{_HAN}]+)|(?P<identifier>[^\W\d{_HAN}]+)"
    r"|(?P<other>[^\x00-\x7f\u2018\u2019\u201c\u201d\u2026\u3000-\u3003\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]+)"
)
# These remain after the apostrophe of `can't`, `don't`, `it's`, `we'll`.
_AFTER_APOSTROPHE = frozenset({"t", "s", "d", "m", "ll", "re", "ve"})


def public_only(text: str, names: frozenset[str]) -> str:
    """Return a text with each word that no shipped table knows as `<*>`; doing it again changes nothing.

    `names` are public words that stand in no table of the engine, in lower case: those of projects.
    """
    return _KNOWABLE.sub(partial(_judged, names), text)


def _judged(names: frozenset[str], match: re.Match[str]) -> str:
    text = match.group()
    if match.lastgroup == "hole":
        return text
    if match.lastgroup == "identifier":
        shortened = match.string[: match.start()].endswith("'") and text in _AFTER_APOSTROPHE
        return text if shortened or _is_public(text, names) else HOLE
    return _known_han(text, names) if match.lastgroup == "han" else HOLE


def _is_public(identifier: str, names: frozenset[str]) -> bool:
    """Tell whether public software prints an identifier (letters and underscores) or each of its parts."""
    if not identifier.isascii():
        return False
    whole = identifier.lower()
    return whole in _known() or whole in names or all(_is_known(part, names) for part in parts(identifier))


def _is_known(part: str, names: frozenset[str]) -> bool:
    # No table has a longer word, and the cache of stems must stay small.
    if len(part) > LONGEST_TERM:
        return False
    return part in _known() or part in names or stem(part) in _known() or stem(part) in names


def _known_han(run: str, names: frozenset[str]) -> str:
    """Return a run of Chinese with a hole for what is in no known pair of characters."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    known = [pair in _known() or pair in names for pair in pairs]
    stays = [any(known[max(0, at - 1) : at + 1]) for at in range(len(run))]
    shown = "".join(char if stays[at] else "\0" for at, char in enumerate(run))
    return re.sub("\0+", HOLE, shown)


@cache
def _known() -> frozenset[str]:
    """Return everything that the tables know, in lower case: words, stems, identifiers, types, Chinese pairs."""
    types = {name.lower() for name in word_list("error_types.txt")}
    types |= {name.lower() for name in dir(builtins) if isinstance(getattr(builtins, name), type)}
    tables = (
        word_table("message_word_weights.tsv"),
        word_table("question_word_weights.tsv"),
        word_list("public_words.txt"),
    )
    words = types.union(*tables)
    # A single letter is a remainder of something, or somebody's initial, so it is not public.
    return stop_words().union(word for word in words if len(word) > 1)
