"""Entries that are near a paste, but no answers: each with the reason, and none for the sake of one common word."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.asking.question_service import Answer, Match
from app.i18n import Lang
from app.matching.model import Reason
from app.matching.ranking.query import prose_weight
from app.site.paste import wording

# How much words of a title or text have to say together, as the engine weighs them (0 to 1 each): "memory" says 0.2,
# "gpu" 0.2, a word that few texts have says 1.
ENOUGH_WORDS = 0.7
_WORDS = ("title", "body", "near")
# Points from which a single word is enough: then it is about half of what a short paste says.
ENOUGH_POINTS = 20
# An entry that is no answer for one of these reasons shows what it shares with the paste instead, which says more.
_VAGUE = ("not-carried", "below")


@dataclass(frozen=True, slots=True)
class Near:
    """An entry that is near; `why` says what it shares with the paste or why it is not the answer."""

    slug: str
    project: str
    title: str
    lang: str
    why: str


def near_entries(lang: Lang, answer: Answer, cards: int, looks: Mapping[str, str]) -> tuple[Near, ...]:
    """Return what stands below the first `cards` answers: the other answers, then related entries.

    `looks` is what tells members of a family apart, by slug.
    """
    left = [_near(found, looks.get(found.slug, "")) for found in answer.matches[cards:]]
    near = [found for found in answer.related if found.slug in looks or _is_near(found)]
    related = [_near(found, looks.get(found.slug) or _why(lang, found)) for found in near]
    return (*left, *related)


def fitting(answer: Answer) -> list[Match]:
    """Return the entries that fit a line which is too short to tell which of them it means."""
    return [found for found in answer.related if found.why_not and found.why_not.key == "too-short"]


def _near(found: Match, why: str) -> Near:
    return Near(found.slug, found.slug.partition("/")[0], found.title, found.lang, why)


def _why(lang: Lang, found: Match) -> str:
    strongest = max(found.reasons, key=lambda reason: reason.contribution, default=None)
    if strongest is not None and (found.why_not is None or found.why_not.key in _VAGUE):
        return wording.reason(lang, strongest).words
    return wording.why_not(lang, found.why_not)


def _is_near(found: Match) -> bool:
    """Tell whether more than a common word speaks for an entry."""
    said = [reason for reason in found.reasons if reason.contribution > 0]
    if any(reason.key not in (*_WORDS, "project") for reason in said):
        return True
    words = set(_words(said))
    one_of_many = len(words) == 1 and max(reason.contribution for reason in said) < ENOUGH_POINTS
    return not one_of_many and sum(map(prose_weight, words)) >= ENOUGH_WORDS


def _words(reasons: list[Reason]) -> Iterator[str]:
    for reason in reasons:
        if reason.key in _WORDS:
            yield from dict(reason.params)["words"].split(", ")
