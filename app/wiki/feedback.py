"""Whether an entry helped: each person says it once, readers see the counts, reviewers read the notes."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlmodel import Session

from app.content.schema import EntryDocument
from app.errors import BadInput
from app.people import audit
from app.people.accounts import Who, reviewer
from app.store import feedback
from app.store.asked_tables import Feedback
from app.store.columns import now
from app.store.feedback import Vote
from app.wiki import publishing

Said = Literal["solved", "not-this", "outdated"]
SAID: tuple[Said, ...] = get_args(Said)
LONGEST_NOTE = 1_000
PAGE = 50


@dataclass(frozen=True, slots=True)
class Counts:
    """How many people said what of an entry."""

    solved: int = 0
    not_this: int = 0
    outdated: int = 0


def new_token() -> str:
    """Return a random token by which a browser is known from its first vote on; it says nothing about anybody."""
    return secrets.token_urlsafe(16)


def voter(who: Who | None, token: str) -> str:
    """Return the person that a vote is counted for: somebody signed in, else the browser with this token."""
    return f"person:{who.id}" if who else hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def say(session: Session, slug: str, voter: str, said: str, *, note: str = "", lang: str = "en") -> str:
    """Count what a person says of the present revision of an entry, and return the slug that it has now.

    Their later word replaces the earlier one. A note of at most 1,000 characters goes to the reviewers; a note to
    "solved" is not kept. Raises `NotFound`, `BadInput` for anything but solved, not-this and outdated.
    """
    if said not in SAID:
        raise BadInput(detail=f"say one of {', '.join(SAID)}")
    entry, _ = publishing.present(session, slug)
    kept = "" if said == "solved" else _readable(note)
    feedback.put(session, Vote(entry.slug, entry.revision, voter, said, kept, "zh" if lang == "zh" else "en"), now())
    return entry.slug


def _readable(note: str) -> str:
    kept = "".join(char for char in note if char.isprintable() or char in "\n\t")
    return kept.strip()[:LONGEST_NOTE]


def counts(session: Session, document: EntryDocument, revision: int | None = None) -> Counts:
    """Return how many people said what of an entry under its present and former slugs, of one revision if given."""
    found = feedback.counts(session, [document.slug, *document.former], revision)
    return Counts(found.get("solved", 0), found.get("not-this", 0), found.get("outdated", 0))


def last_solved(session: Session, document: EntryDocument) -> datetime | None:
    """Return when somebody last said that an entry solved their problem; None when nobody did."""
    return feedback.last(session, [document.slug, *document.former], "solved")


def most_outdated(session: Session, limit: int) -> dict[str, int]:
    """Return the entries that most people call outdated as they are now, and how many do, by slug."""
    return feedback.most_given(session, "outdated", limit)


def notes(session: Session, who: Who, page: int) -> tuple[list[Feedback], bool]:
    """Return a page of notes for a reviewer, newest first, and whether there are more. Raises `Forbidden`."""
    reviewer(who)
    rows = feedback.notes(session, before=page * PAGE, limit=PAGE + 1)
    return rows[:PAGE], len(rows) > PAGE


def see(session: Session, who: Who, number: int, noted: str) -> None:
    """Mark the note that a reviewer read as seen; one that was written since stays unseen. Raises `Forbidden`."""
    reviewer(who)
    row = session.get(Feedback, number)
    if row is not None and row.noted is not None and row.noted.isoformat() == noted:
        feedback.see(session, number, row.noted)
        audit.record(session, "note-seen", who.id, ("note", number))


def unseen(session: Session) -> int:
    """Return how many notes no reviewer has marked as seen."""
    return feedback.unseen(session)
