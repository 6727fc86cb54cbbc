"""What found no entry: counted by the masked pattern of its first cause, all of whose words are ones software prints.

The pattern is kept, for reviewers, once it is nobody's alone: when clients of several addresses asked on one day, or
several people who sign in, on whichever days. Everybody sees it once a reviewer released it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import Engine
from sqlmodel import Session

from app.asking import day_digest
from app.asking.day_digest import Day
from app.asking.entry_draft import ENOUGH
from app.asking.question_service import Questions
from app.content.names import named_words
from app.errors import ErrdexError
from app.matching.model import Report
from app.matching.ranking.pattern import HOLE, compile_pattern
from app.matching.text.masks import fingerprint
from app.matching.text.rules import word_table
from app.matching.text.tokens import words
from app.people.accounts import Who, reviewer
from app.privacy.public_words import public_only
from app.privacy.redaction import KINDS, secret_spans, shortened
from app.store import unanswered
from app.store.session import reading, writing
from app.store.tables import Wanted, now

# different addresses on one day, or different people who sign in on any days, from which on the pattern is kept
ENOUGH_ASKED = 3
LONGEST_PATTERN = 300
# what was asked by fewer is forgotten after this time
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
    """An error that has no entry: its pattern with `<*>` holes, how often it was asked, first and last.

    `released` says that everybody sees it, not only reviewers.
    """

    fingerprint: str
    pattern: str
    asked: int
    first: datetime
    last: datetime
    released: bool


@dataclass(slots=True)
class AskCount:
    """How often something was asked, and by whom: clients as `day_digest.client` names them, numbers of people.

    As many of either are kept as are enough for the pattern to be kept.
    """

    times: int = 0
    clients: set[str] = field(default_factory=set)
    people: set[int] = field(default_factory=set)

    def add(self, client: str, person: int | None) -> None:
        """Count one asking; `person` is the number of somebody who had signed in."""
        self.times += 1
        if len(self.clients) < ENOUGH_ASKED:
            self.clients.add(client)
        if person is not None and len(self.people) < ENOUGH_ASKED:
            self.people.add(person)


def pattern_of(report: Report) -> str:
    """Return the pattern of the first cause without any value, path, name or number, and without any word that no
    shipped table knows; empty where too little is left.

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
    return public(_VALUES.sub(_hole, text))


def public(text: str) -> str:
    """Return a text without words that no table knows, of several holes in a row one; again it changes nothing."""
    return shortened(_LEADING.sub("", _SEVERAL.sub(HOLE, public_only(text, named_words()))), LONGEST_PATTERN)


def _hole(match: re.Match[str]) -> str:
    text = match.group()
    if match.lastgroup == "name":
        return text if _ispublic(text) else f"{text[0]}{HOLE}{text[-1]}"
    if match.lastgroup == "whose":
        said = _WHOSE.search(text)
        return text if said is None or _ispublic(said.group()) else f"{text[: said.start()]}{HOLE}"
    return f"={HOLE}" if match.lastgroup == "assigned" else HOLE


def _ispublic(text: str) -> bool:
    """Tell whether software prints every word of a text, as far as the shipped table knows."""
    known = word_table("message_word_weights.tsv")
    return _PLAIN.fullmatch(text) is not None and all(word in known for word in words(text))


def count(engine: Engine, patterns: Mapping[str, AskCount], key: str, at: datetime | None = None) -> None:
    """Count patterns, each as often as it was asked, in a transaction of its own. Raises `Unavailable`.

    `key` is the secret of the installation. A pattern that nobody asked for before is counted while the day has room.
    """
    at = at or now()
    asked = _by_fingerprint(patterns)
    with writing(engine) as session:
        day = day_digest.open_day(session, key, at)
        known = unanswered.known(session, asked)
        fresh = set(islice((one for one in asked if one not in known), max(0, day.room)))
        # in one order, for each locks its row: others who count the same wait, and then see whom we saw
        for one in sorted(fresh.union(known)):
            unanswered.count(session, one, asked[one][1].times, at)
        for one in _enough(session, day, {one: asked[one][1] for one in asked if known.get(one, one in fresh)}):
            unanswered.keep_pattern(session, one, asked[one][0])
        unanswered.forget(session, at - KEPT)


def _by_fingerprint(patterns: Mapping[str, AskCount]) -> dict[str, tuple[str, AskCount]]:
    """Return patterns by their fingerprints; some that differ only in case have the same."""
    found: dict[str, tuple[str, AskCount]] = {}
    for pattern, asked in patterns.items():
        kept = found.setdefault(fingerprint(pattern), (pattern, AskCount()))[1]
        kept.times += asked.times
        kept.clients |= asked.clients
        kept.people |= asked.people
    return found


def _enough(session: Session, day: Day, asked: Mapping[str, AskCount]) -> list[str]:
    """Note who asked for patterns that are not kept yet, and return those that enough different people asked for."""
    clients = day_digest.see(session, day, {_about(one): found.clients for one, found in asked.items()}, ENOUGH_ASKED)
    people = unanswered.add_people(session, {one: found.people for one, found in asked.items()})
    return [one for one in asked if max(clients[_about(one)], people.get(one, 0)) >= ENOUGH_ASKED]


def _about(one: str) -> str:
    return f"wanted:{one}"


def most(session: Session, questions: Questions, page: int, who: Who | None = None) -> tuple[list[Missing], bool]:
    """Return a page of what is wanted most and still finds no entry, and whether there are more.

    Reviewers get what was released and what was not, everybody else what was. Each is asked again, so that what an
    entry answers by now is not shown.
    """
    released = not (who and who.may_review)
    rows = unanswered.most(session, released=released, after=page * PAGE, limit=PAGE + 1)
    return [_missing(*row) for row in rows[:PAGE] if not _answered(questions, row[0])], len(rows) > PAGE


def _missing(row: Wanted, released: bool) -> Missing:
    return Missing(row.fingerprint, row.pattern, row.asked, row.first, row.last, released)


def _answered(questions: Questions, row: Wanted) -> bool:
    try:
        return bool(questions.ask(row.pattern.replace(HOLE, "1"), "en", 1).matches)
    except ErrdexError:
        # a list is better than none
        return False


def unreleased(session: Session) -> int:
    """Return how many patterns are there that only reviewers see."""
    return unanswered.unreleased(session)


def dismiss(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Take errors out of the list for good and forget their patterns. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        unanswered.dismiss(session, one)


def release(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Have everybody see errors that are in the reviewers' list. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        unanswered.release(session, one, who.name, now())


def withdraw(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Have only reviewers see errors that were released. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        unanswered.withdraw(session, one)


def hole_again(engine: Engine) -> int:
    """Put what an earlier version kept, or a backup of one brought, into today's form; return how many were changed.

    Words that no table knows become holes and the pattern is unreleased; where too little is left it is forgotten.
    Nothing is written where nothing is to be changed. Raises `Unavailable`.
    """
    with reading(engine) as session:
        if all(public(row.pattern) == row.pattern for row in unanswered.kept_patterns(session)):
            return 0
    changed = 0
    with writing(engine) as session:
        for row in unanswered.kept_patterns(session):
            pattern = public(row.pattern)
            if pattern != row.pattern:
                enough = compile_pattern(pattern).total >= ENOUGH
                unanswered.replace(session, row, fingerprint(pattern), pattern if enough else "")
                changed += 1
    return changed
