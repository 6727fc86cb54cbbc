"""Which of two entries with as many points comes first: an ordered table, to which a later rule is one row more."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.matching.ranking.candidate import Features
from app.matching.ranking.evidence import FrameEvidence, MessageEvidence, ProseEvidence
from app.matching.ranking.holes import literals
from app.matching.ranking.query import Query
from app.matching.text.rules import weights


class Evidence(NamedTuple):
    """What of a query speaks for an entry."""

    query: Query
    features: Features
    messages: Sequence[MessageEvidence]
    frames: Sequence[FrameEvidence]
    prose: ProseEvidence | None


def possible(found: Evidence) -> float:
    """Return 0 where the versions that the paste tells do not have the problem of the entry, else 1."""
    rules_out = found.query.rules_out
    return float(rules_out is None or not rules_out(found.features.versions, found.query.report.versions))


def teams_own(found: Evidence) -> float:
    """Return 1 for an entry of the team's own: who wrote it knows the place where the error was met."""
    is_own = found.query.is_own
    return float(is_own is not None and is_own(found.features.slug))


def own_words(found: Evidence) -> float:
    """Return how much of a message the best pattern shows, as summed word weight; to the letter is more."""
    return max(map(_shown, found.messages), default=0.0)


def near_frames(found: Evidence) -> float:
    """Return how many frames of the entry are among the last above the error."""
    return float(sum(item.near for item in found.frames))


def named_project(found: Evidence) -> float:
    """Return 1 where the paste names the project of the entry."""
    project = found.query.project
    return float(bool(project) and found.features.slug.startswith(f"{project}/"))


def agreement(found: Evidence) -> float:
    """Return how far the question agrees with the entry."""
    return found.prose.agreement if found.prose else 0.0


# The first rule by which two entries differ decides; where none does, `in_group`. Add a rule where it is to decide.
RULES: tuple[Callable[[Evidence], float], ...] = (
    possible,
    teams_own,
    own_words,
    near_frames,
    named_project,
    agreement,
)


def standing(found: Evidence) -> tuple[float, ...]:
    """Return how an entry stands among its equals by each rule; the greater the better."""
    return tuple(rule(found) for rule in RULES)


def in_group(slug: str, apart: Sequence[Sequence[str]]) -> tuple[int, str]:
    """Return what decides where no rule does: the place of an entry in its group, then the slug."""
    return min((group.index(slug) for group in apart if slug in group), default=0), slug


def _shown(item: MessageEvidence) -> float:
    literally = all(part.strip() in item.message.text for part in literals(item.pattern.text))
    return item.fit.weight * item.fit.coverage + (weights()["message"]["literally"] if literally else 0.0)
