"""An engineer asks a server from another machine."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

import errdex_client
from app.config import ROOT
from tests.clients.conftest import Run, stand_in

SLUG = "skyrl/cuda-reinit-forked-subprocess"
PASTE = (ROOT / "content" / SLUG / "examples" / "dataloader.txt").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "content").glob("*/*/examples/*.txt"))[::25]
SECRET = "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"
EMPTY: dict[str, Any] = {"matches": [], "related": [], "report": {"errors": [], "lines": 1, "truncated": False}}


def asked(address: str, text: str, **query: str) -> Any:
    """What the API answers."""
    headers = {"content-type": "text/plain; charset=utf-8"}
    return httpx2.post(f"{address}/api/v1/match", params=query, content=text.encode(), headers=headers).json()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.parent.name)
def test_the_answer_is_that_of_the_api(address: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a text in which nothing looks secret, to the last field."""
    monkeypatch.setenv("ERRDEX_URL", address)
    text = path.read_text(encoding="utf-8")
    answer = errdex_client.match(text, lang="zh")
    there = asked(address, text, lang="zh", include="fix")
    assert [match["slug"] for match in answer["matches"]] == [match["slug"] for match in there["matches"]]
    assert answer["report"]["lines"] == there["report"]["lines"]
    assert [error["line"] for error in answer["report"]["errors"]] == [e["line"] for e in there["report"]["errors"]]


def test_the_command_prints_the_answer_and_ends_with_the_codes_of_the_full_one(address: str, errdex: Run) -> None:
    answered = errdex("match", stdin=PASTE, ERRDEX_URL=address)
    assert (answered.returncode, answered.stderr) == (0, "")
    assert SLUG in answered.stdout
    assert "Cannot re-initialize CUDA in forked subprocess" in answered.stdout
    none = errdex("match", stdin="the printer is out of paper", ERRDEX_URL=address)
    assert (none.returncode, none.stdout.splitlines()[0]) == (1, "No known entry.")
    chinese = errdex("match", "--lang", "zh", stdin="the printer is out of paper", ERRDEX_URL=address)
    assert chinese.stdout.startswith("还没有对应的条目。\n")
    as_json = errdex("match", "--json", stdin=PASTE, ERRDEX_URL=address)
    assert json.loads(as_json.stdout) == asked(address, PASTE, include="fix")


def test_of_a_large_log_places_and_lines_are_those_of_the_log(address: str, errdex: Run, tmp_path: Path) -> None:
    """A secret before the error moves nothing either; several files are one log."""
    line = "INFO step {} of 90000: loss 0.31, 1432 tokens/s, all is well\n"
    before = f"login with {SECRET} and token={SECRET}\n" + "".join(line.format(number) for number in range(30_000))
    after = "".join(line.format(number) for number in range(30_000, 60_000))
    (tmp_path / "first.log").write_text(before, encoding="utf-8")
    (tmp_path / "second.log").write_text(PASTE.rstrip("\n") + "\n" + after, encoding="utf-8")
    result = errdex("match", "--json", tmp_path / "first.log", tmp_path / "second.log", ERRDEX_URL=address)
    answer, bare = json.loads(result.stdout), asked(address, PASTE)
    assert [match["slug"] for match in answer["matches"]] == [match["slug"] for match in bare["matches"]]
    log = before + PASTE.rstrip("\n") + "\n" + after
    cause = next(error for error in answer["report"]["errors"] if error["role"] == "cause")
    bare_cause = next(error for error in bare["report"]["errors"] if error["role"] == "cause")
    assert cause["line"] == bare_cause["line"] + 30_001
    assert cause["span"] == [at + len(before) for at in bare_cause["span"]]
    assert answer["report"]["truncated"] is True
    assert answer["report"]["lines"] == log.count("\n")
    spans = [span for reason in answer["matches"][0]["reasons"] for span in reason["spans"]]
    assert spans == [
        [at + len(before) for at in span] for reason in bare["matches"][0]["reasons"] for span in reason["spans"]
    ]


def test_what_looks_secret_does_not_leave_the_machine(errdex: Run) -> None:
    with stand_in(lambda _path, _body: (200, EMPTY)) as seen:
        result = errdex("match", stdin=f"token={SECRET}\nValueError: bad\n", ERRDEX_URL=seen.url, ERRDEX_TOKEN="mine")
    assert result.returncode == 1
    assert seen.bodies == [b"token=<TOKEN#1>\nValueError: bad\n"]
    assert seen.headers[0]["authorization"] == "Bearer mine"


def test_a_parameter_that_an_older_server_does_not_know_is_left_out_once(errdex: Run) -> None:
    problem = {"type": "/problems/unknown-parameter", "title": "?", "status": 422, "fields": {"include": "?"}}

    def older(path: str, _body: bytes) -> tuple[int, Any]:
        return (422, problem) if "include" in path else (200, EMPTY)

    with stand_in(older) as seen:
        assert errdex("match", stdin="KeyError: 1", ERRDEX_URL=seen.url).returncode == 1
    assert [("include" in path) for path in seen.paths] == [True, False]
    with stand_in(lambda _path, _body: (422, problem)) as seen:
        result = errdex("match", stdin="KeyError: 1", ERRDEX_URL=seen.url)
    assert (result.returncode, len(seen.paths)) == (2, 2)


@pytest.mark.parametrize(
    ("status", "value", "code"),
    [
        (200, b"<html>a proxy's page</html>", 3),
        (200, [1, 2], 3),
        (200, {"matches": "none", "related": [], "report": {}}, 3),
        (200, {"matches": [], "related": []}, 3),
        (200, EMPTY | {"report": {"errors": [{"line": 1}]}}, 3),
        (404, b"nothing here", 3),
        (302, b"", 3),
        (500, {"type": "/problems/internal", "detail": "it broke"}, 3),
        (503, {"type": "/problems/too-slow", "detail": "given up"}, 3),
        (401, {"type": "/problems/sign-in-needed", "detail": "show a token"}, 3),
        (413, {"type": "/problems/too-large", "detail": "too large"}, 2),
    ],
)
def test_a_server_that_cannot_answer_is_told_in_one_line(errdex: Run, status: int, value: Any, code: int) -> None:
    with stand_in(lambda _path, _body: (status, value)) as seen:
        result = errdex("match", stdin="KeyError: 1", ERRDEX_URL=seen.url)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith("errdex: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "variables", "code", "told"),
    [
        (["match"], {}, 3, "set ERRDEX_URL"),
        (["match"], {"ERRDEX_URL": "http://127.0.0.1:1"}, 3, "cannot be reached"),
        (["match"], {"ERRDEX_URL": "file:///etc/passwd"}, 2, "errdex: ERRDEX_URL: an address begins with http:// or"),
        (["match", "--limit", "99"], {}, 2, "1 to 50"),
        (["match", "no/such/file"], {}, 3, "no/such/file"),
        (["mach"], {}, 2, "--help"),
        (["submit", "-"], {"ERRDEX_URL": "http://127.0.0.1:1"}, 2, "JSON"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    errdex: Run, words: list[str], variables: dict[str, str], code: int, told: str
) -> None:
    result = errdex(*words, stdin="KeyError: 1", **variables)
    assert (result.returncode, result.stdout) == (code, "")
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_slow_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is slow at; the thread that waits for it ends with the stand-in."""

    def slow(_path: str, _body: bytes) -> tuple[int, Any]:
        time.sleep(0.5)
        return 200, EMPTY

    with stand_in(slow) as seen:
        monkeypatch.setenv("ERRDEX_URL", seen.url)
        with pytest.raises(errdex_client.Unreachable, match=r"0\.1 seconds"):
            errdex_client.match("KeyError: 1", patience=0.1)


@pytest.mark.parametrize(
    ("file", "variables", "shown"),
    [
        ("url = {url}\ntoken = of-the-file\n", {}, "Bearer of-the-file"),
        ("# url = nowhere\nurl={url}\ntoken = of-the-file", {"ERRDEX_TOKEN": "mine"}, "Bearer mine"),
        ("url = http://elsewhere.lan\ntoken = of-the-file", {"ERRDEX_URL": "{url}"}, None),
        ("token = of-the-file", {"ERRDEX_URL": "{url}"}, "Bearer of-the-file"),
    ],
)
def test_the_server_is_that_of_the_environment_else_of_the_file(
    errdex: Run, tmp_path: Path, file: str, variables: dict[str, str], shown: str | None
) -> None:
    """The token of a file goes to no other server than the file's."""
    with stand_in(lambda _path, _body: (200, EMPTY)) as seen:
        path = tmp_path / "config" / "errdex" / "client.ini"
        path.parent.mkdir(parents=True)
        path.write_text(file.format(url=seen.url), encoding="utf-8")
        result = errdex("match", stdin="x", **{name: value.format(url=seen.url) for name, value in variables.items()})
    assert result.returncode == 1
    assert seen.headers[0].get("authorization") == shown


def test_the_places_of_versions_are_those_of_the_text_before_it_was_masked(address: str, errdex: Run) -> None:
    text = f"token={SECRET}\ntorch.__version__ = 2.6.0\nvllm.__version__ = 0.8.4\nValueError: bad\n"
    result = errdex("match", "--json", stdin=text, ERRDEX_URL=address)
    seen = json.loads(result.stdout)["report"]["versions"]
    assert [(row["package"], row["version"]) for row in seen] == [("torch", "2.6.0"), ("vllm", "0.8.4")]
    there = asked(address, text)["report"]["versions"]
    assert [row["span"] for row in seen] == [row["span"] for row in there]


def test_words_find_entries_and_an_entry_is_shown(address: str, errdex: Run) -> None:
    found = errdex(
        "search", "cannot", "re-initialize", "CUDA", "in", "forked", "subprocess", "--json", ERRDEX_URL=address
    )
    assert json.loads(found.stdout)["items"][0]["slug"] == SLUG
    table = errdex("search", "cannot re-initialize CUDA in forked subprocess", "--lang", "zh", ERRDEX_URL=address)
    assert table.stdout.split()[:3] == ["score", "entry", "title"]
    assert errdex("search", "zzyzx", ERRDEX_URL=address).returncode == 1
    entry = errdex("show", SLUG, "--lang", "zh", ERRDEX_URL=address)
    assert (entry.returncode, "## 修复" in entry.stdout) == (0, True)
    missing = errdex("show", "verl/never-heard-of", ERRDEX_URL=address)
    assert (missing.returncode, "errdex search" in missing.stderr) == (1, True)


def test_an_entry_that_is_shown_as_json_can_be_proposed(address: str, errdex: Run) -> None:
    """Its examples are masked on the way."""
    shown = json.loads(errdex("show", SLUG, "--json", ERRDEX_URL=address).stdout)
    assert not {"revision", "url"} & set(shown)
    shown["slug"], shown["examples"] = "skyrl/quite-another", [f"ZorbError: {SECRET}"]
    result = errdex("submit", "-", "--json", "--note", "seen twice", stdin=json.dumps(shown), ERRDEX_URL=address)
    received = json.loads(result.stdout)
    assert (result.returncode, received["state"]) == (0, "open")
    assert httpx2.get(received["url"]).status_code == 200
    with stand_in(lambda _path, _body: (201, received)) as seen:
        errdex("submit", "-", stdin=json.dumps({"entry": shown}), ERRDEX_URL=seen.url)
    assert json.loads(seen.bodies[0])["entry"]["examples"] == ["ZorbError: <TOKEN#1>"]


def test_a_redirect_to_another_server_takes_no_token_along(errdex: Run) -> None:
    with stand_in(lambda _path, _body: (200, {"slug": "a/b"})) as other:
        moved: Callable[[str, bytes], tuple[int, Any]] = lambda _path, _body: (308, b"")  # noqa: E731
        with stand_in(moved) as seen:
            result = errdex("show", "a/b", ERRDEX_URL=seen.url, ERRDEX_TOKEN="mine")
    assert result.returncode == 3
    assert other.paths == []
