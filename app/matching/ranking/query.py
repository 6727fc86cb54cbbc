"""A report made ready to be compared with entries: its words, frames, question and signs, and what recall is asked."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import zip_longest
from typing import Any, NamedTuple, Self

from app.matching.model import Frame, Message, Report, Span, VersionSeen
from app.matching.parsing.denied_words import without_denied
from app.matching.parsing.frames import remote, tail
from app.matching.parsing.project_names import Projects
from app.matching.parsing.quoted_line import quotes_an_error
from app.matching.ranking import terms
from app.matching.ranking.pattern import Read, reads
from app.matching.ranking.subjects import Subject, names_a_program, subject_of
from app.matching.ranking.symptoms import Sign, shown
from app.matching.ranking.terms import known_terms, prose_terms
from app.matching.text.rules import field_words, weights, word_table
from app.matching.text.tokens import tokens

# a name of code, or an option
_IDENTIFIER = re.compile(r"[A-Za-z0-9]*_\w*|--[A-Za-z][\w-]*", re.ASCII)
# words of the name of a method that may stand before its own
MOST_PARTS = 8
# Whether what an entry says of releases (`Features.versions`) is not true of any version that a paste tells.
RulesOut = Callable[[Mapping[str, Any], Sequence[VersionSeen]], bool]
# Whether the entry with a slug is a team's own, and not a shipped one.
IsOwn = Callable[[str], bool]


class AskedWord(NamedTuple):
    """A word of a question with its terms, or two Chinese characters that are a term; places in its message."""

    message: Message
    start: int
    end: int
    terms: frozenset[str]


class AskedTerms(NamedTuple):
    """The terms that somebody asks for, how telling they are together, and the sign that asks for them, if one does."""

    terms: frozenset[str]
    worth: float
    sign: Sign | None = None


@dataclass(frozen=True)
class Query:
    """What a report asks: its messages as tokens, their words and which of them hold each, the words of the question.

    `frames` are, by function, the frames with whether each is near its error and the incident that it belongs to;
    `written` is what a person wrote, without what they deny; `prose` are its terms and those of the signs that do not
    ask alone. `has_error` says that a program reported an error, be it quoted in a sentence, `inner_cause` that the
    cause is no wrapper, `project` the project that the paste names; `rules_out` tells whether the versions in it rule
    an entry out, and `is_own` whether an entry is a team's own, where somebody knows.
    """

    report: Report
    reads: tuple[tuple[Read, ...], ...]
    words: frozenset[str]
    holders: Mapping[str, Sequence[int]]
    frames: dict[str, tuple[tuple[Frame, bool, int], ...]]
    written: tuple[str, ...]
    prose: frozenset[str]
    signs: tuple[Sign, ...]
    has_error: bool
    quotes: bool
    inner_cause: bool
    project: str
    rules_out: RulesOut | None = None
    is_own: IsOwn | None = None

    @classmethod
    def of(
        cls,
        report: Report,
        projects: Projects,
        rules_out: RulesOut | None = None,
        is_own: IsOwn | None = None,
    ) -> Self:
        """Return what a report asks; `projects` are those that it can name, `rules_out` knows versions, `is_own` what
        is shipped.
        """
        asked = {place: without_denied(one.text) for place, one in enumerate(report.messages) if one.person}
        read = tuple(reads(asked.get(place, message.text)) for place, message in enumerate(report.messages))
        holders: dict[str, list[int]] = {}
        for place, variants in enumerate(read):
            for word in set(variants[0].words).union(*(item.words for item in variants[1:])):
                holders.setdefault(word, []).append(place)
        signs = shown(report, asked)
        beside = (sign.terms for sign in signs if not sign.alone)
        told = [message for message in report.messages if _is_error(message)]
        prose: frozenset[str] = frozenset().union(*map(prose_terms, asked.values()), *beside)
        return cls(
            report,
            read,
            frozenset(holders),
            holders,
            _frames_by_function(report),
            tuple(asked.values()),
            prose,
            signs,
            bool(told),
            bool(told) and all(message.person for message in told),
            _has_inner_cause(report),
            projects.named(report),
            rules_out,
            is_own,
        )

    @cached_property
    def terms(self) -> Mapping[str, float]:
        """The terms that recall is asked for, each with how much it counts."""
        return terms.asked_terms(self.report, self._said, [term for sign in self.signs for term in sign.terms])

    @cached_property
    def seat_terms(self) -> Mapping[str, float]:
        """The terms for which recall keeps seats, for others would push out what shares them: those of the cause where
        several incidents are there, or of a sign that asks alone; else nothing.
        """
        if alone := self._asked_by_signs:
            return dict.fromkeys(terms.titled(alone), weights()["recall"]["title"])
        several = any(message.incident > 1 for message in self.report.messages)
        return terms.cause_terms(self.report, self._said) if several else {}

    @cached_property
    def questions(self) -> tuple[AskedTerms, ...]:
        """What a person wrote, and beside it each sign that asks alone: each is a question of its own. Where the paste
        names a project, a sign asks once more for that project's own entry.
        """
        own = [AskedTerms(self.prose, prose_worth(self.prose))] if self.prose else []
        named = known_terms(self.project) if self.project else frozenset[str]()
        for sign in self.signs:
            if sign.alone:
                both = dict.fromkeys((sign.terms, sign.terms | named))
                own += (AskedTerms(asked, prose_worth(asked), sign) for asked in both)
        return tuple(own)

    @property
    def is_question(self) -> bool:
        """Whether somebody asks in words, beside no error."""
        return bool(self.prose) and not self.has_error

    @cached_property
    def typed(self) -> tuple[AskedWord, ...]:
        """What a person wrote, word by word: each candidate is shown with those that it has."""
        return tuple(word for message in self.report.messages if message.person for word in _typed(message))

    @cached_property
    def is_of_the_field(self) -> bool:
        """Whether the question has a word of the field that entries are about, names a project or a program of the
        field, or is one by a sign.
        """
        return bool(self.project or self.signs) or names_a_program(self.subject) or has_field_word(self.prose)

    @cached_property
    def subject(self) -> Subject:
        """What a person asks about; words of an identifier such as `gpu_memory_utilization` tell of no trouble."""
        plain = frozenset[str]().union(*(prose_terms(_IDENTIFIER.sub(" ", text)) for text in self.written))
        return subject_of(self.prose, plain, self._asked_by_signs)

    @property
    def _asked_by_signs(self) -> list[str]:
        return [term for question in self.questions if question.sign for term in question.terms]

    @cached_property
    def untyped(self) -> frozenset[int]:
        """The places of errors that are printed without an exception type, and pass no other one on."""
        return frozenset(
            place
            for place, message in enumerate(self.report.messages)
            if message.kind == "error" and not message.type and message.role not in ("noise", "wrapper")
        )

    @property
    def _said(self) -> list[tuple[str, ...]]:
        return [variants[0].words for variants in self.reads]


def _is_error(message: Message) -> bool:
    if message.person:
        return quotes_an_error(message.text)
    return message.role in ("cause", "consequence", "wrapper")


def _has_inner_cause(report: Report) -> bool:
    cause = report.cause
    return cause is not None and cause.why != "wrapper"


def _frames_by_function(report: Report) -> dict[str, tuple[tuple[Frame, bool, int], ...]]:
    near = weights()["frame"]["near"]
    close = {_place(frame) for message in report.messages for frame in message.frames[-near:]}
    close.update(map(_place, report.ends))
    # A frame without its error belongs to the first failure, for then the paste begins in the middle of a stack.
    incidents = {_place(frame): 1 for frame in report.ends}
    for message in sorted(report.messages, key=lambda message: -(message.incident or 99)):
        if message.incident:
            incidents.update((_place(frame), message.incident) for frame in message.frames)
    found: dict[str, list[tuple[Frame, bool, int]]] = {}
    for frame in report.frames:
        place = _place(frame)
        found.setdefault(frame.function, []).append((frame, place in close, incidents.get(place, 0)))
    shown = set(found)
    for message in report.messages:
        if message.kind == "error" and (called := remote(message.text)):
            path, method, start, end = called
            spans = message.spans(start, end)
            # a frame of the same function says more: it has a file
            for name in set(_endings(method)) - shown if spans else ():
                frame = Frame(path, method, message.line, Span(spans[0].start, spans[-1].end))
                found.setdefault(name, []).append((frame, True, message.incident))
    return {name: tuple(rows) for name, rows in found.items()}


def has_field_word(terms: frozenset[str]) -> bool:
    """Tell whether a question of these terms has a word of the field that entries are about."""
    return not terms.isdisjoint(_field())


@cache
def _field() -> frozenset[str]:
    return frozenset().union(*map(prose_terms, field_words()))


def _typed(message: Message) -> Iterator[AskedWord]:
    """Yield the words of a message; of Chinese text each pair of neighbouring characters."""
    found = tokens(message.text)
    for one, other in zip_longest(found, found[1:]):
        both = one.text + (other.text if other else "")
        if not both.isascii():
            yield AskedWord(message, one.start, (other or one).end, frozenset((both,)))
        if one.text.isascii():
            yield AskedWord(message, one.start, one.end, prose_terms(one.text))


def _endings(method: str) -> list[str]:
    """Return the names that a method may have in the class that a worker was made of: without words before it."""
    parts = method.split("_", MOST_PARTS)
    return ["_".join(parts[at:]) for at in range(len(parts)) if parts[at] and at < len(parts) - 1] or [method]


def _place(frame: Frame) -> tuple[str, str]:
    return tail(frame.path), frame.function


def prose_weight(term: str) -> float:
    """Return how telling a term of a question is, from 0 to 1; a constant of the term, whatever the entries are."""
    return word_table("question_word_weights.tsv").get(term, 1.0)


def unmet_weight(term: str) -> float:
    """Return what it costs an entry to lack a term: less where nobody writes it, as pairs across Chinese words."""
    knobs = weights()["prose"]
    unseen = knobs["unseen_word"] if term.isascii() else knobs["unseen_pair"]
    return word_table("question_word_weights.tsv").get(term, float(unseen))


def prose_worth(terms: frozenset[str]) -> float:
    """Return how telling terms of a question are together."""
    return sum(map(prose_weight, terms))
