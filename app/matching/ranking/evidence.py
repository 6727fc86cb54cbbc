"""What of a paste speaks for an entry: messages that fit its patterns, frames, and words of a question."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from app.matching.model import Frame, Message, Span
from app.matching.parsing.frames import REMOTE
from app.matching.ranking.candidate import Features, FrameSignature, compiled, compiled_bare, exclusion
from app.matching.ranking.pattern import MUSTS, ROUNDING, Fit, Pattern, fit
from app.matching.ranking.query import AskedTerms, Query, prose_worth, unmet_weight
from app.matching.ranking.subjects import is_foreign
from app.matching.text.rules import weights


@dataclass(frozen=True, slots=True, order=True)
class MessageEvidence:
    """A pattern of an entry that a message of the paste fits."""

    pattern: Pattern = field(compare=False)
    message: Message = field(compare=False)
    fit: Fit = field(compare=False)

    @property
    def incident(self) -> int:
        """The number of the failure that the message belongs to, 0 where it belongs to none."""
        return self.message.incident

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the words of the pattern stand in the text as received."""
        return tuple(span for start, end in self.fit.ranges for span in self.message.spans(start, end))


class FrameEvidence(NamedTuple):
    """A frame of an entry that the paste shows; `near` says that it is among the last above its error.

    `incident` is the number of the failure that it belongs to, 0 where it belongs to none.
    """

    signature: FrameSignature
    frame: Frame
    near: bool
    incident: int


_Shown = TypeVar("_Shown", MessageEvidence, FrameEvidence)


class Struck(NamedTuple):
    """A signature that a paste shows and that does not count, for its failure shows `unless` too; `spans` say where."""

    signature: str
    unless: str
    spans: tuple[Span, ...]


class SignatureEvidence(NamedTuple):
    """What of the signatures of an entry a paste shows: what counts, and for each that does not, why."""

    messages: list[MessageEvidence]
    frames: list[FrameEvidence]
    struck: list[Struck]


class ProseEvidence(NamedTuple):
    """How far a question agrees with an entry (0–1); `title` is the part of it that the entry's best title adds, and
    `alike` how nearly the question is one of its titles (0–1).

    `sign` names a sign of the paste by which most of it agrees, if that is so. `written` says that it is what
    a person wrote that agrees, and not what a sign asks for by itself.
    """

    agreement: float
    title: float
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    sign: str
    alike: float
    written: bool


def speaks_for(query: Query, features: Features) -> bool:
    """Tell quickly whether anything in a paste can speak for an entry at all."""
    for question in query.questions:
        if not question.terms.isdisjoint(features.body):
            return True
    for row in features.patterns:
        if not row.heads.isdisjoint(query.words):
            return True
    # a loop, for this is asked of every candidate, and a generator takes longer to make than to run
    for signature in features.frames:  # noqa: SIM110
        if signature.function in query.frames:
            return True
    return False


def signatures_of(query: Query, features: Features) -> SignatureEvidence:
    """Return the messages that fit each pattern of an entry, and its frames that the paste shows."""
    found = SignatureEvidence([], [], [])
    for row in features.patterns:
        if not row.heads.isdisjoint(query.words):
            fitting = list(_fits(query, compiled(row)))
            if query.untyped and (bare := compiled_bare(row)):
                fitting += _fits(query, bare)
            if fitting:
                found.messages.extend(_counting(query, row.text, row.unless, fitting, found.struck))
    for one in features.frames:
        if one.function in query.frames and (seen := _seen(query, one)):
            found.frames.extend(_counting(query, one.name, one.unless, seen, found.struck))
    return found


def _counting(
    query: Query, signature: str, unless: Sequence[str], fitting: list[_Shown], struck: list[Struck]
) -> list[_Shown]:
    """Return what of a signature counts; of what does not, the first is added to `struck`."""
    if not unless:
        return fitting
    kept: list[_Shown] = []
    against: list[Struck] = []
    for item in fitting:
        why = next(_excluding(query, unless, item.incident), None)
        if why:
            against.append(Struck(signature, *why))
        else:
            kept.append(item)
    struck += against[:1]
    return kept


def _excluding(query: Query, unless: Sequence[str], incident: int) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Yield what of `unless` a failure shows, each with the places that show it."""
    for text in unless:
        one = exclusion(text)
        if isinstance(one, FrameSignature):
            for frame, _, number in query.frames.get(one.function, ()):
                if number == incident and _is_of(frame, one):
                    yield text, (frame.span,)
        else:
            for item in _fits(query, one):
                if item.incident == incident and item.fit.coverage >= weights()["message"]["unless_coverage"]:
                    yield text, item.spans


def _fits(query: Query, pattern: Pattern) -> Iterator[MessageEvidence]:
    knobs = weights()["message"]
    least = knobs["least_coverage"] * pattern.total
    # The heaviest words come first, so that most patterns are given up after a few of them.
    spare = pattern.total - least + ROUNDING
    there: dict[int, float] = {}
    holders = query.holders
    for word, weight in pattern.by_word:
        places: Iterable[int] | None = holders.get(word)
        if places and pattern.bare:
            places = query.untyped.intersection(places)
        if not places:
            spare -= weight
            if spare < 0:
                return
            continue
        for place in places:
            there[place] = there.get(place, 0.0) + weight
    for place, weight in there.items():
        if weight >= least:
            found = [match for item in query.reads[place] if (match := fit(pattern, item))]
            best = max(found, key=_coverage, default=None)
            message = query.report.messages[place]
            # A question has words of many messages, in the order of none of them.
            needed = knobs["prose_coverage"] if message.kind == "prose" else 0
            if pattern.bare and not (best and best.whole and _begins_a_message(best)):
                continue
            if best and best.coverage >= (knobs["weak_coverage"] if pattern.weak else needed):
                yield MessageEvidence(pattern, message, best)


def _begins_a_message(match: Fit) -> bool:
    """Tell whether what fits stands where the message of an exception would: at the beginning, or behind a colon."""
    before = match.message.text[: match.ranges[0][0]].rstrip(" '\"`([")
    return not before or before[-1] in ":-–—>|=\n"


def _coverage(match: Fit) -> float:
    return match.coverage


def _seen(query: Query, signature: FrameSignature) -> list[FrameEvidence]:
    seen = [row for row in query.frames[signature.function] if _is_of(row[0], signature)]
    if not seen:
        return []
    frame, near, incident = max(seen, key=lambda row: (row[2] == 1, row[1]))
    return [FrameEvidence(signature, frame, near, incident)]


def _is_of(frame: Frame, signature: FrameSignature) -> bool:
    # what a call names has no file: by the name of a function alone nothing is sure
    if frame.path.startswith(REMOTE):
        return signature.weak
    parts = signature.path
    return tuple(frame.path.replace("\\", "/").split("/")[-len(parts) :]) == parts


def prose_of(query: Query, features: Features) -> ProseEvidence | None:
    """Return how far the question in the paste agrees with an entry; None when they share no word.

    Of several questions the one that agrees best counts: what somebody wrote, or what a sign asks for by itself; one
    that can carry an answer goes before one that cannot.
    """
    found = [one for question in query.questions if (one := _agreed(query, question, features))]
    if len(found) < 2:
        return found[0] if found else None
    return max(found, key=lambda one: (answers_by_words(query, features, one), one.agreement))


def answers_by_words(query: Query, features: Features, prose: ProseEvidence) -> bool:
    """Tell whether words alone can carry an answer: not beside an error (what a sign asks for may, beside one that only
    a person tells), and only those of a question about the field, or one that is about a title of the entry; and only
    where they are not about something else.
    """
    knobs = weights()["prose"]
    is_about_it = query.is_of_the_field or prose.alike >= knobs["alike_title"]
    if is_beside_error(query, prose) or not is_about_it or prose.agreement < knobs["carry"]:
        return False
    return not is_about_else(query, features, prose)


def is_beside_error(query: Query, prose: ProseEvidence) -> bool:
    """Tell whether words stand beside an error that says more than they do: a printed one, or one that a person quotes,
    unless it is a sign that asks, which has read the quoted line too.
    """
    return query.has_error and (prose.written or not query.quotes)


def is_about_else(query: Query, features: Features, prose: ProseEvidence) -> bool:
    """Tell whether what a person wrote is about another thing than an entry, or another kind of trouble; who types a
    title of the entry means it.
    """
    means_it = not prose.written or prose.alike >= weights()["prose"]["same_title"]
    return not means_it and is_foreign(query.subject, features, prose.agreement)


def _agreed(query: Query, question: AskedTerms, features: Features) -> ProseEvidence | None:
    """Return how far a question agrees with an entry; None when they share no word.

    The agreement grows with the share of the question's words that the entry has, with how much of its best title is
    asked for, and with how much those of the shared words say that stand in any title; each word counts by its weight.
    """
    everything = question.terms & features.body
    shared = prose_worth(everything)
    if shared <= 0:
        return None
    knobs = weights()["prose"]
    unmet = sum(map(unmet_weight, question.terms - everything))
    said = min(1.0, shared / (shared + unmet) / knobs["enough_said"]) ** knobs["said_power"]
    said *= knobs["alone"] if question.sign else 1
    asked = [terms for terms in features.titles if _is_asked(question, terms)]
    titles = [_title(question, terms) for terms in asked]
    alike = max((title.alike for title in titles), default=0.0)
    # A word that only stands somewhere in a text says little, for every paste shares some words with a long text.
    told = features.title_words if len(asked) == len(features.titles) else frozenset[str]().union(*asked)
    entitled = prose_worth(everything & told)
    telling = entitled + knobs["untitled"] * (shared - entitled)
    sure = max(1 - math.exp(-telling / knobs["enough"]), alike ** knobs["alike_power"])
    titled, words = max(((title.share, title.words) for title in titles), default=(0.0, frozenset[str]()))
    base, title = said * sure * (1 - knobs["title_share"]), said * sure * knobs["title_share"] * titled
    shown = tuple(sorted(question.terms & words or everything))
    agreement = base + title
    if question.sign:
        return ProseEvidence(agreement, title, shown, question.sign.spans, question.sign.name, 0.0, written=False)
    beside = (sign for sign in query.signs if not sign.alone)
    sign = next((sign.name for sign in beside if 2 * prose_worth(sign.terms & everything) > shared), "")
    return ProseEvidence(agreement, title, shown, _spans(query, everything), sign, alike, written=True)


def _is_asked(question: AskedTerms, title: frozenset[str]) -> bool:
    """Tell whether a title can be meant: one about nan or inf is about nothing else."""
    return MUSTS.isdisjoint(title) or not MUSTS.isdisjoint(title & question.terms)


class _Titled(NamedTuple):
    """How a question meets a title: the share of the title that is asked for (0–1), less sure for one that says little;
    and how nearly it is the title (0–1), the part of all words of both that they share, two at least."""

    share: float
    alike: float
    words: frozenset[str]


def _title(question: AskedTerms, terms: frozenset[str]) -> _Titled:
    both = question.terms & terms
    shared = prose_worth(both)
    title = prose_worth(terms)
    alike = shared / (question.worth + title - shared) if len(both) > 1 else 0.0
    return _Titled(float(shared / (title + weights()["prose"]["title_slack"])), alike, terms)


def _spans(query: Query, told: frozenset[str]) -> tuple[Span, ...]:
    spans = [span for sign in query.signs if not sign.alone and sign.terms & told for span in sign.spans]
    for word in query.typed:
        if not word.terms.isdisjoint(told):
            spans.extend(word.message.spans(word.start, word.end))
    return tuple(spans)
