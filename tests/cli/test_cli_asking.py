"""An engineer asks from a terminal or a script."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.api import schemas
from app.config import ROOT, Settings
from app.main import create_app
from bench import made_logs

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
def test_json_has_the_shape_of_the_api(run: Run, settings: Settings) -> None:
    """What a script reads is what the API says, to the letter."""
    result = run("match", "--json", "--lang", "zh", stdin=PASTE, ERRDEX_BASE_URL="http://errdex.lan")
    schemas.AnswerShown.model_validate_json(result.stdout, strict=True)
    answer = json.loads(result.stdout)
    asked = TestClient(create_app(settings), base_url="http://errdex.lan")
    assert answer == asked.post("/api/v1/match?include=fix", json={"text": PASTE, "lang": "zh"}).json()
    first = answer["matches"][0]
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
@pytest.mark.parametrize(("before", "after"), [(0, 90_000), (90_000, 0), (45_000, 45_000)])
def test_in_a_log_of_any_size_the_error_is_found_where_it_is(
    run: Run, write: Callable[[str, str], Path], before: int, after: int
) -> None:
    """At either end or in the middle; places and lines are those of the log, from a pipe or from several files."""
    line = "INFO step 17 of 100: loss 0.3, all is well.\n"
    paste = PASTE.rstrip("\n") + "\n"
    log = line * before + paste + line * after
    result = run("match", "--json", stdin=log)
    answer, bare = json.loads(result.stdout), json.loads(run("match", "--json", stdin=paste).stdout)
    assert (result.stderr, answer["report"]["truncated"]) == ("", True)
    assert [match["slug"] for match in answer["matches"]] == [SLUG]
    cause, bare_cause = (
        next(error for error in one["report"]["errors"] if error["role"] == "cause") for one in (answer, bare)
    )
    assert cause["line"] == bare_cause["line"] + before
    assert cause["span"] == [at + before * len(line) for at in bare_cause["span"]]
    parts = [write("first.txt", line * before), write("second.txt", paste + line * after)]
    assert run("match", "--json", *parts).stdout == result.stdout


@pytest.mark.usefixtures("corpus")
def test_an_answer_has_the_fix_and_can_be_printed_in_several_forms(run: Run) -> None:
    """For a person, for a ticket, for a job's annotation."""
    said = run("match", stdin=PASTE, ERRDEX_BASE_URL="http://errdex.lan").stdout
    assert "VLLM_WORKER_MULTIPROC_METHOD" in said
    assert f"http://errdex.lan/en/e/{SLUG}" in said
    markdown = run("match", "--format", "markdown", "--lang", "zh", stdin=PASTE).stdout
    assert "**修复**" in markdown
    annotation = run("match", "--format", "github", stdin=PASTE).stdout
    assert annotation.startswith("::error title=")
    assert annotation.count("\n") == 1


def packed(text: str) -> bytes:
    """A text as gzip packs it, in two parts, as a log that was added to."""
    half = len(text) // 2
    return gzip.compress(text[:half].encode()) + gzip.compress(text[half:].encode())


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("form", [packed, lambda text: text.encode("utf-16"), lambda text: text.encode("utf-16-be")])
def test_a_log_packed_by_gzip_or_in_utf_16_is_answered_as_the_text_is(
    run: Run, tmp_path: Path, form: Callable[[str], bytes]
) -> None:
    """What a rotated log is, and what PowerShell writes; from a pipe and from a file beside a plain one."""
    bare = run("match", "--json", stdin=PASTE).stdout
    assert run("match", "--json", stdin=form(PASTE)).stdout == bare
    (tmp_path / "first").write_bytes(form("INFO all is well\n"))
    (tmp_path / "second").write_text(PASTE, encoding="utf-8")
    both = run("match", "--json", tmp_path / "first", tmp_path / "second")
    assert both.stdout == run("match", "--json", stdin="INFO all is well\n" + PASTE).stdout


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("broken", [lambda data: data[:-40], lambda data: data[:-40] + b"x" * 40])
def test_of_a_gzip_file_that_is_broken_what_can_be_unpacked_is_used(run: Run, broken: Callable[[bytes], bytes]) -> None:
    """A job that was killed left it; the command says so."""
    noise = "".join(f"step {number} took {number * 7919 % 1013} ms\n" for number in range(2000))
    result = run("match", stdin=broken(gzip.compress((PASTE + noise).encode())))
    assert (result.exit_code, SLUG in result.stdout) == (0, True)
    assert "the gzip data" in result.stderr


@pytest.mark.usefixtures("corpus")
def test_what_is_read_can_be_handed_on_unchanged(run: Run, tmp_path: Path) -> None:
    """`job | errdex match --tee >log`: the answer stands on standard error, or in a file."""
    given = b"\xff\x00\r" + PASTE.encode()
    result = run("match", "--tee", stdin=given)
    assert (result.exit_code, result.stdout_bytes) == (0, given)
    assert SLUG in result.stderr
    answer = tmp_path / "answer.json"
    result = run("match", "--tee", "--json", "--output", answer, stdin=given)
    assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, given, "")
    assert json.loads(answer.read_text(encoding="utf-8"))["matches"][0]["slug"] == SLUG


@pytest.mark.usefixtures("corpus")
def test_where_every_line_is_an_error_the_first_ones_are_answered(run: Run) -> None:
    """And the answer says that not all was."""
    noise = made_logs.other_errors(3_000_000)
    first = json.loads(run("match", "--json", stdin=PASTE + noise).stdout)
    assert ([match["slug"] for match in first["matches"]], first["report"]["truncated"]) == ([SLUG], True)
    assert first["report"]["lines"] == len(PASTE.splitlines()) + noise.count("\n")


def test_a_closed_standard_input_is_told(settings: Settings) -> None:
    env = os.environ | {"ERRDEX_DATABASE_URL": settings.database_url}
    command = f"{Path(sys.executable).with_name('errdex')} match <&-"
    result = subprocess.run(command, shell=True, check=False, env=env, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (2, "")
    assert "standard input is closed" in result.stderr


PRODUCER = """
import sys
line = "INFO step 17 of 100: loss 0.3, all is well.\\n" * 1000
for _ in range(500):
    sys.stdout.write(line)
sys.stdout.write(sys.argv[1])
sys.stdout.flush()
"""


@pytest.mark.parametrize(("has_database", "code", "words"), [(True, 0, ""), (False, 3, ""), (True, 0, "--tee")])
def test_the_program_before_it_in_a_pipe_comes_to_its_own_end(
    request: pytest.FixtureRequest, settings: Settings, has_database: bool, code: int, words: str
) -> None:
    """`python train.py 2>&1 | errdex match`, with 22 MB to say: also where there is no database to ask, or nobody who
    reads what it hands on.
    """
    request.getfixturevalue("corpus" if has_database else "nothing_yet")
    env = os.environ | {"ERRDEX_DATABASE_URL": settings.database_url, "LC_ALL": "C.UTF-8"}
    with subprocess.Popen([sys.executable, "-c", PRODUCER, PASTE], stdout=subprocess.PIPE) as producer:
        command = [str(Path(sys.executable).with_name("errdex")), "match", *words.split()]
        with subprocess.Popen(
            command, env=env, stdin=producer.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as asked:
            assert producer.stdout is not None
            assert asked.stdout is not None
            assert asked.stderr is not None
            producer.stdout.close()
            if words:
                asked.stdout.close()
            said = asked.stderr.read() if words else asked.stdout.read()
    assert producer.returncode == 0
    assert asked.returncode == code
    assert (SLUG in said) == has_database


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
