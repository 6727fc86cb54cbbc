"""A command starts with what it needs; how soon that is, `bench/startup.py` measures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import __version__
from app.config import ROOT, Settings
from tests.conftest import POSTGRESQL

# runs the command line, then prints which of these packages it imported
CALL = """
import sys
from app.cli import main
try:
    main()
except SystemExit as ended:
    print(ended.code or 0, *sorted({"fastapi", "psycopg", "sqlalchemy"} & set(sys.modules)), file=sys.stderr)
"""


def called(*words: str, stdin: str = "", **env: str) -> tuple[str, list[str]]:
    """What a command printed; its exit code and which packages it imported."""
    done = subprocess.run(
        [sys.executable, "-c", CALL, *words],
        input=stdin,
        env=os.environ | env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout, done.stderr.splitlines()[-1].split()


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_what_asks_nothing_of_a_database_imports_none(word: str) -> None:
    assert called(word)[1] == ["0"]


@pytest.mark.skipif(bool(POSTGRESQL), reason="is about SQLite")
def test_a_local_answer_imports_neither_a_server_nor_the_driver_of_another_database(corpus: Settings) -> None:
    question = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"
    printed, told = called("match", stdin=question, ERRDEX_DATABASE_URL=corpus.database_url)
    assert told == ["0", "sqlalchemy"]
    assert "TensorDict" in printed


def test_a_shell_completes_commands_and_their_options() -> None:
    def completed(words: str) -> list[str]:
        asked = {"_ERRDEX_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        command = Path(sys.executable).with_name("errdex")
        done = subprocess.run([command], env=os.environ | asked, capture_output=True, text=True, check=False)
        return done.stdout.split()

    assert completed("errdex ba") == ["backup"]
    assert completed("errdex match --ex") == ["--explain"]
    assert "invite" in completed("errdex user ")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no checkout of git")
def test_the_version_names_the_commit() -> None:
    head = ["git", "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(head, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    assert called("--version")[0] == f"errdex {__version__} ({commit}), with its server\n"
