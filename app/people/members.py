"""What an admin does with people: roles, in and out, links that let somebody in, and leaving for good.

`by` is the number of the person who does it, as for `audit.record`. The last admin who can sign in can be neither
demoted, deactivated nor removed.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Engine
from sqlmodel import Session

from app.errors import BadInput, LastAdmin, LinkOver, NotFound
from app.people import accounts, audit, passwords, permissions
from app.store import audit as audit_records
from app.store import former_members, people, sign_ins
from app.store.audit import AuditFilter
from app.store.columns import now, row_number
from app.store.people_tables import OneTimeLink, Person
from app.store.session import reading, writing

Kind = Literal["admin", "invite", "reset", "sign-in"]
INVITED_ROLE: permissions.Role = "writer"
LASTS: dict[Kind, timedelta] = {
    "admin": timedelta(hours=24),
    "invite": timedelta(days=7),
    "reset": timedelta(days=1),
    # it opens an account by itself
    "sign-in": timedelta(minutes=15),
}
_MADE: dict[Kind, audit.Act] = {"invite": "invited", "reset": "reset-link", "sign-in": "sign-in-link"}
LONGEST_EMAIL = 254


def member(session: Session, number: int) -> Person:
    """Return somebody who was not removed. Raises `NotFound`."""
    found = people.by_number(session, number) if row_number(number) else None
    if found is None or found.state == "removed":
        raise NotFound(what=f"person {number}")
    return found


def change_role(session: Session, person: Person, role: str, *, by: int) -> None:
    """Give a person another role. Raises `BadInput` for one that is none, `LastAdmin`."""
    if role not in permissions.ROLES:
        detail = f"unknown role {role!r}; there are {', '.join(permissions.ROLES)}"
        raise BadInput(detail=detail, fields={"role": "people.role-wrong"})
    if role == person.role:
        return
    _need_another_admin(session, person)
    audit.record(session, "role", by, ("person", person.id), before=person.role, after=role)
    person.role = role
    session.add(person)


def is_known_to(session: Session, person: Person, issuer: str) -> bool:
    """Tell whether an identity provider knows somebody; never where there is none."""
    return any(one.issuer == issuer for one in people.identities_of(session, person.id or 0))


def set_state(session: Session, person: Person, *, is_active: bool, by: int) -> None:
    """Activate or deactivate a person. Deactivating ends all their sessions; their name stays. Raises `LastAdmin`."""
    state = "active" if is_active else "deactivated"
    if person.state == state:
        return
    if not is_active:
        _need_another_admin(session, person)
        accounts.forget_ways_in(session, person)
    person.state = state
    session.add(person)
    audit.record(session, "activated" if is_active else "deactivated", by, ("person", person.id))


def end_sessions(session: Session, person: Person, *, by: int) -> None:
    """Sign a person out everywhere."""
    people.forget_person(session, person.id or 0)
    audit.record(session, "sessions-ended", by, ("person", person.id))


def remove(session: Session, person: Person, *, by: int) -> str:
    """Erase who a person is; return the name that what they did has from now on. Raises `LastAdmin`.

    Sessions, links and addresses go, and of a token all but its digest, so that who shows it is told that its owner is
    gone; every stored actor and submitter, and `@name` in a note, becomes "former member 7", where 7 is their number.
    """
    _need_another_admin(session, person)
    number, name = person.id or 0, person.name
    accounts.forget_ways_in(session, person)
    people.end_tokens(session, number, now())
    people.forget_identities(session, number)
    people.forget_asked(session, number)
    former = f"{accounts.FORMER} {number}"
    former_members.rename(session, name, former)
    person.name, person.password, person.email, person.language, person.state = former, "", "", "", "removed"
    session.add(person)
    audit.record(session, "removed", by, ("person", number))
    return former


def _need_another_admin(session: Session, person: Person) -> None:
    if person.role == "admin" and person.state == "active" and people.active_admins(session) == [person.id]:
        raise LastAdmin


def make_link(session: Session, kind: Kind, *, by: int, role: str = "", person: Person | None = None) -> str:
    """Return the token of a link that lets somebody in once.

    An invite makes a person of `role`; a reset gives `person` a new password; a sign-in opens a session of `person`; a
    link for the first admin takes the place of earlier ones. Raises `BadInput` for a role that is none.
    """
    if kind == "invite" and role not in permissions.ROLES:
        raise BadInput(detail=f"unknown role {role!r}", fields={"role": "people.role-wrong"})
    at, number = now(), person.id if person else None
    people.forget_links(session, at, "admin" if kind == "admin" else "", number)
    token = secrets.token_urlsafe(32)
    role = "admin" if kind == "admin" else role
    session.add(
        OneTimeLink(digest=accounts.digest(token), kind=kind, role=role, person=number, expires=at + LASTS[kind])
    )
    if act := _MADE.get(kind):
        about: tuple[audit.Kind, int | None] = ("person", number) if number else ("", None)
        audit.record(session, act, by, about, after=role)
    return token


@dataclass(frozen=True, slots=True)
class Invitation:
    """What an unused link is for; `name` is whom it is for, empty where a new person takes one."""

    kind: str
    role: str
    name: str


def invitation(session: Session, token: str) -> Invitation:
    """Return what a one-time link is for; looking does not use it up. Raises `LinkOver`."""
    row = people.link(session, accounts.digest(token), now())
    if row is None or (row.kind == "admin" and people.has_active_admin(session)):
        raise LinkOver
    person = people.by_number(session, row.person) if row.person else None
    if row.person and (person is None or person.state != "active"):
        raise LinkOver
    return Invitation(row.kind, row.role, person.name if person else "")


def join(engine: Engine, token: str, name: str, password: str | None) -> int:
    """Use a one-time link: make a person, give one a new password and end their sessions, or let one in. Return their
    number. `password` is None where nobody takes one; a link for a new password is then good for nothing.

    Raises `LinkOver`, `BadInput` whose `fields` name what to type anew; the link is good still then.
    """
    with reading(engine) as session:
        found = invitation(session, token)
        if not found.name:
            name = accounts.free_name(session, name)
    if found.kind == "reset" and password is None:
        raise LinkOver
    takes_one = found.kind != "sign-in" and password is not None
    kept = passwords.hash_new(password or "", found.name or name) if takes_one else ""
    with writing(engine) as session:
        row = people.link(session, accounts.digest(token), now())
        if row is None or invitation(session, token) != found or not people.take_link(session, row.digest):
            raise LinkOver
        if not found.name:
            return _made(session, name, kept, found.role)
        person = member(session, row.person or 0)
        if found.kind == "sign-in":
            audit.record(session, "sign-in", person.id, ("person", person.id), after="link")
        else:
            person.password = kept
            session.add(person)
            accounts.forget_ways_in(session, person)
            audit.record(session, "password", person.id, ("person", person.id))
        return person.id or 0


def _made(session: Session, name: str, kept: str, role: str) -> int:
    person = Person(name=accounts.free_name(session, name), password=kept, role=role)
    session.add(person)
    session.flush()
    audit.record(session, "joined", person.id, ("person", person.id), after=role)
    return person.id or 0


def set_email(session: Session, person: Person, email: str) -> None:
    """Note by which e-mail address a person is joined when they sign on; empty for none. Raises `BadInput`."""
    email = email.strip().lower()
    name, _, domain = email.rpartition("@")
    if email and not (name and domain and email.isprintable() and " " not in email and len(email) <= LONGEST_EMAIL):
        raise BadInput(detail=f"{email[:80]!r} is no e-mail address")
    person.email = email
    session.add(person)


def export(session: Session, person: Person) -> dict[str, Any]:
    """Return what is kept of a person, without what lets anybody in."""
    number, at = person.id or 0, now()
    done = audit_records.everything(session, AuditFilter(actor=number))
    return {
        "number": number,
        "name": person.name,
        "email": person.email,
        "role": person.role,
        "state": person.state,
        "language": person.language,
        "created": person.created.isoformat(),
        "has_password": bool(person.password),
        "sessions": [_moments(began=one.began, expires=one.expires) for one in people.sessions_of(session, number, at)],
        "identities": [
            {"issuer": one.issuer, "subject": one.subject} | _moments(since=one.at)
            for one in people.identities_of(session, number)
        ],
        "tokens": [
            {"name": one.name, "scope": one.scope, "last_use": one.used}
            | _moments(created=one.created, expires=one.expires, revoked=one.revoked)
            for one in people.tokens_of(session, number)
        ],
        "addresses_known": sign_ins.number_known(session, number),
        **former_members.named(session, person.name, number),
        "acts": [
            {"act": one.act, "kind": one.kind, "number": one.number, "before": one.before, "after": one.after}
            | _moments(at=one.at)
            for one in done
        ],
    }


def _moments(**moments: datetime | None) -> dict[str, str]:
    return {name: moment.isoformat() for name, moment in moments.items() if moment}
