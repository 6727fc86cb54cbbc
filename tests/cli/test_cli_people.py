"""An operator says who can sign in."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pwdlib import PasswordHash
from sqlalchemy import Engine

from app.errors import WrongCredentials
from app.people import accounts
from app.people.sign_in import Attempt, Terms, sign_in
from app.store.people_tables import Person
from app.store.session import reading, writing

Run = Callable[..., Any]
PASSWORD = "a long enough password"
HOST, TERMS = "192.0.2.1", Terms("10/minute", 30, "key")


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
        (["mila"], "1234567890", "four or more words"),
        (["mila"], "passwordpassword", "easy to guess (repeats like"),
        (["mila-of-the-lab"], "mila-of-the-lab", "easy to guess"),
        (["mila"], "errdex2026", "easy to guess"),
        (["mila"], "密码密码密码密码密码", "easy to guess"),
        (["mila"], "a" * 1000, "easy to guess"),
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
    token = sign_in(engine, Attempt("rita", "correct horse battery", HOST), TERMS)
    assert run("user", "password", "rita", "--password-stdin", stdin=PASSWORD).exit_code == 0
    with reading(engine) as session:
        assert accounts.who(session, token, "key") is None
    with pytest.raises(WrongCredentials):
        sign_in(engine, Attempt("rita", "correct horse battery", HOST), TERMS)
    assert sign_in(engine, Attempt("rita", PASSWORD, HOST), TERMS)


@pytest.mark.parametrize("password", [PASSWORD, "xk3j9qz0vm", "我们的服务器密码很长", "k7" + "\U0001f511" * 9 + "Q!x"])
@pytest.mark.usefixtures("engine")
def test_a_password_that_is_hard_to_guess_is_taken(run: Run, password: str) -> None:
    """Words in a row, or what a password manager makes."""
    assert run("user", "add", "mila", "--password-stdin", stdin=password).exit_code == 0


@pytest.mark.usefixtures("engine")
def test_a_new_password_that_is_easy_to_guess_is_refused_and_the_old_one_stays(run: Run, engine: Engine) -> None:
    """The same rule as for a new person."""
    refused = run("user", "password", "rita", "--password-stdin", stdin="qwertyuiop")
    assert refused.exit_code == 2
    assert "password manager" in refused.stderr
    assert sign_in(engine, Attempt("rita", "correct horse battery", HOST), TERMS)


def test_a_password_from_before_the_rule_still_signs_in(engine: Engine) -> None:
    """Only new ones are estimated."""
    with writing(engine) as session:
        session.add(Person(name="old", password=PasswordHash.recommended().hash("1234567890")))
    assert sign_in(engine, Attempt("old", "1234567890", HOST), TERMS)


def test_a_removed_person_is_signed_out_and_gone(run: Run, engine: Engine) -> None:
    """And a second removal says that nobody has that name."""
    token = sign_in(engine, Attempt("rita", "correct horse battery", HOST), TERMS)
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
