"""A team's own names: what a reviewer, a published submission, a folder or an import makes of them."""

from collections.abc import Collection, Sequence

from sqlmodel import Session

from app.content.name_rows import MOST_NAMES, FamilyRow, NameKind, NameRow
from app.content.names import shipped_rows
from app.content.schema import EntryDocument
from app.errors import BadInput, Conflict, NotFound
from app.people import audit
from app.people.accounts import Who, reviewer
from app.store import entries, team_names


def is_named(session: Session, kind: NameKind, key: str) -> bool:
    """Tell whether something has a name, a shipped one or the team's own."""
    return key in shipped_rows(kind) or team_names.one(session, kind, key) is not None


def add(session: Session, who: Who, kind: NameKind, key: str, row: NameRow) -> None:
    """Name something that the team has no name for yet; it stands in the place of a shipped one.

    Raises `Conflict` when it has one, `BadInput` when there are too many, `Forbidden` when the person may not review.
    """
    reviewer(who)
    team_names.alone(session)
    if team_names.one(session, kind, key) is not None:
        raise Conflict(what=key)
    _need_room(session, kind)
    _put(session, who.id, kind, key, row)


def change(session: Session, who: Who, kind: NameKind, key: str, row: NameRow, *, version: int) -> None:
    """Correct a name that is still at `version`. The same again changes nothing.

    Raises `Conflict` when somebody changed it meanwhile, `NotFound` when it is gone, `Forbidden`.
    """
    reviewer(who)
    team_names.alone(session)
    if _at(session, kind, key, version).row != row:
        _put(session, who.id, kind, key, row)


def remove(session: Session, who: Who, kind: NameKind, key: str, version: int) -> None:
    """Forget a name that is still at `version`; entries keep what they say. Raises as `change` does."""
    reviewer(who)
    team_names.alone(session)
    known = _at(session, kind, key, version)
    team_names.remove(session, kind, key)
    audit.record(session, "name-removed", who.id, before=_told(kind, key, known.row))


def _at(session: Session, kind: NameKind, key: str, version: int) -> team_names.KnownName:
    known = team_names.one(session, kind, key)
    if known is None:
        raise NotFound(what=key)
    if known.version != version:
        raise Conflict(what=key)
    return known


def carry_in(session: Session, kind: NameKind, key: str, row: NameRow | None) -> None:
    """Make a name what a folder or a file says it is; None forgets it. Raises `BadInput` when there are too many."""
    team_names.alone(session)
    known = team_names.one(session, kind, key)
    if row is None and known is not None:
        team_names.remove(session, kind, key)
        audit.record(session, "name-removed", audit.OPERATOR, before=_told(kind, key, known.row))
    elif row is not None and (known is None or known.row != row):
        if known is None:
            _need_room(session, kind)
        _put(session, audit.OPERATOR, kind, key, row)


def take_suggested(session: Session, number: int, document: EntryDocument, by: int) -> None:
    """Make the names that a submission proposes the team's, as it is published with this document.

    What the document does not use, or has a name by now, is left out, and what there is no room for: an entry is
    published whatever it is called.
    """
    wanted = team_names.suggested(session, number)
    if not wanted:
        return
    team_names.alone(session)
    for kind, key, row in wanted:
        has_room = team_names.count(session, kind) < MOST_NAMES
        if has_room and key in used(document, kind) and not is_named(session, kind, key):
            _put(session, by, kind, key, row)


def used(document: EntryDocument, kind: NameKind) -> Collection[str]:
    """Return the keys of a kind that an entry uses."""
    found: dict[NameKind, Collection[str]] = {
        "projects": (document.project,),
        "components": document.components,
        "tags": document.tags,
    }
    return found.get(kind, ())


def unknown_members(session: Session, row: FamilyRow) -> Sequence[str]:
    """Return the members of a family that are no published entries."""
    slugs = list(row.look)
    known = entries.present(session, slugs)
    return [slug for slug in slugs if slug not in known]


def _put(session: Session, by: int, kind: NameKind, key: str, row: NameRow) -> None:
    known = team_names.one(session, kind, key)
    team_names.put(session, kind, key, row)
    before = _told(kind, key, known.row) if known else ""
    audit.record(session, "name-changed" if known else "name-added", by, before=before, after=_told(kind, key, row))


def _need_room(session: Session, kind: NameKind) -> None:
    if team_names.count(session, kind) >= MOST_NAMES:
        detail = f"there are {MOST_NAMES} names of this kind, which is the most"
        raise BadInput(detail=detail, fields={"form": "names.too-many"})


def _told(kind: NameKind, key: str, row: NameRow) -> str:
    return f"{kind}/{key}: {row.said.en} · {row.said.zh}"
