"""`errdex user …`: people who can sign in."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from sqlmodel import Session

from app import i18n
from app.cli import output
from app.cli.addresses import address
from app.cli.database import created, existing, settings
from app.cli.exits import NOTHING, USAGE, Stop
from app.errors import NotFound
from app.people import accounts, members
from app.people.permissions import DEFAULT_ROLE, ROLES
from app.store import people as store
from app.store.columns import now
from app.store.people_tables import Person
from app.store.session import reading, writing

# To `app.people.audit.record` this number says that a command did it.
COMMAND = 0
people = typer.Typer(name="user", help="People who can sign in.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the person signs in with.")]
FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from the first line of standard input.")
]


@people.command()
def add(
    name: Name,
    role: Annotated[str, typer.Option("--role", help=f"One of: {', '.join(ROLES)}.")] = DEFAULT_ROLE,
    password_stdin: FromStdin = False,
) -> None:
    """Add a person; make the database if there is none."""
    password = _password(password_stdin)
    with created() as engine:
        accounts.add_person(engine, name, password, role)
    output.say(f"{name.strip()} can sign in as {role}.")


@people.command("list")
def list_(as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False) -> None:
    """List the people who can sign in."""
    with existing() as engine, reading(engine) as session:
        found = accounts.everyone(session)
    if as_json:
        output.write_json(
            [{"name": p.name, "role": p.role, "created": p.created.isoformat(), "state": p.state} for p in found]
        )
    elif found:
        rows = [(p.name, p.role, p.state, i18n.day("en", p.created.date())) for p in found]
        output.table(("name", "role", "state", "since"), rows)
    else:
        output.say("Nobody yet; add someone with `errdex user add NAME`.")


@people.command()
def password(name: Name, password_stdin: FromStdin = False) -> None:
    """Set a new password and sign the person out everywhere."""
    chosen = _password(password_stdin)
    with existing() as engine, _nobody(name):
        accounts.set_password(engine, name, chosen)
    output.say(f"{name.strip()} has a new password and is signed out everywhere.")


@people.command()
def role(name: Name, role: Annotated[str, typer.Argument(metavar="ROLE", help=f"One of: {', '.join(ROLES)}.")]) -> None:
    """Give a person another role."""
    with _changing(name) as (session, person):
        members.change_role(session, person, role, by=COMMAND)
    output.say(f"{name.strip()} is {role} now.")


@people.command()
def deactivate(name: Name) -> None:
    """Let a person in no longer and sign them out everywhere; their name and what they did stay."""
    with _changing(name) as (session, person):
        members.set_state(session, person, is_active=False, by=COMMAND)
    output.say(f"{name.strip()} can no longer sign in; `errdex user activate` lets them in again.")


@people.command()
def activate(name: Name) -> None:
    """Let a person in again who was deactivated."""
    with _changing(name) as (session, person):
        members.set_state(session, person, is_active=True, by=COMMAND)
    output.say(f"{name.strip()} can sign in.")


@people.command()
def sessions(
    name: Name, end: Annotated[bool, typer.Option("--end", help="Sign the person out everywhere.")] = False
) -> None:
    """Say how many browsers a person is signed in with, or end all of these sessions."""
    with _changing(name) as (session, person):
        found = len(store.sessions_of(session, person.id or 0, now()))
        if end:
            members.end_sessions(session, person, by=COMMAND)
    output.say(f"{name.strip()} {'was' if end else 'is'} signed in {found} times.")


@people.command()
def language(name: Name, lang: Annotated[str, typer.Argument(metavar="LANG", help="en or zh.")]) -> None:
    """Choose the language in which a person is greeted after signing in."""
    known = i18n.known(lang)
    if known is None:
        raise Stop(USAGE, f"{lang!r} is no language of the site; there are {', '.join(i18n.LANGS)}")
    with _changing(name) as (session, person):
        person.language = known
        session.add(person)
    output.say(f"{name.strip()} is greeted in {known}.")


@people.command()
def invite(
    role: Annotated[str, typer.Option("--role", help=f"One of: {', '.join(ROLES)}.")] = members.INVITED_ROLE,
) -> None:
    """Print a link by which one person becomes a member, once, within seven days."""
    _need_passwords()
    with created() as engine, writing(engine) as session:
        token = members.make_link(session, "invite", by=COMMAND, role=role)
    output.say(link_to(token))


@people.command()
def reset(name: Name) -> None:
    """Print a link by which a person takes a new password, once, within a day."""
    _need_passwords()
    with _changing(name) as (session, person):
        token = members.make_link(session, "reset", by=COMMAND, person=person)
    output.say(link_to(token))


@people.command()
def link(name: Name) -> None:
    """Print a link that signs a person in, once, within 15 minutes; without a password, and also while the sign-in
    service is away.
    """
    with _changing(name) as (session, person):
        if person.state != "active":
            raise Stop(USAGE, f"{name.strip()} is deactivated; `errdex user activate` lets them in again")
        token = members.make_link(session, "sign-in", by=COMMAND, person=person)
    output.say(link_to(token))


@people.command()
def email(
    name: Name, address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Empty to forget the present one.")]
) -> None:
    """Note a person's e-mail address, which leads them here from single sign-on (ERRDEX_OIDC_JOIN_BY_EMAIL)."""
    with _changing(name) as (session, person):
        members.set_email(session, person, address)
        kept = person.email
    output.say(f"{name.strip()} has {kept or 'no address'} now.")


@people.command()
def export(name: Name) -> None:
    """Print what is kept of a person, as JSON."""
    with existing() as engine, reading(engine) as session, _nobody(name):
        found = members.export(session, accounts.named(session, name))
    output.write_json(found)


@people.command()
def remove(name: Name) -> None:
    """Erase who a person is and sign them out everywhere; what they did stays, by "former member" and their number."""
    with _changing(name) as (session, person):
        former = members.remove(session, person, by=COMMAND)
    output.say(f"{name.strip()} is gone; what they did is by {former} now.")


def link_to(token: str) -> str:
    """Return the address of a one-time link."""
    return f"{address(settings())}/en/join/{token}"


@contextmanager
def _changing(name: str) -> Iterator[tuple[Session, Person]]:
    """The person with this name, in a transaction."""
    with existing() as engine, writing(engine) as session, _nobody(name):
        yield session, accounts.named(session, name)


@contextmanager
def _nobody(name: str) -> Iterator[None]:
    try:
        yield
    except NotFound as error:
        raise Stop(NOTHING, f"nobody is called {name.strip()}; `errdex user list` names everyone") from error


def _need_passwords() -> None:
    if not settings().local_passwords:
        text = "nobody signs in with a password here (ERRDEX_LOCAL_PASSWORDS); `errdex user link NAME` lets somebody in"
        raise Stop(USAGE, text)


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise Stop(USAGE, "there is no terminal to ask for the password; give it with --password-stdin")
    entered: str = typer.prompt("Password", hide_input=True, confirmation_prompt="The same again", err=True)
    return entered
