"""Single sign-on: from somebody whom an identity provider proved to a person here, their role, and a session.

A person is the provider's address and its name for them, never what they are called. `people/identity_provider.py` asks
the provider, outside any transaction; nothing here does.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.errors import (
    BadInput,
    LastAdmin,
    SignOnDeactivated,
    SignOnDomain,
    SignOnFailed,
    SignOnGroup,
    SignOnOver,
    SignOnUnverified,
)
from app.people import accounts, audit, members
from app.people.identity_provider import BegunSignOn, ProvenIdentity
from app.people.permissions import ROLES, Role, known_role
from app.store import people
from app.store.columns import now
from app.store.people_tables import Person, PersonIdentity
from app.store.session import writing

# seconds between the way to the provider and the way back
PATIENCE = 600
# in a list of groups with their roles: whoever signs on
EVERYBODY = "*"
# how somebody is called whose names cannot be had
NAMELESS = "member"
_MOST_ALIKE = 1000
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class EntryTerms:
    """Who is let in: `domains` of verified e-mail addresses, none for all; `roles` by group, none where they are given
    here; whether a verified address leads to the account that has it. The rest is of the session.
    """

    domains: frozenset[str]
    roles: Mapping[str, str]
    joins_by_email: bool
    days: int
    key: str
    audit_days: int


def seal(begun: BegunSignOn, key: str, at: float) -> str:
    """Return what a browser keeps of a sign-in that it began: encrypted, and good for ten minutes from `at` on.

    Moments are in seconds since 1970.
    """
    from joserfc import jwt
    from joserfc.jwe import JWERegistry

    claims = {**asdict(begun), "exp": int(at) + PATIENCE}
    return jwt.encode({"alg": "dir", "enc": "A256GCM"}, claims, _cookie_key(key), registry=JWERegistry())


def unseal(text: str, key: str, at: float) -> BegunSignOn:
    """Return what `seal` was given. Raises `SignOnOver` for anything else, and when its time is over at `at`."""
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwe import JWERegistry

    try:
        claims = jwt.decode(text, _cookie_key(key), registry=JWERegistry()).claims
        is_over = int(claims.pop("exp")) <= at
        begun = BegunSignOn(**claims)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise SignOnOver("no cookie of ours") from error
    if is_over:
        raise SignOnOver("the cookie is too old")
    return begun


def _cookie_key(key: str) -> Any:
    from joserfc.jwk import OctKey

    return OctKey.import_key(bytes.fromhex(accounts.digest("single sign-on", key)))


def role_of(groups: Iterable[str], roles: Mapping[str, str]) -> Role | None:
    """Return the highest role that groups have, everybody's too; None where none of them has one."""
    given = (known_role(roles.get(group, "")) for group in (*groups, EVERYBODY))
    return max((role for role in given if role), key=ROLES.index, default=None)


def enter(engine: Engine, identity: ProvenIdentity, terms: EntryTerms) -> str:
    """Let a proven person in; return the token of a new session. Who was not here before becomes a member.

    Raises `SignOnUnverified`, `SignOnDomain`, `SignOnGroup`, `SignOnDeactivated`.
    """
    try:
        role = _admit(identity, terms)
        for _ in range(2):
            try:
                return _let_in(engine, identity, terms, role)
            except IntegrityError:
                # somebody of this name or identity came at the same moment, and is there now
                continue
        return _let_in(engine, identity, terms, role)
    except SignOnFailed as refused:
        note_failure(engine, identity, refused)
        raise


def note_failure(engine: Engine, identity: ProvenIdentity | None, refused: SignOnFailed) -> None:
    """Keep that somebody was not let in, and why; not who, unless they are known here."""
    with writing(engine) as session:
        found = people.by_identity(session, identity.issuer, identity.subject) if identity else None
        about: tuple[audit.Kind, int | None] = ("person", found.id) if found else ("", None)
        audit.record(session, "sign-on-failed", None, about, after=refused.key.removeprefix("sign-on-"))


def _admit(identity: ProvenIdentity, terms: EntryTerms) -> Role | None:
    """Return the role that the provider's groups give; None where roles are given here."""
    if terms.domains:
        if not identity.email:
            raise SignOnUnverified
        if identity.email.rpartition("@")[2] not in terms.domains:
            raise SignOnDomain
    if not terms.roles:
        return None
    role = role_of(identity.groups, terms.roles)
    if role is None:
        # how many, but not which: a name of a group may be that of a person
        count = len(identity.groups)
        raise SignOnGroup(f"groups: none of {count} has a role" if count else "groups: the provider names none")
    return role


def _let_in(engine: Engine, identity: ProvenIdentity, terms: EntryTerms, role: Role | None) -> str:
    with writing(engine) as session:
        person = people.by_identity(session, identity.issuer, identity.subject)
        if person is None:
            person = _joined(session, identity, terms) or _made(session, identity, role or members.INVITED_ROLE)
        if person.state != "active":
            raise SignOnDeactivated
        number = person.id or 0
        if identity.email and person.email != identity.email:
            person.email = identity.email
            session.add(person)
        if role:
            # who is the last admin stays one: nobody could administer the site
            with suppress(LastAdmin):
                members.change_role(session, person, role, by=audit.PROVIDER)
        audit.record(session, "sign-on", number, ("person", number))
        audit.forget(session, terms.audit_days, now())
        return accounts.open_session(session, number, terms.days, terms.key)


def _joined(session: Session, identity: ProvenIdentity, terms: EntryTerms) -> Person | None:
    """Return the one account that has the verified address and that this provider does not know yet."""
    if not terms.joins_by_email or not identity.email:
        return None
    found = people.by_email(session, identity.email)
    if len(found) != 1:
        return None
    person = found[0]
    # an address that somebody else has now must not open the account of who had it
    if members.is_known_to(session, person, identity.issuer):
        return None
    if person.state == "active":
        _know(session, identity, person)
        audit.record(session, "identity", audit.PROVIDER, ("person", person.id))
    return person


def _made(session: Session, identity: ProvenIdentity, role: Role) -> Person:
    person = Person(name=_free_name(session, identity.names), password="", role=role, email=identity.email)
    session.add(person)
    session.flush()
    _know(session, identity, person)
    audit.record(session, "joined", person.id, ("person", person.id), after=role)
    return person


def _know(session: Session, identity: ProvenIdentity, person: Person) -> None:
    session.add(PersonIdentity(issuer=identity.issuer, subject=identity.subject, person=person.id or 0))
    session.flush()


def _free_name(session: Session, wanted: Iterable[str]) -> str:
    """Return the first name that nobody has, else the first one with a number."""
    usable = [name[:_LONGEST_NAME].strip() for name in wanted]
    usable = [name for name in usable if name and name.isprintable() and not name.startswith(accounts.FORMER)]
    first = (usable or [NAMELESS])[0]
    numbered = (f"{first[: _LONGEST_NAME - 6]} {number}" for number in range(2, _MOST_ALIKE))
    for name in (first, *numbered):
        try:
            return accounts.free_name(session, name)
        except BadInput:
            continue
    raise SignOnFailed("so many people have this name that no number is left")
