"""The pattern of an error that may be kept and shown: only words that software prints, everything else a hole."""

import re

from app.matching.model import Report
from app.matching.ranking.holes import HOLE
from app.matching.ranking.pattern import compile_pattern
from app.matching.text.rules import word_table
from app.matching.text.tokens import words
from app.privacy.holes import several_holes, tidy_holes
from app.privacy.public_words import public_only
from app.privacy.redaction import KINDS, secret_spans

LONGEST_PATTERN = 300
# Enough public words are looked for in the first lines of a message, so many.
_LINES = 3

# This ordered table lists what is never kept: values, paths, names, numbers. The first row that fits at a place wins.
# `name` is what stands in quotes or after a word like `user`; it is kept where all its words are ones that software
# prints.
KEPT_OUT: tuple[tuple[str, str], ...] = (
    ("hole", re.escape(HOLE)),
    ("object", r"<[^<>\n]{1,200}>"),
    *(kind for kind in KINDS if kind[0] != "masked"),
    ("random", r"(?<![\w+/=-])(?=[^\s]*\d)[A-Za-z0-9+/_=-]{24,}"),
    ("relative", r"(?<![\w.@%+=~-])[\w.@%+=~-]+(?:[/\\][\w.@%+=~-]+)+[/\\]?"),
    (
        "file",
        r"(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:py|sh|ya?ml|jsonl?|toml|ini|cfg|txt|log|csv|parquet|pt|pth|bin|safetensors|so|h)(?!\w)",
    ),
    ("name", r"(?<!\w)'[^'\n]{1,200}'(?!\w)|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`"),
    (
        "whose",
        r"(?i:(?<![a-z])(?:user|username|host|hostname|node|owner|account|login|group|namespace)(?:\s+|\s?[:=]\s?))[\w@.$-]+",
    ),
    ("assigned", r"(?<=[\w\]])=(?!=)[^\s,;)\]}'\"]+"),
    ("digits", r"\d+"),
)
_VALUES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in KEPT_OUT))
_PLAIN = re.compile(r"['\"`]?[A-Za-z_][A-Za-z_ -]*['\"`]?")
_WHOSE = re.compile(r"[\w@.$-]+$")
_SEVERAL = several_holes(r"[\s,./:-]*")


def pattern_of(report: Report, names: frozenset[str], enough: float) -> str:
    """Return the pattern of the first cause without any value, path, name or number, and without any word that no
    shipped table knows; empty where too little is left.

    `names` are public words that stand in no table: those of projects. `enough` is the summed word weight that must be
    left. Nothing that a person wrote is taken, only what a program printed.
    """
    cause = report.cause
    if cause is None or cause.kind != "error" or cause.person:
        return ""
    lines = cause.text[max(0, cause.text.find(cause.type)) :].split("\n")
    for count in range(1, _LINES + 1):
        pattern = _holed(" ".join(lines[:count]), names)
        if compile_pattern(pattern).total >= enough:
            return pattern
    return ""


def _holed(text: str, names: frozenset[str]) -> str:
    text = " ".join(text.split())
    for span, _ in reversed(secret_spans(text)):
        text = f"{text[: span.start]}{HOLE}{text[span.end :]}"
    return make_public(_VALUES.sub(_hole, text), names)


def make_public(text: str, names: frozenset[str]) -> str:
    """Return a text with a hole for each word that no table knows, and one hole for several in a row. Doing it again
    changes nothing.
    """
    return tidy_holes(public_only(text, names), _SEVERAL, LONGEST_PATTERN)


def _hole(match: re.Match[str]) -> str:
    text = match.group()
    if match.lastgroup == "name":
        return text if _is_public(text) else f"{text[0]}{HOLE}{text[-1]}"
    if match.lastgroup == "whose":
        said = _WHOSE.search(text)
        return text if said is None or _is_public(said.group()) else f"{text[: said.start()]}{HOLE}"
    return f"={HOLE}" if match.lastgroup == "assigned" else HOLE


def _is_public(text: str) -> bool:
    """Tell whether software prints every word of a text, as far as the shipped table knows."""
    known = word_table("message_word_weights.tsv")
    return _PLAIN.fullmatch(text) is not None and all(word in known for word in words(text))
