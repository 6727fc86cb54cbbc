"""Tokens for programs: shown once, and known by their SHA-256, so that another key of the site changes nothing."""

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlmodel import Session

from app.errors import BadInput, NotFound, TokenExpired, TokenOwnerGone, TokenRefused, TokenRevoked
from app.people import audit, permissions
from app.people.accounts import Who
from app.people.permissions import SCOPES
from app.store import people
from app.store.columns import now
from app.store.people_tables import AccessToken, Person

PREFIX = "errdex_"
DAYS, LONGEST_DAYS = 90, 366
# A person has at most so many tokens, revoked and expired ones among them, so that the list can still be read.
MOST = 50


def digest(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def add(session: Session, person: Person, name: str, scope: str, days: int, *, by: int) -> tuple[AccessToken, str]:
    """Make a token for a person; return what is kept of it, and its text, which is kept nowhere.

    `by` is who makes it, as for `audit.record`. Raises `BadInput` when the name is empty or longer than 80 characters,
    the scope is none or above the person's role, the days are not 1 to 366, or the person has too many.
    """
    name = " ".join(name.split())
    if not name or len(name) > 80:
        raise BadInput(detail="a token has a name of 1 to 80 characters", fields={"name": "account.token-name-wrong"})
    if scope not in SCOPES or not permissions.is_at_least(person.role, SCOPES[scope]):
        allowed = ", ".join(scopes_of(person.role))
        raise BadInput(detail=f"the scope is one of {allowed}", fields={"scope": "account.token-scope-wrong"})
    if not 1 <= days <= LONGEST_DAYS:
        detail = f"a token lasts 1 to {LONGEST_DAYS} days"
        raise BadInput(detail=detail, fields={"days": "account.token-days-wrong"})
    if len(people.tokens_of(session, person.id or 0)) >= MOST:
        raise BadInput(detail="there are too many tokens; revoke some", fields={"name": "account.token-too-many"})
    text = PREFIX + secrets.token_urlsafe(32)
    row = AccessToken(
        digest=digest(text), person=person.id or 0, name=name, scope=scope, expires=now() + timedelta(days=days)
    )
    session.add(row)
    session.flush()
    audit.record(session, "token-added", by, ("token", row.id), after=scope)
    return row, text


def scopes_of(role: str) -> list[str]:
    """Return the scopes that a token of somebody with this role may have, from the least on."""
    return [scope for scope, least in SCOPES.items() if permissions.is_at_least(role, least)]


def revoke(session: Session, person: int, number: int, *, by: int) -> None:
    """Revoke a token of a person, or remove it if it was revoked already. Raises `NotFound`."""
    row = session.get(AccessToken, number)
    if row is None or row.person != person:
        raise NotFound(what=f"token {number}")
    if row.revoked is not None or row.expires <= now():
        session.delete(row)
        return
    row.revoked = now()
    session.add(row)
    audit.record(session, "token-revoked", by, ("token", number))


def owner(session: Session, text: str, at: datetime) -> tuple[Who, int | None]:
    """Return the person who calls with a token, and the token's number when this is its first use today.

    Their role is that of the person or of the scope, whichever may less. Raises `TokenRefused`, `TokenExpired`,
    `TokenRevoked`, `TokenOwnerGone`.
    """
    found = people.token_by_digest(session, digest(text))
    if found is None:
        raise TokenRefused
    row, person = found
    if person.state != "active":
        raise TokenOwnerGone
    if row.revoked is not None:
        raise TokenRevoked
    if row.expires <= at:
        raise TokenExpired(day=row.expires.date().isoformat())
    role = permissions.lower(person.role, SCOPES[row.scope])
    who = Who(person.id or 0, person.name, role or "", is_token=True)
    return who, None if row.used == at.date().isoformat() else row.id


def note_use(session: Session, number: int, at: datetime) -> None:
    """Store the day on which a token was used last."""
    if row := session.get(AccessToken, number):
        row.used = at.date().isoformat()
        session.add(row)
