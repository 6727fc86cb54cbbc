"""What found no entry: counted by the masked pattern of its first cause, shown once it is nobody's alone."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlmodel import Session

from app.accounts import Who, reviewer
from app.drafts import ENOUGH
from app.errors import ErrdexError
from app.masked import KINDS, secret_spans, shortened
from app.matching.knowledge import word_table
from app.matching.mask import fingerprint
from app.matching.signature import HOLE, compile_pattern
from app.matching.tokens import words
from app.matching.types import Report
from app.models import Wanted, now
from app.search import Questions
from app.store import wanted
from app.store.session import writing

# askings from which on the pattern is kept
ENOUGH_ASKED = 3
LONGEST_PATTERN = 300
# what was asked less often than that is forgotten after this time
KEPT = timedelta(days=30)
PAGE = 30
_LINES = 3

# An ordered table of what is never kept: values, paths, names, numbers. The first that fits at a place wins. `name` is
# what stands in quotes or after a word like `user`; it stays where all its words are ones that software prints.
_PRIVATE: tuple[tuple[str, str], ...] = (
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
_VALUES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PRIVATE))
_PLAIN = re.compile(r"['\"`]?[A-Za-z_][A-Za-z_ -]*['\"`]?")
_WHOSE = re.compile(r"[\w@.$-]+$")
_SEVERAL = re.compile(rf"{re.escape(HOLE)}(?:[\s,./:-]*{re.escape(HOLE)})+")
_LEADING = re.compile(rf"^(?:{re.escape(HOLE)}[\s:,;.-]*)+")


@dataclass(frozen=True, slots=True)
class Missing:
    """An error that has no entry: its pattern with `<*>` holes, how often it was asked, first and last."""

    fingerprint: str
    pattern: str
    asked: int
    first: datetime
    last: datetime


def pattern_of(report: Report) -> str:
    """Return the pattern of the first cause without any value, path, name or number; empty where too little is left.

    Nothing that a person wrote is taken, only what a program printed.
    """
    cause = report.cause
    if cause is None or cause.kind != "error" or cause.person:
        return ""
    lines = cause.text[max(0, cause.text.find(cause.type)) :].split("\n")
    for count in range(1, _LINES + 1):
        pattern = _holed(" ".join(lines[:count]))
        if compile_pattern(pattern).total >= ENOUGH:
            return pattern
    return ""


def _holed(text: str) -> str:
    text = " ".join(text.split())
    for span, _ in reversed(secret_spans(text)):
        text = f"{text[: span.start]}{HOLE}{text[span.end :]}"
    holed = _VALUES.sub(_hole, text)
    return shortened(_LEADING.sub("", _SEVERAL.sub(HOLE, holed)), LONGEST_PATTERN)


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
    known = word_table("message_words.tsv")
    return _PLAIN.fullmatch(text) is not None and all(word in known for word in words(text))


def count(engine: Engine, patterns: Mapping[str, int]) -> None:
    """Count patterns, each as often as it was asked, in a transaction of its own. Raises `Unavailable`."""
    at = now()
    with writing(engine) as session:
        for pattern, times in sorted(patterns.items()):
            wanted.count(session, fingerprint(pattern), pattern, times, enough=ENOUGH_ASKED, at=at)
        wanted.forget(session, at - KEPT, ENOUGH_ASKED)


def most(session: Session, questions: Questions, page: int) -> tuple[list[Missing], bool]:
    """Return a page of what is wanted most and still finds no entry, and whether there are more.

    Each is asked again, so that what an entry answers by now is not shown.
    """
    rows = wanted.most(session, after=page * PAGE, limit=PAGE + 1)
    return [_missing(row) for row in rows[:PAGE] if not _answered(questions, row)], len(rows) > PAGE


def _missing(row: Wanted) -> Missing:
    return Missing(row.fingerprint, row.pattern, row.asked, row.first, row.last)


def _answered(questions: Questions, row: Wanted) -> bool:
    try:
        return bool(questions.ask(row.pattern.replace(HOLE, "1"), "en", 1).matches)
    except ErrdexError:
        # a list is better than none
        return False


def dismiss(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Take errors out of the list for good. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        wanted.dismiss(session, one)
