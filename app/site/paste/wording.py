"""Reasons and roles in words: the engine gives keys and numbers, the page gives sentences."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app import i18n
from app.i18n import Lang
from app.matching.model import Reason
from app.matching.ranking.holes import readable

_PAIR = re.compile(r"[\u4e00-\u9fff]{2}")


@dataclass(frozen=True, slots=True)
class Worded:
    """A reason as a sentence, with the points that it adds or takes."""

    words: str
    points: float


def reason(lang: Lang, found: Reason) -> Worded:
    """Return the sentence for a reason, and its points."""
    return Worded(i18n.text(lang, f"reason.{found.key}", **_shown(lang, found)), found.contribution)


def why_not(lang: Lang, found: Reason | None) -> str:
    """Return the sentence that says why an entry is only related; empty when there is none."""
    return i18n.text(lang, f"reason.{found.key}", **_shown(lang, found)) if found else ""


def _shown(lang: Lang, found: Reason) -> dict[str, str]:
    shown = {name: readable(value) for name, value in found.params}
    if "words" in shown:
        shown["words"] = ("、" if lang == "zh" else ", ").join(_whole(shown["words"].split(", ")))
    return shown


def _whole(words: list[str]) -> list[str]:
    """Put together the pairs of characters that Chinese is looked up by, where just one goes on from another."""
    pairs = [word for word in words if _PAIR.fullmatch(word)]
    follows: dict[str, str] = {}
    for pair in pairs:
        after = [other for other in pairs if other[0] == pair[1]]
        rivals = [other for other in pairs if other[1] == pair[1]]
        # The pair that would close a ring is left out, since a ring has no word to begin with.
        if len(after) == len(rivals) == 1 and _along(after[0], follows)[-1] != pair:
            follows[pair] = after[0]
    starts = [word for word in words if word not in follows.values()]
    return [start + "".join(pair[1] for pair in _along(start, follows)[1:]) for start in starts]


def _along(pair: str, follows: Mapping[str, str]) -> list[str]:
    passed = [pair]
    while passed[-1] in follows:
        passed.append(follows[passed[-1]])
    return passed
