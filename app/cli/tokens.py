"""`errdex token …`: what programs call with."""

from typing import Annotated

import typer

from app import i18n
from app.cli import output
from app.cli.database import existing
from app.cli.exits import NOTHING, Stop
from app.people import accounts
from app.people import tokens as service
from app.people.permissions import SCOPES
from app.store import people
from app.store.session import reading, writing

tokens = typer.Typer(name="token", help="Tokens that programs call with in the name of a person.", no_args_is_help=True)

Owner = Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is.")]


@tokens.command()
def add(
    name: Owner,
    purpose: Annotated[str, typer.Option("--for", help="What it is for.")],
    scope: Annotated[str, typer.Option("--scope", help=f"One of: {', '.join(SCOPES)}.")] = "read",
    days: Annotated[int, typer.Option("--days", help="Days until it expires.")] = service.DAYS,
) -> None:
    """Make a token and print it, this once: it is kept nowhere."""
    with existing() as engine, writing(engine) as session:
        _, text = service.add(session, accounts.named(session, name), purpose, scope, days, by=0)
    output.say(text)


@tokens.command("list")
def list_(
    name: Owner, as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False
) -> None:
    """List the tokens of a person."""
    with existing() as engine, reading(engine) as session:
        found = people.tokens_of(session, accounts.named(session, name).id or 0)
    if as_json:
        output.write_json(
            [
                {
                    "number": one.id,
                    "name": one.name,
                    "scope": one.scope,
                    "expires": one.expires.isoformat(),
                    "revoked": one.revoked.isoformat() if one.revoked else None,
                    "last_use": one.used or None,
                }
                for one in found
            ]
        )
        return
    rows = [
        (
            str(one.id),
            one.name,
            one.scope,
            "revoked" if one.revoked else i18n.day("en", one.expires.date()),
            one.used or "never",
        )
        for one in found
    ]
    output.table(("number", "name", "scope", "until", "last use"), rows)


@tokens.command()
def revoke(name: Owner, number: Annotated[int, typer.Argument(metavar="NUMBER", help="As `list` has it.")]) -> None:
    """Make a token useless at once; one that is so already is taken out of the list."""
    with existing() as engine, writing(engine) as session:
        person = accounts.named(session, name).id or 0
        if number not in {one.id for one in people.tokens_of(session, person)}:
            raise Stop(NOTHING, f"{name} has no token {number}; `errdex token list {name}` names them")
        service.revoke(session, person, number, by=0)
    output.say(f"Token {number} is good for nothing any more.")
