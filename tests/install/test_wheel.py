"""A wheel is all that a server needs: what is in it, and that it serves where there is no repository."""

import os
import re
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import HeaderParser
from pathlib import Path

import httpx2
import pytest

from app.config import ROOT
from tests.install.conftest import kept, without_capabilities
from tests.servers import free_port

SHIPPED = ("content", "templates", "static", "migrations", "bench/messages", "bench/noise")
WRITTEN = ROOT / "tests" / "store" / "written_by_0_1_0" / "errdex.sql"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder to call commands from, which holds a package that is called as ours is."""
    folder = tmp_path / "elsewhere"
    (folder / "app").mkdir(parents=True)
    (folder / "app" / "__init__.py").write_text("raise SystemExit('the package of the current folder')")
    return folder


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """What a shell of somebody new has, and no setting of these tests."""
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"} | more


@contextmanager
def serving(command: Path, folder: Path, env: dict[str, str]) -> Iterator[tuple[list[str], str]]:
    """A running `errdex serve`: the lines that it printed, and its address."""
    port = str(free_port())
    started = [*without_capabilities(), str(command), "serve"]
    env = env | {"ERRDEX_PORT": port}
    with subprocess.Popen(started, cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines: list[str] = []
        while "Errdex is at" not in (lines[-1] if lines else ""):
            lines.append(server.stdout.readline())
            assert lines[-1], "the server ended"
        try:
            yield lines, f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def test_the_wheel_holds_the_code_and_all_that_it_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert kept("app") <= names
    for folder in SHIPPED:
        assert {f"app/shipped/{name}" for name in kept(folder)} <= names, folder
    client = "clients/python/src/"
    assert {name.removeprefix(client) for name in kept(client)} <= names
    assert not [name for name in names if name.endswith(".pyc") or name.split("/")[0] in ("tests", "bench", "var")]


def test_no_code_reads_from_the_repository_what_a_wheel_has_elsewhere() -> None:
    """`DATA` of app/config.py is where both have it. `ROOT` is for where the code lies, not what it reads."""
    of_code = {"app/config.py", "app/logs.py", "app/quality/proposal_check.py"}
    named = re.compile(r"^from app\.config import .*\bROOT\b|__file__", re.MULTILINE)
    found = {name for name in kept("app") if name.endswith(".py") and named.search((ROOT / name).read_text("utf-8"))}
    # what is found beside a module lies there in a wheel, too
    beside = {"app/cli/version.py", "app/i18n.py", "app/matching/text/rules.py"}
    assert found - of_code - beside == set()


def test_what_the_wheel_asks_for_is_bounded_on_both_sides_and_leaves_out_what_builds_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        told = HeaderParser().parsestr(archive.read("errdex-0.1.0.dist-info/METADATA").decode())
    needed = told.get_all("requires-dist") or []
    assert len(needed) > 20
    assert [one for one in needed if ">=" not in one or "<" not in one] == []
    assert not [one for one in needed if one.startswith(("hatch", "setuptools"))]


def test_an_installed_wheel_serves_from_a_folder_that_is_read_only(
    installed: Path, elsewhere: Path, tmp_path: Path
) -> None:
    """By two workers, called where another `app` lies, with a database of 0.1.0 in the platform's data folder."""
    home = tmp_path / "home"
    database = home / ".local" / "share" / "errdex" / "var" / "errdex.db"
    database.parent.mkdir(parents=True)
    with sqlite3.connect(database) as old:
        old.executescript(WRITTEN.read_text(encoding="utf-8"))
    old.close()
    before = sorted(installed.parent.rglob("*"))
    env = environment(tmp_path, ERRDEX_WORKERS="2")
    with serving(installed / "errdex", elsewhere, env) as (lines, address):
        assert any(str(database) in line for line in lines)
        with httpx2.Client(base_url=address, timeout=60) as client:
            # what its team wrote in 0.1.0, and what this version ships with
            theirs = client.post("/api/v1/match", json={"text": "GreenhouseError: verl/first valve 3 is frozen"})
            assert theirs.json()["matches"][0]["slug"] == "verl/first"
            ours = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"
            assert client.post("/api/v1/match", json={"text": ours}).json()["matches"]
            page = client.get("/en/").text
            style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
            assert client.get(style).status_code == 200
        asked = [*without_capabilities(), str(installed / "errdex"), "match"]
        answer = subprocess.run(asked, cwd=elsewhere, env=env, input=ours, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        assert "TensorDict" in answer.stdout
    assert Path(f"{database}.before-0004").exists()
    assert sorted(installed.parent.rglob("*")) == before
    assert sorted(path.name for path in elsewhere.iterdir()) == ["app"]


def test_an_installed_wheel_checks_entries(installed: Path, elsewhere: Path, tmp_path: Path) -> None:
    """Against what healthy runs and other packages print, which it brings along."""
    entry = "verl/tensordict-membership-check"
    shutil.copytree(ROOT / "content" / entry, tmp_path / "ours" / entry)
    facts = tmp_path / "ours" / entry / "entry.toml"
    loud = "UserWarning: This DataLoader will create <*> worker processes in total. Our suggested max number of worker"
    head = "[[signatures]]\n"
    text = facts.read_text(encoding="utf-8")
    facts.write_text(text.replace(head, f'{head}pattern = "{loud}"\n\n{head}', 1), encoding="utf-8")
    env = environment(tmp_path, ERRDEX_CONTENT=str(tmp_path / "ours"))
    checked = [*without_capabilities(), str(installed / "errdex"), "check"]
    told = subprocess.run(checked, cwd=elsewhere, env=env, capture_output=True, text=True, check=False)
    assert told.returncode == 1, told.stderr
    assert "a healthy run prints this too" in told.stdout
