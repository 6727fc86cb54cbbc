"""Folders of bundles from the command line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config import ROOT

Run = Callable[..., Any]
SLUG = "skyrl/cuda-reinit-forked-subprocess"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good bundle."""
    shutil.copytree(ROOT / "content" / SLUG, tmp_path / "guide" / SLUG)
    return tmp_path / "guide"


def test_the_first_ingest_makes_the_database_and_the_second_finds_nothing_to_do(run: Run, folder: Path) -> None:
    """No question asked, nothing done twice."""
    first, second = run("ingest", folder), run("ingest", folder)
    assert first.exit_code == second.exit_code == 0
    assert "1 added" in first.stdout
    assert "1 unchanged" in second.stdout


def test_a_broken_bundle_is_named_with_path_and_line_and_ends_with_1(run: Run, folder: Path) -> None:
    """The others are taken all the same."""
    facts = folder / SLUG / "entry.toml"
    shutil.copytree(folder / SLUG, folder / "skyrl" / "another")
    facts.write_text(facts.read_text(encoding="utf-8") + "\nnonsense = 1 = 2\n", encoding="utf-8")
    result = run("ingest", folder, "--json")
    outcome = json.loads(result.stdout)
    assert result.exit_code == 1
    assert outcome["added"] == ["skyrl/another"]
    assert outcome["findings"][0]["path"] == f"{SLUG}/entry.toml"
    assert outcome["findings"][0]["line"] > 1


def test_check_names_the_file_the_line_and_what_to_do(run: Run, folder: Path) -> None:
    """A finding is a place to click on."""
    text = folder / SLUG / "en.md"
    text.write_text(text.read_text(encoding="utf-8").replace("## Cause", "## Why"), encoding="utf-8")
    result = run("check", folder, ERRDEX_CONTENT=str(folder))
    assert result.exit_code == 1
    assert f"{SLUG}/en.md:1: the section '## Cause' is missing" in result.stdout
    kinds = {item["kind"] for item in json.loads(run("check", folder, "--json", ERRDEX_CONTENT=str(folder)).stdout)}
    assert "sections" in kinds


def test_fmt_writes_once_and_then_finds_nothing_to_write(run: Run, folder: Path) -> None:
    """The canonical form is a fixed point, and --check writes nothing."""
    facts = folder / SLUG / "entry.toml"
    facts.write_text(facts.read_text(encoding="utf-8").replace('kind = "error"', "kind='error'"), encoding="utf-8")
    before = facts.read_bytes()
    assert run("fmt", folder, "--check").exit_code == 1
    assert (folder / SLUG / "entry.toml").read_bytes() == before
    assert run("fmt", folder).exit_code == 0
    assert run("fmt", folder, "--check").exit_code == 0
    assert run("fmt", folder).stdout == ""


def test_a_section_that_changed_in_one_language_is_stale_until_the_other_is_brought_level(
    run: Run, folder: Path
) -> None:
    """How a translation is kept from falling behind."""
    run("fmt", folder)
    text = folder / SLUG / "en.md"
    text.write_text(text.read_text(encoding="utf-8").replace("## Check", "Or wait.\n\n## Check"), encoding="utf-8")
    result = run("check", folder, ERRDEX_CONTENT=str(folder))
    assert f"{SLUG}/zh.md" in result.stdout
    assert "stale: 'Fix' of en.md changed" in result.stdout
    assert run("fmt", folder, "--level", SLUG).exit_code == 0
    assert "stale" not in run("check", folder, ERRDEX_CONTENT=str(folder)).stdout


def test_fmt_of_one_bundle_leaves_the_others_alone(run: Run, folder: Path) -> None:
    other = (folder / SLUG).with_name("another")
    shutil.copytree(folder / SLUG, other)
    for facts in (folder / SLUG / "entry.toml", other / "entry.toml"):
        facts.write_text(facts.read_text(encoding="utf-8").replace('kind = "error"', "kind='error'"), encoding="utf-8")
    assert run("fmt", folder / SLUG).stdout.splitlines() == [f"{SLUG}/entry.toml"]
    assert run("fmt", folder / SLUG).stdout == ""
    assert "kind='error'" in (other / "entry.toml").read_text(encoding="utf-8")


def test_fmt_of_a_folder_without_bundles_says_what_to_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("fmt", tmp_path / "empty")
    assert result.exit_code == 2
    assert "PROJECT/NAME/entry.toml" in result.stderr


def test_fmt_names_a_bundle_that_cannot_be_read(run: Run, folder: Path) -> None:
    """It does not guess what a broken file means."""
    (folder / SLUG / "zh.md").write_bytes(b"# \xff\xfe\n")
    result = run("fmt", folder)
    assert result.exit_code == 1
    assert "zh.md:1: not UTF-8" in result.stdout
