"""The full command line with ERRDEX_URL: a server is asked, and no database is needed."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from app.config import Settings
from app.main import create_app
from app.store.engine import connect
from app.store.session import reading
from app.store.submission_tables import Submission
from tests.cli.test_cli_asking import PASTE, SLUG
from tests.clients.conftest import stand_in
from tests.clients.test_client_match import EMPTY, SECRET
from tests.conftest import create, drop, make
from tests.servers import served

Run = Callable[..., Any]
NOWHERE = "sqlite:////no/such/folder/errdex.db"
UNKNOWN = {"type": "urn:errdex:problem:unknown-parameter", "title": "?", "status": 422, "fields": {"include": "?"}}


@pytest.fixture(scope="module")
def site(shipped: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The settings of a server on the shipped corpus; `base_url` is its address."""
    settings = make(tmp_path_factory.mktemp("served"))
    create(settings, shipped)
    with served(create_app(settings), lifespan="on") as address:
        yield settings.model_copy(update={"base_url": address})
    drop(settings)


@pytest.fixture
def remote(run: Run, site: Settings) -> Run:
    """Run a command that asks the server, with a database address that leads nowhere."""

    def _remote(*words: str | Path, stdin: str | bytes | None = None, **env: str) -> Any:
        return run(*words, stdin=stdin, **{"ERRDEX_URL": site.base_url, "ERRDEX_DATABASE_URL": NOWHERE, **env})

    return _remote


def test_a_question_is_asked_of_the_server(remote: Run, site: Settings) -> None:
    result = remote("match", stdin=PASTE)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{site.base_url}/en/e/{SLUG}" in result.stdout
    assert "VLLM_WORKER_MULTIPROC_METHOD" in result.stdout
    none = remote("match", "--lang", "zh", stdin="the printer is out of paper")
    assert (none.exit_code, none.stdout.splitlines()[0]) == (1, "还没有对应的条目。")


def test_words_are_searched_and_an_entry_is_shown_from_the_server(remote: Run) -> None:
    found = remote("search", "cannot", "re-initialize", "CUDA", "--json")
    assert SLUG in [match["slug"] for match in json.loads(found.stdout)["items"]]
    assert remote("search", "zzyzx").exit_code == 1
    entry = remote("show", SLUG, "--lang", "zh")
    assert (entry.exit_code, "## 修复" in entry.stdout) == (0, True)
    missing = remote("show", "verl/never-heard-of")
    assert (missing.exit_code, "errdex search" in missing.stderr) == (1, True)


def proposed(remote: Run, **changes: Any) -> str:
    """An entry as `errdex show --json` prints one, changed."""
    return json.dumps(json.loads(remote("show", SLUG, "--json").stdout) | changes)


def test_an_entry_is_proposed_to_the_server(remote: Run, site: Settings, tmp_path: Path) -> None:
    """From a file and from a pipe; what looks secret in an example is masked before it is sent."""
    entry = proposed(remote, slug="skyrl/quite-another", examples=[f"ZorbError: {SECRET}"])
    (tmp_path / "entry.json").write_text(entry, encoding="utf-8")
    result = remote("submit", tmp_path / "entry.json", "--note", "seen twice", "--json")
    received = json.loads(result.stdout)
    assert (result.exit_code, received["state"], received["slug"]) == (0, "open", "skyrl/quite-another")
    told = remote("submit", "-", stdin=proposed(remote, slug="skyrl/yet-another"))
    assert f"{site.base_url}/" in told.stdout
    engine = connect(site)
    with reading(engine) as session:
        rows = session.exec(select(Submission)).all()
        assert [(row.slug, row.note, row.origin) for row in rows] == [
            ("skyrl/quite-another", "seen twice", "api"),
            ("skyrl/yet-another", "", "api"),
        ]
        assert SECRET not in str([row.model_dump() for row in rows])
    engine.dispose()


def test_what_the_server_does_not_take_is_said_in_one_line(remote: Run) -> None:
    for stdin, code in ((proposed(remote), 2), ('{"slug": "No Slug"}', 2), ("no JSON", 2), ("[]", 2)):
        result = remote("submit", "-", stdin=stdin)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    away = remote("submit", "-", stdin="{}", ERRDEX_URL="http://127.0.0.1:1")
    assert (away.exit_code, "cannot be reached" in away.stderr) == (3, True)


def test_a_token_is_shown_and_a_secret_is_not(run: Run) -> None:
    with stand_in(lambda _path, _body: (200, EMPTY)) as seen:
        result = run("match", stdin=f"token={SECRET}\nValueError: bad\n", ERRDEX_URL=seen.url, ERRDEX_TOKEN="mine")
    assert result.exit_code == 1
    assert seen.bodies == [b"token=<TOKEN#1>\nValueError: bad\n"]
    assert seen.headers[0]["authorization"] == "Bearer mine"


def test_what_an_older_server_does_not_know_is_left_out_and_it_is_asked_once_more(run: Run) -> None:
    def older(path: str, _body: bytes) -> tuple[int, Any]:
        return (422, UNKNOWN) if "include" in path else (200, EMPTY)

    with stand_in(older) as seen:
        assert run("match", stdin="KeyError: 1", ERRDEX_URL=seen.url).exit_code == 1
    assert [("include" in path) for path in seen.paths] == [True, False]
    with stand_in(lambda _path, _body: (422, UNKNOWN)) as seen:
        assert run("match", stdin="KeyError: 1", ERRDEX_URL=seen.url).exit_code == 2
    assert len(seen.paths) == 2


def test_what_somebody_else_has_sent_is_said_without_an_address(run: Run) -> None:
    received = {"id": 1, "slug": "skyrl/other", "state": "open", "token": None, "url": None, "answered": []}
    with stand_in(lambda _path, _body: (200, received)) as seen:
        result = run("submit", "-", stdin='{"slug": "skyrl/other"}', ERRDEX_URL=seen.url)
    assert (result.exit_code, "skyrl/other" in result.stdout, "None" in result.stdout) == (0, True, False)


def test_without_a_server_an_entry_is_proposed_to_the_database(run: Run, corpus: Settings) -> None:
    entry = json.loads(run("show", SLUG, "--json").stdout) | {"slug": "skyrl/quite-another"}
    result = run("submit", "-", "--json", "--submitter", "me", stdin=json.dumps(entry))
    assert (result.exit_code, json.loads(result.stdout)["slug"]) == (0, "skyrl/quite-another")
    refused = run("submit", "-", stdin=json.dumps(entry | {"slug": "No Slug"}))
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "slug" in refused.stderr
    engine = connect(corpus)
    with reading(engine) as session:
        assert [(row.slug, row.submitter) for row in session.exec(select(Submission))] == [
            ("skyrl/quite-another", "me")
        ]
    engine.dispose()


def test_a_job_that_fails_is_explained_from_the_database_and_its_summary_holds_no_secret(
    corpus: Settings, tmp_path: Path
) -> None:
    """`errdex run` of the full command line, under a CI whose summaries others read."""
    summary = tmp_path / "summary.md"
    job = f"import sys; sys.stderr.write('RuntimeError: token={SECRET}: no luck\\n'); sys.exit(7)"
    command = [str(Path(sys.executable).with_name("errdex")), "run", "--", sys.executable, "-c", job]
    env = {"ERRDEX_DATABASE_URL": corpus.database_url, "GITHUB_STEP_SUMMARY": str(summary), "HOME": str(tmp_path)}
    result = subprocess.run(command, env=env, check=False, capture_output=True, text=True, timeout=60)
    assert (result.returncode, SECRET in result.stderr) == (7, True)
    said = summary.read_text(encoding="utf-8")
    assert ("<TOKEN#1>" in said, SECRET in said) == (True, False)
