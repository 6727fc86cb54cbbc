"""What came second, and why it lost."""

from dataclasses import dataclass

from app.asking.question_service import Answer, Match
from app.i18n import Lang, text
from app.site.paste import wording


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The second best entry: `why` says in a sentence why it lost, `reasons` what spoke for it all the same.

    `lacks` are the reasons of the first one that this one has nothing like.
    """

    slug: str
    title: str
    lang: str
    score: float
    why: str
    reasons: tuple[wording.Worded, ...]
    lacks: tuple[wording.Worded, ...]


def runner_up(lang: Lang, answer: Answer) -> RunnerUp | None:
    """Return what came second to the first answer; None when there was no answer or nothing else came near."""
    if not answer.matches:
        return None
    first, *others = answer.matches
    second = next(iter((*others, *answer.related)), None)
    if second is None:
        return None
    return RunnerUp(
        second.slug,
        second.title,
        second.lang,
        second.score,
        _why(lang, first, second),
        tuple(wording.reason(lang, reason) for reason in second.reasons),
        tuple(wording.reason(lang, reason) for reason in first.reasons if not _has_like(second, reason.key)),
    )


def _why(lang: Lang, first: Match, second: Match) -> str:
    if second.why_not is not None:
        return wording.why_not(lang, second.why_not)
    behind = round(first.score) - round(second.score)
    return text(lang, "second.behind", n=behind) if behind > 0 else text(lang, "second.equal")


def _has_like(found: Match, key: str) -> bool:
    return any(reason.key.partition("-")[0] == key.partition("-")[0] for reason in found.reasons)
