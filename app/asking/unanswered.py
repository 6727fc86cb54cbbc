"""What found no entry: counted by the masked pattern of its first cause, all of whose words are ones software prints.

The pattern is kept, for reviewers, once it is not one person's alone: when clients of several addresses asked on one
day, or several people who had signed in, on any days. Everybody sees it once a reviewer has released it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import Engine
from sqlmodel import Session

from app.asking import day_digest
from app.asking.day_digest import Day
from app.asking.entry_draft import ENOUGH
from app.asking.question_service import Match, Questions
from app.content.names import Names, named_words
from app.errors import ErrdexError
from app.matching.ranking.holes import HOLE
from app.matching.ranking.pattern import compile_pattern
from app.matching.text.masks import fingerprint
from app.people import audit
from app.people.accounts import Who, reviewer
from app.privacy.public_pattern import make_public
from app.store import unanswered
from app.store.asked_tables import Wanted
from app.store.columns import now
from app.store.session import reading, writing
from app.store.unanswered import Place

# The pattern is kept once an error was asked for from so many addresses on one day, or by so many people who had signed
# in.
ENOUGH_ASKED = 3
# On one day at most so many clients are counted who say of an error that they met it, too.
MOST_TOO = 1_000
# An error that fewer have asked for is forgotten after this time.
KEPT = timedelta(days=30)
PAGE = 30
# A family is looked for among the first so many related entries.
FAMILY_LOOKED = 5
# With one of these reasons a message of the entry was seen whole.
_MESSAGES = ("message", "message-weak")


@dataclass(frozen=True, slots=True)
class Missing:
    """An error that has no entry: its pattern with `<*>` holes, how often it was asked, first and last.

    `released` says that everybody sees it, not only reviewers.
    """

    fingerprint: str
    pattern: str
    asked: int
    first: datetime
    last: datetime
    released: bool


@dataclass(slots=True)
class AskCount:
    """How often something was asked, and by whom: clients as `day_digest.client` names them, numbers of people.

    As many of either are kept as are enough for the pattern to be kept.
    """

    times: int = 0
    clients: set[str] = field(default_factory=set)
    people: set[int] = field(default_factory=set)

    def add(self, client: str, person: int | None) -> None:
        """Count one asking; `person` is the number of somebody who had signed in."""
        self.times += 1
        if len(self.clients) < ENOUGH_ASKED:
            self.clients.add(client)
        if person is not None and len(self.people) < ENOUGH_ASKED:
            self.people.add(person)


def public(text: str) -> str:
    """Return a pattern without words that no table knows, of several holes in a row one; again it changes nothing."""
    return make_public(text, named_words())


def count(engine: Engine, patterns: Mapping[str, AskCount], key: str, at: datetime | None = None) -> None:
    """Count patterns, each as often as it was asked, in a transaction of its own. Raises `Unavailable`.

    `key` is the secret of the installation. A pattern that nobody asked for before is counted while the day has room.
    """
    at = at or now()
    asked = _by_fingerprint(patterns)
    with writing(engine) as session:
        day = day_digest.open_day(session, key, at)
        known = unanswered.known(session, asked)
        fresh = set(islice((one for one in asked if one not in known), max(0, day.room)))
        # Counting a pattern locks its row. All workers count in the same order, so that one waits for another and then
        # sees who asked there.
        for one in sorted(fresh.union(known)):
            unanswered.count(session, one, asked[one][1].times, at)
        for one in _enough(session, day, {one: asked[one][1] for one in asked if known.get(one, one in fresh)}):
            unanswered.keep_pattern(session, one, asked[one][0])
        unanswered.forget(session, at - KEPT)


def _by_fingerprint(patterns: Mapping[str, AskCount]) -> dict[str, tuple[str, AskCount]]:
    """Return patterns by their fingerprints. Patterns that differ only in case share one."""
    found: dict[str, tuple[str, AskCount]] = {}
    for pattern, asked in patterns.items():
        kept = found.setdefault(fingerprint(pattern), (pattern, AskCount()))[1]
        kept.times += asked.times
        kept.clients |= asked.clients
        kept.people |= asked.people
    return found


def _enough(session: Session, day: Day, asked: Mapping[str, AskCount]) -> list[str]:
    """Note who asked for patterns that are not kept yet, and return those that enough different people asked for."""
    clients = day_digest.see(session, day, {_about(one): found.clients for one, found in asked.items()}, ENOUGH_ASKED)
    people = unanswered.add_people(session, {one: found.people for one, found in asked.items()})
    return [one for one in asked if max(clients[_about(one)], people.get(one, 0)) >= ENOUGH_ASKED]


def _about(one: str) -> str:
    return f"wanted:{one}"


def most(
    session: Session, questions: Questions, page: int, who: Who | None = None, size: int = PAGE
) -> tuple[list[Missing], bool]:
    """Return a page, of `size` rows, of what is wanted most and still finds no entry, and whether there are more.

    Reviewers get what was released and what was not, everybody else what was. Each is asked again, so that what an
    entry answers by now is not shown.
    """
    released = not (who and who.may_review)
    rows = unanswered.most(session, released=released, after=page * size, limit=size + 1)
    return [_missing(*row) for row in rows[:size] if not _answered(questions, row[0])], len(rows) > size


def most_after(
    session: Session, questions: Questions, place: Place | None, who: Who | None, size: int
) -> tuple[list[Missing], Place | None]:
    """Return what `most` does, of the `size` rows after a place; and the place of the last one if more follow."""
    released = not (who and who.may_review)
    rows = unanswered.most(session, released=released, place=place, limit=size + 1)
    last = rows[size - 1][0] if len(rows) > size else None
    found = [_missing(*row) for row in rows[:size] if not _answered(questions, row[0])]
    return found, Place(last.asked, last.last, last.fingerprint) if last else None


def _missing(row: Wanted, released: bool) -> Missing:
    return Missing(row.fingerprint, row.pattern, row.asked, row.first, row.last, released)


def _answered(questions: Questions, row: Wanted) -> bool:
    try:
        answer = questions.ask(row.pattern.replace(HOLE, "1"), "en", FAMILY_LOOKED)
        return bool(answer.matches) or any(_is_of_family(match, answer.names) for match in answer.related)
    except ErrdexError:
        # One question that fails must not take the list away.
        return False


def _is_of_family(match: Match, names: Names) -> bool:
    """Tell whether a related entry is one of several that this very message can mean, told apart by something else."""
    is_whole = any(reason.key in _MESSAGES and reason.contribution > 0 for reason in match.reasons)
    return is_whole and any(match.slug in family.look for family in names.families)


def unreleased(session: Session) -> int:
    """Return how many patterns are there that only reviewers see."""
    return unanswered.unreleased(session)


def met_too(session: Session, key: str, one: str, address: str, who: Who | None) -> None:
    """Count that somebody met an error of the list too: a person who signed in once, anybody else once a day.

    `key` is the secret of the installation, `one` a fingerprint; one that they do not see in the list counts nothing.
    """
    at = now()
    day = day_digest.open_day(session, key, at)
    if not unanswered.is_listed(session, one, released=not (who and who.may_review)):
        return
    if who is not None:
        is_new = unanswered.add_person(session, one, who.id)
    else:
        about = f"too:{one}"
        before = day_digest.see(session, day, {about: ()}, MOST_TOO)[about]
        is_new = day_digest.see(session, day, {about: {day_digest.client(address)}}, MOST_TOO)[about] > before
    if is_new:
        unanswered.count(session, one, 1, at)


def dismiss(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Take errors out of the list for good and forget their patterns. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        unanswered.dismiss(session, one)
        audit.record(session, "dismissed", who.id, before=one)


def release(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Have everybody see errors that are in the reviewers' list. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        unanswered.release(session, one, who.name, now())
        audit.record(session, "released", who.id, after=one)


def withdraw(session: Session, who: Who, fingerprints: Sequence[str]) -> None:
    """Have only reviewers see errors that were released. Raises `Forbidden`."""
    reviewer(who)
    for one in fingerprints:
        unanswered.withdraw(session, one)
        audit.record(session, "withdrawn", who.id, before=one)


def hole_again(engine: Engine) -> int:
    """Bring patterns that an earlier version kept, or that came with its backup, into today's form; return how many
    changed.

    Words that no table knows become holes and the pattern is unreleased; where too little is left it is forgotten.
    Nothing is written where nothing is to be changed. Raises `Unavailable`.
    """
    with reading(engine) as session:
        if all(public(row.pattern) == row.pattern for row in unanswered.kept_patterns(session)):
            return 0
    changed = 0
    with writing(engine) as session:
        for row in unanswered.kept_patterns(session):
            pattern = public(row.pattern)
            if pattern != row.pattern:
                enough = compile_pattern(pattern).total >= ENOUGH
                unanswered.replace(session, row, fingerprint(pattern), pattern if enough else "")
                changed += 1
    return changed
