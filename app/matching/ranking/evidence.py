"""What of a paste speaks for an entry: messages that fit its patterns, frames, and words of a question."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.matching.model import Frame, Message, Report, Span
from app.matching.parsing.frames import tail
from app.matching.parsing.project_names import named
from app.matching.ranking.candidate import Features, FrameSignature, compiled
from app.matching.ranking.pattern import Fit, Pattern, Read, fit, reads
from app.matching.ranking.symptoms import Sign, shown
from app.matching.ranking.terms import prose_terms
from app.matching.text.rules import weights, word_table
from app.matching.text.tokens import tokens

# above what sums of weights in another order differ by
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, order=True)
class MessageEvidence:
    """A pattern of an entry that a message of the paste fits."""

    pattern: Pattern = field(compare=False)
    message: Message = field(compare=False)
    fit: Fit = field(compare=False)


class FrameEvidence(NamedTuple):
    """A frame of an entry that the paste shows; `near` says that it is among the last above its error.

    `incident` is the number of the failure that it belongs to, 0 where it belongs to none.
    """

    signature: FrameSignature
    frame: Frame
    near: bool
    incident: int


class ProseEvidence(NamedTuple):
    """How far a question agrees with an entry (0–1); `title` is the part of it that the entry's best title adds.

    `sign` names a sign of the paste by which most of it agrees, if that is so.
    """

    agreement: float
    title: float
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    sign: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A report ready to be compared: its messages as tokens, their words and which of them hold each, the words of the
    question.
    """

    report: Report
    reads: tuple[tuple[Read, ...], ...]
    words: frozenset[str]
    holders: Mapping[str, Sequence[int]]
    frames: dict[str, tuple[tuple[Frame, bool, int], ...]]
    prose: frozenset[str]
    prose_weight: float
    signs: tuple[Sign, ...]
    has_error: bool
    inner_cause: bool
    project: str


def prepare(report: Report) -> Asked:
    """Return a report ready to be compared with entries."""
    read = tuple(reads(message.text) for message in report.messages)
    holders: dict[str, list[int]] = {}
    for place, variants in enumerate(read):
        for word in set(variants[0].words).union(*(item.words for item in variants[1:])):
            holders.setdefault(word, []).append(place)
    signs = shown(report.messages)
    typed = (prose_terms(message.text) for message in report.messages if message.person)
    prose: frozenset[str] = frozenset().union(*typed, *(sign.terms for sign in signs))
    return Asked(
        report,
        read,
        frozenset(holders),
        holders,
        _frames_by_function(report),
        prose,
        _worth(prose),
        signs,
        any(m.role in ("cause", "consequence", "wrapper") and not m.person for m in report.messages),
        _has_inner_cause(report),
        named(report),
    )


def _has_inner_cause(report: Report) -> bool:
    cause = report.cause
    return cause is not None and cause.why != "wrapper"


def _frames_by_function(report: Report) -> dict[str, tuple[tuple[Frame, bool, int], ...]]:
    near = weights()["frame"]["near"]
    close = {_place(frame) for message in report.messages for frame in message.frames[-near:]}
    close.update(map(_place, report.ends))
    # a frame without its error counts to the first failure: a paste begins in the middle of its stack
    incidents = {_place(frame): 1 for frame in report.ends}
    for message in sorted(report.messages, key=lambda message: -(message.incident or 99)):
        if message.incident:
            incidents.update((_place(frame), message.incident) for frame in message.frames)
    found: dict[str, list[tuple[Frame, bool, int]]] = {}
    for frame in report.frames:
        place = _place(frame)
        found.setdefault(frame.function, []).append((frame, place in close, incidents.get(place, 0)))
    return {name: tuple(rows) for name, rows in found.items()}


def _place(frame: Frame) -> tuple[str, str]:
    return tail(frame.path), frame.function


def prose_weight(term: str) -> float:
    """Return how telling a term of a question is, from 0 to 1; a constant of the term, whatever the entries are."""
    return word_table("question_word_weights.tsv").get(term, 1.0)


def _unmet_weight(term: str) -> float:
    """Return what it costs an entry to lack a term: less where nobody writes it, as pairs across Chinese words."""
    knobs = weights()["prose"]
    unseen = knobs["unseen_word"] if term.isascii() else knobs["unseen_pair"]
    return word_table("question_word_weights.tsv").get(term, float(unseen))


def speaks_for(asked: Asked, features: Features) -> bool:
    """Tell quickly whether anything in a paste can speak for an entry at all."""
    return (
        (bool(asked.prose) and not asked.prose.isdisjoint(features.body))
        or any(not row.heads.isdisjoint(asked.words) for row in features.patterns)
        or any(signature.function in asked.frames for signature in features.frames)
    )


def messages_of(asked: Asked, features: Features) -> list[MessageEvidence]:
    """Return for each pattern of an entry the messages that fit it."""
    return [
        found
        for row in features.patterns
        if not row.heads.isdisjoint(asked.words)
        for found in _fits(asked, compiled(row))
    ]


def _fits(asked: Asked, pattern: Pattern) -> Iterator[MessageEvidence]:
    knobs = weights()["message"]
    least = knobs["least_coverage"] * pattern.total
    # the heaviest words come first, so that most patterns are given up after a few
    spare = pattern.total - least + _ROUNDING
    there: dict[int, float] = {}
    for word, weight in pattern.by_word:
        places = asked.holders.get(word)
        if places is None:
            spare -= weight
            if spare < 0:
                return
            continue
        for place in places:
            there[place] = there.get(place, 0.0) + weight
    for place, weight in there.items():
        if weight >= least:
            found = [match for item in asked.reads[place] if (match := fit(pattern, item))]
            best = max(found, key=_coverage, default=None)
            message = asked.report.messages[place]
            # a question has words of many messages in the order of none
            needed = knobs["prose_coverage"] if message.kind == "prose" else 0
            if best and best.coverage >= (knobs["weak_coverage"] if pattern.weak else needed):
                yield MessageEvidence(pattern, message, best)


def _coverage(match: Fit) -> float:
    return match.coverage


def frames_of(asked: Asked, features: Features) -> list[FrameEvidence]:
    """Return the frames of an entry that the paste shows."""
    found: list[FrameEvidence] = []
    for signature in features.frames:
        seen = [row for row in asked.frames.get(signature.function, ()) if _ends_with(row[0].path, signature.path)]
        if seen:
            frame, near, incident = max(seen, key=lambda row: (row[2] == 1, row[1]))
            found.append(FrameEvidence(signature, frame, near, incident))
    return found


def _ends_with(path: str, parts: Sequence[str]) -> bool:
    return tuple(path.replace("\\", "/").split("/")[-len(parts) :]) == tuple(parts)


def prose_of(asked: Asked, features: Features) -> ProseEvidence | None:
    """Return how far the question in the paste agrees with an entry; None when they share no word.

    The agreement grows with the share of the question's words that the entry has, with how much of its best title is
    asked for, and with how much the shared words say at all; each word counts by its weight.
    """
    if not asked.prose:
        return None
    everything = asked.prose & features.body
    shared = _worth(everything)
    if shared <= 0:
        return None
    knobs = weights()["prose"]
    unmet = sum(map(_unmet_weight, asked.prose - everything))
    said = min(1.0, shared / (shared + unmet) / knobs["enough_said"]) ** knobs["said_power"]
    titles = [_title(asked, terms) for terms in features.titles]
    alike = max((title.alike for title in titles), default=0.0)
    sure = max(1 - math.exp(-shared / knobs["enough"]), alike ** knobs["alike_power"])
    titled, words = max(((title.share, title.words) for title in titles), default=(0.0, frozenset[str]()))
    base, title = said * sure * (1 - knobs["title_share"]), said * sure * knobs["title_share"] * titled
    told = asked.prose & words or everything
    sign = next((sign.name for sign in asked.signs if 2 * _worth(sign.terms & everything) > shared), "")
    return ProseEvidence(base + title, title, tuple(sorted(told)), _spans(asked, everything), sign)


def _worth(terms: frozenset[str]) -> float:
    return sum(map(prose_weight, terms))


class _Titled(NamedTuple):
    """How a question meets a title: the share of the title that is asked for (0–1), less sure for one that says little;
    and how nearly it is the title (0–1), the part of all words of both that they share, two at least."""

    share: float
    alike: float
    words: frozenset[str]


def _title(asked: Asked, terms: frozenset[str]) -> _Titled:
    both = asked.prose & terms
    shared = _worth(both)
    title = _worth(terms)
    alike = shared / (asked.prose_weight + title - shared) if len(both) > 1 else 0.0
    return _Titled(float(shared / (title + weights()["prose"]["title_slack"])), alike, terms)


def _spans(asked: Asked, told: frozenset[str]) -> tuple[Span, ...]:
    spans = [span for sign in asked.signs if sign.terms & told for span in sign.spans]
    for message in asked.report.messages:
        if message.person:
            found = tokens(message.text)
            for place, token in enumerate(found):
                pair = found[place : place + 2]
                both = "".join(part.text for part in pair)
                if both in told and not both.isascii():
                    spans.extend(message.spans(token.start, pair[-1].end))
                elif token.text.isascii() and prose_terms(token.text) & told:
                    spans.extend(message.spans(token.start, token.end))
    return tuple(spans)
