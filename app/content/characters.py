"""Characters that show nothing, or something else than they are."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# What shows nothing by itself, as the inside of a class of characters that every dialect of regular expressions reads,
# since the JSON Schema of an entry says it, too: spaces, controls, what Unicode ignores by default (formats, joiners,
# selectors, tags), the letters and the pattern of Braille that are blank, and the blocks of diacritical marks, which
# need a letter to stand on. An unassigned code point is drawn as a box, and a mark of a script on a dotted circle.
INVISIBLE = (
    r"\u0000-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u0483-\u0489\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    r"\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164"
    r"\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d165-\U0001d182\U000e0000-\U000e0fff"
)
_SURROGATES = r"\ud800-\udfff"
_VISIBLE = re.compile(f"[^{INVISIBLE}{_SURROGATES}]")
# With these characters of the bidirectional algorithm (UAX 9) what follows is shown, or may be shown, in another order.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WORD = re.compile(r"[^\W\d_]+")
_AROUND, _LONGEST_WORD = 12, 60
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
# Letters of Cyrillic and Greek that are drawn like Latin ones (a choice from Unicode Technical Standard 39). Others,
# such as µ, π, σ or Δ, are symbols beside Latin letters and no disguise.
_LOOKALIKES = re.compile(
    "[\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0422\u0423\u0425"
    "\u0430\u0435\u043a\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0475\u04ae\u04af\u04bb\u04bd\u04c0\u04cf"
    "\u0501\u051b\u051d"
    "\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b1\u03b9\u03bd\u03bf\u03c1\u03c5\u03f2\u03f3\u03f9]"
)

Kind = Literal["bidi", "mixed"]


@dataclass(frozen=True, slots=True)
class Deceptive:
    """A place that may look like something else: a control of the writing direction, or a word of two scripts.

    `parts` is the word, or the control with a little of the text around it; the characters that are not what they look
    like are marked with their names, the others have none.
    """

    kind: Kind
    parts: tuple[tuple[str, str], ...]


def is_visible(text: str) -> bool:
    """Tell whether a text shows anything."""
    return _VISIBLE.search(text) is not None


def deceptive(text: str) -> Iterator[Deceptive]:
    """Yield the places of a text that may look like something else than they are.

    Chinese beside Latin is not marked, nor is a word of one script, a symbol such as µ, or an emoji of several parts.
    """
    for match in _BIDI.finditer(text):
        before = text[max(0, match.start() - _AROUND) : match.start()].rpartition("\n")[2]
        after = text[match.end() : match.end() + _AROUND].partition("\n")[0]
        yield Deceptive("bidi", _parts(f"{before}{match.group()}{after}", _BIDI))
    for match in _WORD.finditer(text):
        word = match.group()
        if not word.isascii() and _LATIN.search(word) and _LOOKALIKES.search(word):
            yield Deceptive("mixed", _parts(word[:_LONGEST_WORD], _LOOKALIKES))


def _parts(text: str, odd: re.Pattern[str]) -> tuple[tuple[str, str], ...]:
    parts: list[tuple[str, str]] = []
    at = 0
    for match in odd.finditer(text):
        if match.start() > at:
            parts.append((text[at : match.start()], ""))
        parts.append((match.group(), _named(match.group())))
        at = match.end()
    return (*parts, (text[at:], "")) if at < len(text) else tuple(parts)


def _named(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()
