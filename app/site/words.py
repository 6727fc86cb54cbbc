"""Reasons and roles in words: the engine gives keys and numbers, the page gives sentences."""

from dataclasses import dataclass

from app import i18n
from app.i18n import Lang
from app.matching.types import Reason


@dataclass(frozen=True, slots=True)
class Worded:
    """A reason as a sentence, with the points that it adds or takes."""

    words: str
    points: float


def reason(lang: Lang, found: Reason) -> Worded:
    """Return the sentence for a reason, and its points."""
    return Worded(i18n.text(lang, f"reason.{found.key}", **_shown(found)), found.contribution)


def why_not(lang: Lang, found: Reason | None) -> str:
    """Return the sentence that says why an entry is only related; empty when there is none."""
    return i18n.text(lang, f"reason.{found.key}", **_shown(found)) if found else ""


def _shown(found: Reason) -> dict[str, str]:
    return {name: value.replace("<*>", "…") for name, value in found.params}
