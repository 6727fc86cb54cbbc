"""A message with every value masked: what of it may leave a paste.

A masked text can be asked again as a text of the same length, in which each mask is a value of its kind, so that a
place in the one is a place in the other.
"""

import re
from collections.abc import Iterator, Sequence

from app.matching.model import Span
from app.matching.text.masks import MASKS
from app.privacy import secrets
from app.privacy.holes import is_within_word

# The masks for secrets wrote these values, such as <TOKEN#1>.
_NUMBERED = re.compile(r"<([A-Za-z]{2,20})#\d{1,6}>")
# This ordered table has the engine's masks, and between them kinds that the engine does not know. Add a row for a value
# that must not leave anybody's machine.
KINDS: tuple[tuple[str, str], ...] = (
    ("numbered", _NUMBERED.pattern.replace("(", "(?:", 1)),
    *(kind for kind in MASKS if kind[0] != "number"),
    ("short", r"(?<![0-9a-zA-Z_])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6,64}(?![0-9a-zA-Z_])"),
    *(kind for kind in MASKS if kind[0] == "number"),
)
_VALUES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in KINDS))
_SAID = {"short": "hash"}
# A value of one of these kinds is a number to the engine; one of any other kind is no evidence.
_NUMERIC = frozenset({"number", "address", "ip"})
_NAMES = frozenset(name for name, _ in KINDS) - {"masked", "numbered", "short"}
_NAMES |= {rule.placeholder.lower() for rule in secrets.rules()}
_MASK = re.compile(rf"<(?:{'|'.join(sorted(_NAMES))})>")
_ZERO = re.compile(r"[+-]?0+(?:[.,]0+)*")
_WORD = re.compile(r"[^\W_]")


def redact(text: str, public: Sequence[Span] = ()) -> str:
    """Return a message with every value masked but zero, which often is what an error is about.

    What stands in the ranges of `public` stays: words that an entry of the guide prints itself.
    """
    bare, found = without_secrets(text)
    values = [match for match in _VALUES.finditer(bare) if not _stays(match, bare)]
    parts = [(match.start(), match.end(), "".join(_parts(match, public))) for match in values]
    # A secret within a path is masked with the path.
    parts += [
        (*span, name) for span, name in found if not any(low < span.end and span.start < high for low, high, _ in parts)
    ]
    shown: list[str] = []
    at = 0
    for start, end, mask in sorted(parts):
        shown += [bare[at:start], mask]
        at = end
    return "".join((*shown, bare[at:]))


def without_secrets(text: str) -> tuple[str, list[tuple[Span, str]]]:
    """Return the text with what looks secret overwritten, where it stood, and the mask of each."""
    found = [(span, f"<{name}>") for span, name in secret_spans(text)]
    for span, _ in found:
        text = text[: span.start] + "x" * (span.end - span.start) + text[span.end :]
    return text, found


def secret_spans(text: str) -> list[tuple[Span, str]]:
    """Return where something stands that looks secret, and what it is: `token`, `user`, `host`, …; none overlap."""
    found: list[tuple[Span, str]] = []
    for one in secrets.mask(text).findings:
        name = one.placeholder.strip("<>").partition("#")[0].lower()
        for match in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(one.value)}(?![A-Za-z0-9])", text):
            if not any(match.start() < span.end and span.start < match.end() for span, _ in found):
                found.append((Span(*match.span()), name))
    return sorted(found)


def _stays(match: re.Match[str], text: str) -> bool:
    if match.lastgroup != "number":
        return match.lastgroup == "masked"
    return is_within_word(text, match.start()) or _ZERO.fullmatch(match.group()) is not None


def _parts(match: re.Match[str], public: Sequence[Span]) -> Iterator[str]:
    """Yield a mask for each part of a value that holds a word, and the public parts between them."""
    kind = str(match.lastgroup)
    mask = f"<{match.group()[1:].partition('#')[0].lower()}>" if kind == "numbered" else f"<{_SAID.get(kind, kind)}>"
    at = match.start()
    for low, high in sorted(public):
        if low < match.end() and high > at:
            part = match.string[at : max(at, low)]
            yield mask if _WORD.search(part) else part
            yield match.string[max(at, low) : min(high, match.end())]
            at = min(high, match.end())
    rest = match.string[at : match.end()]
    yield mask if _WORD.search(rest) else rest


def fill_placeholders(text: str) -> str:
    """Return a redacted text in which a neutral value of its kind stands for each mask; its length stays the same."""
    return _MASK.sub(lambda match: ("1" if match.group()[1:-1] in _NUMERIC else ".") * len(match.group()), text)


def with_holes(text: str, hole: str) -> str:
    """Return a redacted text with a hole for each mask, as patterns are written."""
    return _MASK.sub(hole, text)
