"""Variable parts of a message become `<name>`, so that two prints of the same error are equal."""

import hashlib
import re
from functools import cache, lru_cache

# An ordered table: the first mask that fits at a place wins. Add a row where two prints of one error differ only in a
# value of a new kind; keep every expression free of nested repetition, and its name out of the other expressions.
# The first row stays the first: what is masked already is left alone. None of them fits a space, nor looks beyond one.
MASKS: tuple[tuple[str, str], ...] = (
    ("masked", r"<[a-z]+>"),
    ("url", r"[a-z][a-z0-9+.-]{1,20}://[^\s'\"<>)\]},;]+"),
    ("email", r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"),
    ("uuid", r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
    ("address", r"0[xX][0-9a-fA-F]+"),
    ("ip", r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\d.])"),
    ("path", r"(?<![\w.])(?:~|\.{1,2})?/(?:[\w.@%+=~-]+/)*[\w.@%+=~-]+|[A-Za-z]:\\[^\s'\"<>|]+"),
    ("hash", r"(?<![0-9a-zA-Z_])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{12,64}(?![0-9a-zA-Z_])"),
    ("number", r"(?<![A-Za-z_<])[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?"),
)
# A mask can only match where the text holds one of its characters here. So most messages are spared most of the table.
_HELD = ("://", "@", "-", ".", "/", ":\\")
_NEEDS = {"url": {"://"}, "email": {"@"}, "uuid": {"-"}, "ip": {"."}, "path": {"/", ":\\"}}
_DIGITAL = {"address", "ip", "hash", "number"}
_DIGIT = re.compile(r"\d")
# It matches a character that a value can begin or end with, right beside a mask.
_BESIDE = re.compile(r">[\w.@%+=~/:\\-]|[\w.@%+=~/:\\-]<")


# Longer words are not cached, for they are hardly seen twice.
_REMEMBERED_LENGTH = 48


def mask(text: str) -> str:
    """Return `text` with its variable parts masked; masking again changes nothing."""
    # each mask fits a digit or a mark, so that a word of letters alone stays, as most words do
    return " ".join(
        [
            word if word.isalpha() else _known(word) if len(word) <= _REMEMBERED_LENGTH else _word(word)
            for word in text.split(" ")
        ]
    )


def _word(text: str) -> str:
    masked = _once(text)
    # What stands beside a mask may look like a value only now that the mask is there.
    while masked != text and _BESIDE.search(masked):
        text, masked = masked, _once(masked)
    return masked


_known = lru_cache(maxsize=32_768)(_word)


def _once(text: str) -> str:
    fits = _that_fit(_DIGIT.search(text) is not None, *[held in text for held in _HELD])
    return fits.sub(_name, text) if fits else text


@cache
def _that_fit(digits: bool, *held: bool) -> re.Pattern[str] | None:
    there = {part for part, is_there in zip(_HELD, held, strict=True) if is_there}
    rows = [
        row
        for row in MASKS[1:]
        if (digits or row[0] not in _DIGITAL) and (row[0] not in _NEEDS or there & _NEEDS[row[0]])
    ]
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in (MASKS[0], *rows))) if rows else None


def _name(match: re.Match[str]) -> str:
    return match.group() if match.lastgroup == "masked" else f"<{match.lastgroup}>"


def fingerprint(text: str) -> str:
    """Return a short hash of the masked text, for equality only: 16 hexadecimal digits."""
    return hashlib.blake2b(mask(text).lower().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
