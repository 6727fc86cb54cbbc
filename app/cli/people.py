"""`errdex user …`: people who can sign in."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from app import i18n
from app.cli import output
from app.cli.database import created, existing
from app.cli.exits import NOTHING, USAGE, Stop
from app.errors import NotFound
from app.people import accounts
from app.people.permissions import DEFAULT_ROLE, ROLES
from app.store.session import reading, writing

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
        output.write_json([{"name": p.name, "role": p.role, "created": p.created.isoformat()} for p in found])
    elif found:
        output.table(("name", "role", "since"), [(p.name, p.role, i18n.day("en", p.created.date())) for p in found])
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
def remove(name: Name) -> None:
    """Remove a person and sign them out everywhere; what they decided stays."""
    with existing() as engine, writing(engine) as session, _nobody(name):
        accounts.remove_person(session, name)
    output.say(f"{name.strip()} can no longer sign in.")


@contextmanager
def _nobody(name: str) -> Iterator[None]:
    try:
        yield
    except NotFound as error:
        raise Stop(NOTHING, f"nobody is called {name.strip()}; `errdex user list` names everyone") from error


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise Stop(USAGE, "there is no terminal to ask for the password; give it with --password-stdin")
    entered: str = typer.prompt("Password", hide_input=True, confirmation_prompt="The same again", err=True)
    return entered
