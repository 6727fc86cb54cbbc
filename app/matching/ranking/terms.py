"""What the recall index holds of an entry, and what a paste asks it for."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from app.matching.model import Report
from app.matching.parsing.frames import tail
from app.matching.ranking.pattern import chunks_of
from app.matching.text.rules import stop_words, subjects, weights
from app.matching.text.tokens import stem, words

LONGEST_TERM = 120
# Before a term it says that the term stands in a title.
TITLED = "said:"
# Pairs of the first so many words of a message are terms, for the telling part of an error is at its beginning.
LONGEST_PAIRED = 60
# A paste of so few messages asks for the pairs of all of them, a longer one only for those of its errors.
FEW_MESSAGES = 6
# Without an error, as in a list of processes, a paste of up to so many messages asks for the pairs of all of them.
FEW_WITHOUT_ERRORS = 10
# At most so many terms are asked for, those of the errors first.
MOST_ASKED = 2_000
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_PARTS = re.compile(r"[a-z0-9]+")


def message_terms(said: Sequence[str]) -> set[str]:
    """Return the terms of the words of a message or a pattern: all but numbers and single letters."""
    return {word for word in said if 1 < len(word) <= LONGEST_TERM}


def pair_terms(said: Sequence[str]) -> set[str]:
    """Return neighbouring words of a message as terms: where each word is common, two in a row are not."""
    return {
        f"{one} {other}"
        for one, other in pairwise(said[:LONGEST_PAIRED])
        if len(one) > 1 and len(other) > 1 and len(one) + len(other) < LONGEST_TERM
    }


@lru_cache(maxsize=65_536)
def _of_word(word: str) -> tuple[str, ...]:
    stop = stop_words()
    parts = _PARTS.findall(word)
    found = tuple(stem(part) for part in parts if len(part) > 1 and part not in stop)
    return (*found, word) if len(parts) > 1 else found


def prose_terms(text: str) -> frozenset[str]:
    """Return the terms of a sentence in either language: stems, identifiers and their parts, Chinese pairs."""
    found: set[str] = set()
    spelled, names = _spelled()
    text = spelled.sub(lambda name: names[name[0].lower()], text)
    for word in message_terms(words(text)):
        if word.isascii():
            found.update(_of_word(word))
    stop = stop_words()
    for run in _HAN_RUN.findall(text):
        found.update(pair for at in range(len(run) - 1) if (pair := run[at : at + 2]) not in stop)
    return frozenset(found)


@cache
def _spelled() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds names that are no words, and {such a name in lower case: the name that is one}."""
    names = {name.lower(): word for name, word in subjects()["spelled"].items()}
    found = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![A-Za-z0-9])(?:{found})(?![A-Za-z0-9])", re.IGNORECASE), names


# This is for texts of entries, whose terms are asked for several times in a row; pasted texts are not kept in the
# cache.
known_terms = lru_cache(maxsize=256)(prose_terms)


def titled(terms: Iterable[str]) -> frozenset[str]:
    """Return terms as those of titles: every text shares words with a question, a title says what an entry is about."""
    return frozenset(TITLED + term for term in terms)


def frame_term(path: str, function: str) -> str:
    """Return the term of a stack frame: the last two parts of its path and its function."""
    term = f"f:{tail(path)}:{function}"[:LONGEST_TERM]
    # No database can be asked for NUL or for half of a surrogate pair.
    return term.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def cause_terms(report: Report, said: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the terms of the cause alone: of its words and of the frames above it; as `asked_terms` does."""
    place = next((place for place, message in enumerate(report.messages) if message.role == "cause"), None)
    if place is None:
        return {}
    knobs = weights()["recall"]
    found = dict.fromkeys(message_terms(said[place]) | pair_terms(said[place]), knobs["cause"])
    frames = report.messages[place].frames
    return found | {frame_term(frame.path, frame.function): knobs["frame"] for frame in frames if frame.function}


def asked_terms(report: Report, said: Sequence[Sequence[str]], shown: Collection[str] = ()) -> dict[str, float]:
    """Return all terms that a paste asks for, each with how much it counts when candidates are chosen.

    `said` are the words of each message of the report, `shown` the terms of its signs.
    """
    knobs = weights()["recall"]
    found: dict[str, float] = {}

    def want(terms: Collection[str], worth: float) -> None:
        # where some are left out, which ones must not depend on the order of a set, which differs between processes
        for term in terms if len(found) + len(terms) <= MOST_ASKED else sorted(terms):
            if len(found) < MOST_ASKED and found.get(term, 0.0) < worth:
                found[term] = worth

    want([frame_term(frame.path, frame.function) for frame in report.frames if frame.function], knobs["frame"])
    want(titled(shown), knobs["title"])
    first = [message.role in ("cause", "consequence") for message in report.messages]
    few = len(first) <= (FEW_MESSAGES if any(first) else FEW_WITHOUT_ERRORS)
    for place in sorted(range(len(first)), key=lambda place: not first[place]):
        if len(found) >= MOST_ASKED:
            break
        message = report.messages[place]
        worth = knobs[message.role or "log"]
        want(message_terms(said[place]), worth)
        if first[place] or few:
            want(pair_terms(said[place]), worth)
        if message.person:
            typed = prose_terms(message.text)
            want(typed, knobs["prose"])
            want(titled(typed), knobs["title"])
    return found


def indexed_terms(
    patterns: Iterable[str], frames: Iterable[str], prose: Iterable[str], titles: Iterable[str]
) -> frozenset[str]:
    """Return all terms under which an entry is found; `prose` are its texts, its titles among them."""
    found: set[str] = set()
    for pattern in patterns:
        for said in chunks_of(pattern):
            found |= message_terms(said)
            found |= pair_terms(said)
    for frame in frames:
        path, _, function = frame.rpartition(":")
        found.add(frame_term(path, function))
    for text in prose:
        found |= known_terms(text)
    for text in titles:
        found |= titled(known_terms(text))
    return frozenset(found)
