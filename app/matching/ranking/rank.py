"""Candidates to an answer: score each against the paste, explain, and decide what we stand behind.

A score is the sum of its reasons (`Scored` adds them up), depends on the paste and the entry alone, and is bounded to
0–100. Only the confidence looks at the runner-up.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.matching.model import Confidence, Reason, Scored
from app.matching.ranking.candidate import Features
from app.matching.ranking.equals import Evidence, in_group, standing
from app.matching.ranking.evidence import (
    FrameEvidence,
    MessageEvidence,
    ProseEvidence,
    Struck,
    answers_by_words,
    is_about_else,
    is_beside_error,
    prose_of,
    signatures_of,
    speaks_for,
)
from app.matching.ranking.query import Query
from app.matching.text.rules import signs, weights

_KINDS = {
    "message": "message",
    "message-partly": "message",
    "message-weak": "message",
    "frame": "frame",
    "met": "frame",
    "title": "prose",
    "body": "prose",
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A scored candidate with what was decided: its confidence, and why it is only related (None for an answer)."""

    features: Features
    scored: Scored
    confidence: Confidence
    why_not: Reason | None


def rank(
    query: Query,
    candidates: Iterable[Features],
    apart: Sequence[Sequence[str]] = (),
    least: float | None = None,
) -> list[Ranked]:
    """Return the candidates that are an answer, best first, then those that are related, best first.

    `apart` are the slugs of each group that only a question to the asker tells apart, the likeliest first: equals of a
    group are never high, and nothing else between them they come in its order.
    Candidates below `least` points (default: `answer.related` of the weights) are left out.
    """
    least = weights()["answer"]["related"] if least is None else least
    kept: list[tuple[Scored, Features]] = []
    for features in candidates:
        if speaks_for(query, features):
            evidence, struck = _evidence(query, features)
            # most candidates share a few words with a paste and nothing else
            if least > 0 and not (evidence.messages or evidence.frames or evidence.prose):
                continue
            scored, found = _weighed(evidence, struck)
            if scored.score >= least:
                kept.append((replace(scored, standing=standing(found)), features))
    kept.sort(key=lambda pair: (not pair[0].carried, *_order(pair[0]), *in_group(pair[1].slug, apart)))
    decided = _decide(kept, query.inner_cause, apart)
    # It is not known which of two errors was the first, so no answer to one of them is sure.
    return list(map(_unsure, decided)) if query.report.has_two_causes else decided


def score(query: Query, features: Features) -> Scored:
    """Score one entry against a paste, without how it stands among its equals; a signature that its `unless` struck
    adds a reason, and nothing else.

    Where the paste holds a cause, only what belongs to its incident can carry an answer. What carries an entry
    elsewhere makes it related, with the reason; where it is unsure which of two incidents came first, the second may
    carry too.
    """
    return _weighed(*_evidence(query, features))[0]


def _evidence(query: Query, features: Features) -> tuple[Evidence, Sequence[Struck]]:
    messages, frames, struck = signatures_of(query, features)
    return Evidence(query, features, messages, frames, prose_of(query, features)), struck


# A score with the evidence that it is of.
_Weighed = tuple[Scored, Evidence]


def _weighed(evidence: Evidence, struck: Sequence[Struck]) -> _Weighed:
    found = _scored(evidence)
    if not struck:
        return found
    params = ((("pattern", one.signature), ("unless", one.unless)) for one in struck)
    said = (Reason("unless", 0.0, pair, one.spans) for pair, one in zip(params, struck, strict=True))
    return replace(found[0], reasons=(*found[0].reasons, *said)), found[1]


def _scored(found: Evidence) -> _Weighed:
    """Score an entry by those of its signatures that count."""
    query, _, messages, frames, prose = found
    if not messages and not frames and prose is None:
        return Scored(found.features.entry, (), carried=False), found
    if not query.inner_cause:
        return _assessed(found), found
    printed = [item for item in messages if item.message.kind != "prose"]
    for number in (1, 2) if query.report.unsure else (1,):
        own = found._replace(
            messages=[item for item in printed if item.message.incident == number],
            frames=[item for item in frames if item.incident == number],
        )
        scored = _assessed(own)
        if number == 1:
            first = scored, own
        if scored.carried:
            return first if number == 1 else (_from_later(scored), own)
    if all(item.message.incident == 1 for item in printed) and all(item.incident == 1 for item in frames):
        return first
    return _elsewhere(found._replace(messages=printed), first)


def _elsewhere(found: Evidence, first: _Weighed) -> _Weighed:
    """Score an entry by all that the paste printed: what carries it outside the first incident makes it related.

    `first` is its score by the first incident alone.
    """
    wide = _assessed(found)
    if not wide.carried:
        # What healthy programs print too, such as their timers, is nothing beside an error that it does not belong to.
        told = [item for item in found.messages if item.message.kind == "error"]
        if len(told) == len(found.messages):
            return (wide, found) if wide.total > first[0].total else first
        found = found._replace(messages=told)
        return _assessed(found), found
    strong = [item.message for item in found.messages if _carries(item)]
    went_on = bool(strong) and all(message.role == "handled" for message in strong)
    return replace(wide, carried=False, elsewhere="went-on" if went_on else "follows"), found


def _from_later(found: Scored) -> Scored:
    """Return what the second incident carries, with the reason that says so and counts nothing."""
    later = Reason("from-a-later-error", 0.0)
    return replace(found, reasons=(*found.reasons, later), elsewhere=later.key)


def _assessed(found: Evidence) -> Scored:
    """Score an entry by a part of its evidence."""
    query, features, messages, frames, prose = found
    strong = [item for item in messages if _carries(item)]
    said = _message_reasons(messages)
    told = max((reason.contribution for reason in said if reason.key != "message-weak"), default=0.0)
    reasons = [*said, *_frame_reasons(frames, told)]
    if not told:
        reasons += _met(messages, frames)
    # the words around a line that a sentence quotes only choose among the entries that the line itself speaks for
    if not query.quotes or _stands(reasons) or (prose and not is_beside_error(query, prose)):
        reasons += _prose_reasons(query, prose)
    carried = (
        bool(strong)
        or any(not item.signature.weak and item.near for item in frames)
        or (prose is not None and answers_by_words(query, features, prose))
        or _corroborated(found, reasons)
    )
    # These points tell entries apart that can stand without them; they make no entry an answer.
    if query.project and carried and _stands(reasons) and features.slug.startswith(f"{query.project}/"):
        reasons.append(Reason("project", weights()["answer"]["project"], (("project", query.project),)))
    outer = bool(strong) and all(item.message.role in ("wrapper", "noise") for item in strong)
    return Scored(features.entry, tuple(reasons), carried, outer)


def _stands(reasons: Sequence[Reason]) -> bool:
    return sum(reason.contribution for reason in reasons) >= float(weights()["answer"]["likely"])


def _corroborated(found: Evidence, reasons: Sequence[Reason]) -> bool:
    """Tell whether evidence of different kinds, none of which could carry an answer, carries it together; words about
    something else are none.
    """
    least = float(weights()["answer"]["corroborating"])
    points: dict[str, float] = {}
    for reason in reasons:
        kind = "prose" if reason.key in signs() else _KINDS[reason.key]
        points[kind] = points.get(kind, 0.0) + reason.contribution
    kinds = {kind for kind, value in points.items() if value >= least}
    if len(kinds) == 2 and "prose" in kinds and found.prose:
        return not is_about_else(found.query, found.features, found.prose)
    return len(kinds) >= 2


def _carries(item: MessageEvidence) -> bool:
    knobs = weights()["message"]
    if item.pattern.unconfirmed:
        return item.fit.coverage >= 1 and item.fit.weight >= float(knobs["unconfirmed_least"])
    return not item.pattern.weak and item.fit.coverage >= float(knobs["carry_coverage"])


def _is_weak(item: MessageEvidence) -> bool:
    return item.pattern.weak and not _carries(item)


def _message_reasons(found: Sequence[MessageEvidence]) -> list[Reason]:
    knobs = weights()["message"]
    strong = sorted((_points(item), item) for item in found if not _is_weak(item))[::-1]
    weak = sorted((_points(item), item) for item in found if _is_weak(item))[::-1]
    reasons: list[Reason] = []
    explained: set[int] = set()
    extra = 0.0
    for points, item in strong:
        # Beside a message that was met, a line that has only a part of the words is none more.
        partly_said = item.fit.coverage < 1
        if item.message.line in explained or (explained and partly_said):
            continue
        explained.add(item.message.line)
        worth = points if len(explained) == 1 else min(knobs["another"], knobs["another_most"] - extra)
        extra += worth if len(explained) > 1 else 0
        if worth > 0:
            reasons.append(_message_reason("message" if item.fit.coverage >= 1 else "message-partly", worth, item))
    for points, item in weak[:1]:
        if item.message.line not in explained:
            reasons.append(_message_reason("message-weak", points * (knobs["weak_beside"] if strong else 1), item))
    return reasons


def _points(item: MessageEvidence) -> float:
    knobs = weights()["message"]
    said = 1 - math.exp(-item.fit.weight / knobs["enough"])
    most = knobs["weak_points"] if _is_weak(item) else knobs["points"]
    most *= knobs["unconfirmed"] if item.pattern.unconfirmed else 1
    most *= knobs["untyped"] if item.pattern.bare else 1
    role = weights()["role"][item.message.role or ("prose" if item.message.kind == "prose" else "log")]
    told = knobs["least_said"] + (1 - knobs["least_said"]) * said
    return float(most * item.fit.coverage ** knobs["coverage_power"] * told * role)


def _message_reason(key: str, points: float, item: MessageEvidence) -> Reason:
    params = (("pattern", item.pattern.text), ("percent", str(round(100 * min(1.0, item.fit.coverage)))))
    return Reason(key, round(points, 1), params, item.spans)


def _frame_reasons(found: Sequence[FrameEvidence], told: float) -> list[Reason]:
    """Word the frames. Beside a message that gave `told` points a frame adds only what it has more, or a little."""
    knobs = weights()["frame"]
    reasons: list[Reason] = []
    for place, item in enumerate(sorted(found, key=lambda item: (item.signature.weak, not item.near))[:2]):
        points = knobs["weak_points"] if item.signature.weak else knobs["points"]
        points = points if item.near else points * knobs["far"]
        if told or place:
            points = min(points, max(knobs["beside"] / (place + 1), 0 if place else points - told))
        reasons.append(Reason("frame", round(points, 1), (("frame", item.signature.name),), (item.frame.span,)))
    return reasons


def _met(messages: Sequence[MessageEvidence], frames: Sequence[FrameEvidence]) -> list[Reason]:
    """Word that a weak message was raised where a weak frame says, or names the call itself: neither alone tells much,
    one traceback does.
    """
    knobs = weights()["frame"]
    for item in messages:
        raised = {frame.span for frame in item.message.frames[-knobs["raised"] :]}
        first = item.message.role in ("cause", "consequence")
        for found in frames:
            named = item.message.span.start <= found.frame.span.start < item.message.span.end
            if first and found.signature.weak and (named or found.frame.span in raised):
                spans = (found.frame.span, item.message.span)
                params = (("pattern", item.pattern.text), ("frame", found.signature.name))
                return [Reason("met", knobs["met"], params, spans)]
    return []


def _prose_reasons(query: Query, found: ProseEvidence | None) -> list[Reason]:
    if found is None:
        return []
    knobs = weights()["prose"]
    points = _agreed(found.agreement) * (knobs["with_error"] if is_beside_error(query, found) else 1)
    if found.sign:
        return [Reason(found.sign, round(points, 1), (), found.spans)]
    title = points * found.title / found.agreement
    shown = (("words", ", ".join(found.words[:6])),)
    parts = (("title", title), ("body", points - title))
    return [Reason(key, round(worth, 1), shown, found.spans) for key, worth in parts if worth >= knobs["least_shown"]]


def _agreed(agreement: float) -> float:
    """Return the points of an agreement: up to what can carry an answer straight to `answer.likely`, from there on more
    slowly to the most.
    """
    knobs = weights()["prose"]
    carry, likely = float(knobs["carry"]), float(weights()["answer"]["likely"])
    if agreement <= carry:
        return likely * agreement / carry
    most, whole = float(knobs["most"]), float(knobs["whole"])
    return likely + (most - likely) * min(1.0, (agreement - carry) / (whole - carry))


def _order(scored: Scored) -> tuple[float, ...]:
    return -round(scored.total), *(-value for value in scored.standing)


def _decide(kept: Sequence[tuple[Scored, Features]], inner: bool, apart: Sequence[Sequence[str]]) -> list[Ranked]:
    knobs = weights()["answer"]
    ranked: list[Ranked] = []
    for scored, features in kept:
        others = [pair for pair in kept if pair[0] is not scored and pair[0].carried and not pair[0].outer]
        lead = scored.total - max((one.total for one, rival in others if rival.slug not in features.also), default=0.0)
        open_ = any(_is_equal(scored, one) and _are_apart(features, rival, apart) for one, rival in others)
        if scored.elsewhere and not scored.carried:
            ranked.append(Ranked(features, scored, "low", Reason(scored.elsewhere, 0.0)))
        elif not scored.carried:
            ranked.append(Ranked(features, scored, "low", _why("not-carried", scored, knobs["likely"])))
        elif scored.outer and inner:
            ranked.append(Ranked(features, scored, "low", _why("outer", scored, knobs["likely"])))
        elif scored.score < knobs["likely"]:
            ranked.append(Ranked(features, scored, "low", _why("below", scored, knobs["likely"])))
        elif scored.score >= knobs["high"] and lead >= knobs["margin"] and not (open_ or scored.elsewhere):
            ranked.append(Ranked(features, scored, "high", None))
        else:
            ranked.append(Ranked(features, scored, "likely", None))
    return sorted(ranked, key=lambda item: (*_listing(item), *in_group(item.features.slug, apart)))


def _unsure(item: Ranked) -> Ranked:
    return replace(item, confidence="likely") if item.confidence == "high" else item


def _is_equal(one: Scored, other: Scored) -> bool:
    return abs(one.score - other.score) <= float(weights()["answer"]["equal"])


def _are_apart(one: Features, other: Features, apart: Sequence[Sequence[str]]) -> bool:
    return any(one.slug in group and other.slug in group for group in apart)


def _listing(item: Ranked) -> tuple[object, ...]:
    """Return by what answers and related entries are listed: what another error of the paste calls for comes first."""
    return item.why_not is not None, not item.scored.elsewhere, *_order(item.scored)


def _why(key: str, scored: Scored, needed: float) -> Reason:
    return Reason(key, 0.0, (("score", f"{scored.score:g}"), ("needed", f"{needed:g}")))
