"""Signs: what a message shows without saying it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from app.matching.model import Frame, Message, Report, Span
from app.matching.ranking.terms import known_terms
from app.matching.text.rules import sign_words, signs

# who shows what a model wrote shows it soon
MOST_MESSAGES = 40
# words of a phrase at most, and how often in a row it must stand; shorter phrases more often
LONGEST_PHRASE = 24
TIMES = 4
FEWEST_WORDS = 12
# lines before it in which it may be announced; it need not begin with what it repeats
ANNOUNCED_BEFORE = 3
# characters; Chinese has no spaces between words
FEWEST_CHARACTERS = 16
# letters in a row; what is counted as a run is most of its word, unlike the padding of encoded bytes
_RUN = re.compile(r"([^\W\d_])\1{19,}")
# what an … in the words of a sign stands for
_FEW_OTHERS = r"[^\n.,!?，。！？；;]{0,16}?"
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")


class Sign(NamedTuple):
    """A sign that a paste shows: its name, the terms that it asks for, where it stands, and whether it asks alone.

    One that asks alone is a question of its own beside what else a person wrote; the others are a part of that.
    """

    name: str
    terms: frozenset[str]
    spans: tuple[Span, ...]
    alone: bool = False


class _Telling(NamedTuple):
    """The words by which a person tells of a sign, in groups; those of commands, the functions on a stack that say as
    much, and the words of something else.
    """

    told: tuple[re.Pattern[str], ...]
    started: re.Pattern[str] | None
    called: frozenset[str]
    unless: re.Pattern[str] | None


def shown(report: Report, asked: Mapping[int, str]) -> tuple[Sign, ...]:
    """Return the signs that a paste shows; one in which a program reports an error shows none. Several of a kind are
    one. What a program lists (a sign with a `pattern`) is one only beside the words of a person who asks about it, and
    what a person tells (a sign with `told`) asks alone. `asked` is what a person wrote in a message, by its place,
    without what they deny.
    """
    messages = report.messages
    if any(message.kind == "error" and message.role != "noise" and not message.person for message in messages):
        return ()
    first = messages[:MOST_MESSAGES]
    spans = tuple(message.span for message in first if repeats(message.text))
    spans = spans or tuple(message.span for message in _repeated_lines(first))
    found = {"repeated": spans} | {name: _listed(name, first) for name in _patterns()}
    said = [(message, asked[place]) for place, message in enumerate(first) if place in asked and not message.printed]
    found |= {name: _told(telling, first, report.frames, said) for name, telling in _tellings().items()} if said else {}
    return tuple(
        Sign(name, known_terms(signs()[name]["words"]), spans, "told" in signs()[name])
        for name, spans in found.items()
        if spans
    )


def _told(
    row: _Telling, messages: Sequence[Message], frames: Sequence[Frame], said: Sequence[tuple[Message, str]]
) -> tuple[Span, ...]:
    """Return where a person tells what a sign is about: a word of each group, whatever order they are in, and none of
    `unless`. A command in the paste, or a call on a stack whose error is cut away, says as well as a word of the last
    group what was going on.

    `said` is what a person wrote, without what they deny.
    """
    spans: list[Span] = []
    for group in row.told:
        here = _first(group, said)
        if here is None and group is row.told[-1]:
            here = _going_on(row, messages, frames)
        if here is None:
            return ()
        spans += here
    struck = row.unless and any(row.unless.search(message.text) for message, _ in said)
    return () if struck else tuple(spans)


def _going_on(row: _Telling, messages: Sequence[Message], frames: Sequence[Frame]) -> tuple[Span, ...] | None:
    """Return where a command, or else a call on a stack, says what was going on."""
    started = _first(row.started, ((message, message.text) for message in messages)) if row.started else None
    return started or next(((frame.span,) for frame in frames if frame.function in row.called), None)


def _first(words: re.Pattern[str], texts: Iterable[tuple[Message, str]]) -> tuple[Span, ...] | None:
    hits = (message.spans(*hit.span()) for message, text in texts if (hit := words.search(text)))
    return next(hits, None)


def _listed(name: str, messages: Sequence[Message]) -> tuple[Span, ...]:
    """Return where a program lists what a sign is about, if a person asks about that."""
    asked = " ".join(message.text for message in messages if message.person).lower()
    if not any(word in asked for word in signs()[name]["asked"]):
        return ()
    pattern = _patterns()[name]
    return tuple(message.span for message in messages if not message.person and pattern.search(message.text))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(row["pattern"], re.MULTILINE) for name, row in signs().items() if "pattern" in row}


@cache
def _tellings() -> dict[str, _Telling]:
    return {name: _telling(row) for name, row in signs().items() if "told" in row}


def _telling(row: Mapping[str, Any]) -> _Telling:
    started, unless = (_any_of(row[key]) if key in row else None for key in ("started", "unless"))
    return _Telling(tuple(map(_any_of, row["told"])), started, frozenset(row.get("called", ())), unless)


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    """Return an expression for any of some words, whole ones where they are in Latin letters; `@name` is a list, and …
    stands for a few other words between the same commas.
    """
    every = [one for word in words for one in (sign_words(word[1:]) if word.startswith("@") else (word,))]
    return re.compile(
        "|".join(_FEW_OTHERS.join(_whole(part.strip()) for part in word.split("…")) for word in every), re.IGNORECASE
    )


def _whole(word: str) -> str:
    if not word.isascii():
        return re.escape(word)
    return rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])".replace(r"\ ", r"\s+")


def _repeated_lines(messages: Sequence[Message]) -> list[Message]:
    """Return the lines that a text which somebody announced as a model's says again and again.

    Without such an announcement they may as well be what a program warns of on every step.
    """
    found = [message for message in messages if message.in_a_row >= TIMES and not message.printed]
    said = sum(message.in_a_row * len(_WORD.findall(message.text)) for message in found)
    if said < FEWEST_WORDS or not _says([message.text for message in found]):
        return []
    place = messages.index(found[0])
    return found if any(map(_announces, messages[max(0, place - ANNOUNCED_BEFORE) : place])) else []


def _announces(message: Message) -> bool:
    text = message.text.rstrip().lower()
    ends = text.endswith((":", "：", ">", "]")) or message.person
    return ends and any(word in text for word in signs()["repeated"]["announced"])


def repeats(text: str) -> bool:
    """Tell whether most of a text is one phrase, word or letter again and again. Linear in its length."""
    spaced = text.split()
    if _is_one_phrase(spaced, FEWEST_WORDS):
        return True
    if not text.isascii() and _is_one_phrase(list(text), FEWEST_CHARACTERS):
        return True
    return any(_runs(spaced))


def _is_one_phrase(parts: Sequence[str], fewest: int) -> bool:
    if len(parts) < fewest or len(set(parts)) * 2 > len(parts):
        return False
    for length in range(1, LONGEST_PHRASE + 1):
        again, begin = 0, 0
        for at in range(length, len(parts)):
            again = again + 1 if parts[at] == parts[at - length] else 0
            if again == 1:
                begin = at - length
            whole = again + length
            if (
                whole >= max(TIMES * length, fewest)
                and 2 * whole >= len(parts)
                and _says(parts[begin : begin + length])
            ):
                return True
    return False


def _says(phrase: Sequence[str]) -> bool:
    # rulers, tables of numbers and progress bars repeat themselves too
    return sum(len(part) for part in phrase) <= 4 * sum(len(word) for word in _WORD.findall(" ".join(phrase)))


def _runs(words: Sequence[str]) -> Iterator[bool]:
    for word in words:
        if len(word) >= 20:
            run = sum(len(found.group()) for found in _RUN.finditer(word))
            yield 2 * run >= len(word)
