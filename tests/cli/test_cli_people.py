"""An operator says who can sign in."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine

from app import accounts
from app.errors import WrongCredentials
from app.store.session import reading, writing

Run = Callable[..., Any]
PASSWORD = "a long enough password"


def test_the_first_person_makes_the_database_and_is_listed(run: Run) -> None:
    """`user add` is what one does first."""
    result = run("user", "add", "mila", "--role", "admin", "--password-stdin", stdin=f"{PASSWORD}\n")
    assert result.exit_code == 0
    found = json.loads(run("user", "list", "--json").stdout)
    assert [(person["name"], person["role"]) for person in found] == [("mila", "admin")]
    assert "mila" in run("user", "list").stdout


@pytest.mark.parametrize(
    ("words", "password", "told"),
    [
        (["mila"], "short", "10 to 1000"),
        (["mila", "--role", "emperor"], PASSWORD, "emperor"),
        (["rita"], PASSWORD, "already"),
        ([" "], PASSWORD, "name"),
    ],
)
@pytest.mark.usefixtures("engine")
def test_what_cannot_be_a_person_is_refused_with_2(run: Run, words: list[str], password: str, told: str) -> None:
    """The sentence says what is wrong."""
    result = run("user", "add", *words, "--password-stdin", stdin=password)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_new_password_replaces_the_old_one_and_ends_all_sessions(run: Run, engine: Engine) -> None:
    """What an operator does when a password got out."""
    with writing(engine) as session:
        token = accounts.sign_in(session, "rita", "correct horse battery", 30, "key")
    assert run("user", "password", "rita", "--password-stdin", stdin=PASSWORD).exit_code == 0
    with reading(engine) as session:
        assert accounts.who(session, token, "key") is None
    with writing(engine) as session, pytest.raises(WrongCredentials):
        accounts.sign_in(session, "rita", "correct horse battery", 30, "key")
    with writing(engine) as session:
        assert accounts.sign_in(session, "rita", PASSWORD, 30, "key")


def test_a_removed_person_is_signed_out_and_gone(run: Run, engine: Engine) -> None:
    """And a second removal says that nobody has that name."""
    with writing(engine) as session:
        token = accounts.sign_in(session, "rita", "correct horse battery", 30, "key")
    assert run("user", "remove", "rita").exit_code == 0
    with reading(engine) as session:
        assert accounts.who(session, token, "key") is None
    assert run("user", "remove", "rita").exit_code == 1
    assert "nobody" in run("user", "password", "rita", "--password-stdin", stdin=PASSWORD).stderr


def test_without_a_terminal_the_password_must_be_given(run: Run) -> None:
    """A script is not asked."""
    result = run("user", "add", "mila")
    assert result.exit_code == 2
    assert "--password-stdin" in result.stderr
