"""What the team needs now, for a reviewer who opens the home page."""

from dataclasses import dataclass

from fastapi import Request
from sqlmodel import Session

from app.asking import unanswered
from app.asking.unanswered import Missing
from app.people.accounts import Who
from app.store import entries, submissions
from app.store.entries import Head
from app.web.services import services_of
from app.wiki import feedback

# Each list has so many rows; the page that it leads to has all.
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Outdated:
    """An entry that people call outdated as it is now, and how many do."""

    head: Head
    count: int


@dataclass(frozen=True, slots=True)
class TeamNeeds:
    """How many submissions and notes wait, the entries most called outdated, and the errors most asked for."""

    waiting: int
    notes: int
    outdated: tuple[Outdated, ...]
    wanted: tuple[Missing, ...]


def team_needs(request: Request, session: Session, who: Who | None) -> TeamNeeds | None:
    """Return what the team needs, for somebody who may see to it; None for everybody else."""
    if who is None or not who.may_review:
        return None
    counts = feedback.most_outdated(session, SHOWN)
    heads = {head.slug: head for head in entries.heads(session, slugs=list(counts))}
    missing, _ = unanswered.most(session, services_of(request).questions, 0, who, SHOWN)
    return TeamNeeds(
        waiting=submissions.waiting(session),
        notes=feedback.unseen(session),
        outdated=tuple(Outdated(heads[slug], count) for slug, count in counts.items() if slug in heads),
        wanted=tuple(missing),
    )
