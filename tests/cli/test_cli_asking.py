"""An engineer asks from a terminal or a script."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config import ROOT

SLUG = "skyrl/cuda-reinit-forked-subprocess"
PASTE = (ROOT / "content" / SLUG / "examples" / "dataloader.txt").read_text(encoding="utf-8")
Run = Callable[..., Any]


@pytest.mark.usefixtures("corpus")
def test_a_paste_on_standard_input_is_answered_with_slug_title_and_reasons(run: Run) -> None:
    """The shortest way: `command 2>&1 | errdex match`."""
    result = run("match", stdin=PASTE)
    assert result.exit_code == 0
    assert SLUG in result.stdout
    assert "Cannot re-initialize CUDA in forked subprocess" in result.stdout
    assert "torch/cuda/__init__.py:_lazy_init" in result.stdout


@pytest.mark.usefixtures("corpus")
def test_a_file_is_answered_like_standard_input(run: Run, write: Callable[[str, str], Path]) -> None:
    """Both doors give the same."""
    assert run("match", write("log.txt", PASTE)).stdout == run("match", stdin=PASTE).stdout


@pytest.mark.usefixtures("corpus")
def test_no_known_entry_is_said_and_ends_with_1(run: Run) -> None:
    """A script can tell an answer from none."""
    result = run("match", stdin="the printer is out of paper")
    assert result.exit_code == 1
    assert "No known entry" in result.stdout


@pytest.mark.usefixtures("corpus")
def test_json_has_the_shape_of_the_api(run: Run) -> None:
    """What a script reads is what the API says."""
    result = run("match", "--json", "--lang", "zh", stdin=PASTE, ERRDEX_BASE_URL="http://errdex.lan")
    answer = json.loads(result.stdout)
    assert set(answer) == {"matches", "related", "report"}
    first = answer["matches"][0]
    assert set(first) == {
        "slug", "title", "lang", "url", "score", "confidence", "reasons", "why_not", "actions",
    }  # fmt: skip
    assert first["url"] == f"http://errdex.lan/zh/e/{SLUG}"
    points = sum(reason["contribution"] for reason in first["reasons"])
    assert min(100, points) == pytest.approx(first["score"], abs=0.2)
    start, end = first["reasons"][0]["spans"][0]
    assert "re-initialize" in PASTE[start:end]
    assert [error["role"] for error in answer["report"]["errors"]].count("cause") == 1


@pytest.mark.usefixtures("corpus")
def test_explain_shows_the_points_of_every_reason(run: Run) -> None:
    """Why the score is what it is."""
    assert " +" in run("match", "--explain", stdin=PASTE).stdout
    assert " +" not in run("match", stdin=PASTE).stdout


@pytest.mark.usefixtures("corpus")
def test_bytes_that_are_no_text_are_answered_all_the_same(run: Run) -> None:
    """A log with a broken byte in it is still a log."""
    result = run("match", stdin=b"\xff\xfe\x00" + PASTE.encode() + b"\x9b31m")
    assert result.exit_code == 0
    assert SLUG in result.stdout


@pytest.mark.usefixtures("corpus")
def test_escape_sequences_of_a_paste_do_not_reach_the_terminal(run: Run) -> None:
    """What was pasted is shown, not obeyed."""
    result = run("match", "--explain", stdin="RuntimeError: \x1b]0;owned\x07 CUDA error\x1b[2J\n")
    assert "\x1b" not in result.stdout
    assert "\x07" not in result.stdout


@pytest.mark.usefixtures("corpus")
def test_a_paste_above_the_limit_is_refused(run: Run) -> None:
    """The limit holds at every door."""
    result = run("match", stdin="x" * 3000, ERRDEX_MAX_PASTE="2000")
    assert result.exit_code == 2
    assert "2,000" in result.stderr or "2000" in result.stderr


@pytest.mark.usefixtures("corpus")
def test_words_find_entries(run: Run) -> None:
    """A search box for the terminal."""
    result = run("search", "cannot", "re-initialize", "CUDA", "in", "forked", "subprocess", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["items"][0]["slug"] == SLUG
    assert run("search", "zzyzx").exit_code == 1


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize(("env", "heading"), [("en_GB.UTF-8", "## Fix"), ("zh_CN.UTF-8", "## 修复"), ("", "## Fix")])
def test_an_entry_is_shown_in_the_language_of_the_environment(run: Run, env: str, heading: str) -> None:
    """Without an option the terminal's language decides."""
    result = run("show", SLUG, LC_ALL=env, LANG="")
    assert result.exit_code == 0
    assert heading in result.stdout


@pytest.mark.usefixtures("corpus")
def test_an_entry_that_is_not_there_ends_with_1_and_says_how_to_find_it(run: Run) -> None:
    """A wrong slug is told in one line."""
    result = run("show", "verl/never-heard-of")
    assert result.exit_code == 1
    assert "errdex search" in result.stderr
