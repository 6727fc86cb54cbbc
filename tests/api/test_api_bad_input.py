"""Whatever is sent is answered, or refused with what to do; nothing breaks."""

import json
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from app.api.schemas import AnswerShown, Problem
from app.config import Settings
from app.main import create_app

JSON = {"content-type": "application/json"}


def send(client: TestClient, text: str) -> Response:
    """Ask with JSON that escapes everything, so that any code point can be sent."""
    found: Response = client.post("/api/v1/match", content=json.dumps({"text": text}), headers=JSON)
    return found


def problem(found: Response, status: int, key: str) -> Problem:
    """The problem that was answered, held to its shape."""
    assert found.status_code == status, found.text
    assert found.headers["content-type"] == "application/problem+json"
    said = Problem.model_validate_json(found.content, strict=True)
    assert (said.type, said.status) == (f"/problems/{key}", status)
    assert said.title
    assert said.detail
    return said


TRACE = 'Traceback (most recent call last):\n  File "{0}/x{0}.py", line 1, in f{0}\nValueError: x{0}'
PASTES = {
    "nothing": "",
    "blanks": " \t\r\n ",
    "NUL": "\0" * 1000,
    "NUL in a stack": TRACE.format("\0"),
    "half a surrogate pair": "\ud800",
    "half pairs in a stack": TRACE.format("\udfff"),
    "a pair the wrong way round": "Error: \udc00\ud800",
    "control characters": "".join(map(chr, range(32))) * 50,
    "text that runs right to left": "\u202eError: \u2066x\ufeff",
    "combining marks": "e" + "\u0301" * 5000,
    "line separators": "ValueError: a\u2028b\u2029c\x85d\x0be\x0cf",
    "a hundred thousand lines": "step 5: loss 0.1\n" * 100_000,
    "a hundred thousand errors": "".join(f"ValueError: {number:x} failed\n" for number in range(100_000)),
    "a million empty lines": "\n" * 1_000_000,
    "one line of 5 MB": "x" * 5_000_000,
    "one line of 5 MB of words": "a b " * 1_250_000,
    "one line of 5 MB of digits": "1" * 5_000_000,
    "one line of 5 MB of brackets": "[" * 5_000_000,
    "one line of 5 MB of slashes": "a/" * 2_500_000,
    "one line of 5 MB of types": "ValueError: " * 400_000,
    "one line of 5 MB of colours": "\x1b[31m" * 1_000_000,
    "one line of 5 MB of escaped line ends": "\\n" * 2_500_000,
    "one line of 5 MB of carriage returns": "\r" * 5_000_000,
    "one line of 5 MB of Chinese": "报错" * 1_250_000,
    "one line of 5 MB of quotes": "'\"`" * 1_500_000,
    "one line of 5 MB of stack lines": 'File "x' * 700_000,
}


@pytest.mark.parametrize("text", PASTES.values(), ids=PASTES)
def test_any_paste_is_answered(client: TestClient, text: str) -> None:
    found = send(client, text)
    assert found.status_code == 200
    answer = AnswerShown.model_validate_json(found.content, strict=True)
    for error in answer.report.errors:
        assert 0 <= error.span[0] <= error.span[1] <= len(text)


def test_a_text_without_words_is_answered_with_nothing(client: TestClient) -> None:
    answer = send(client, "").json()
    assert (answer["matches"], answer["related"], answer["report"]["errors"]) == ([], [], [])


def test_half_a_surrogate_pair_keeps_its_place(client: TestClient) -> None:
    error = send(client, "\ud800 ok\nValueError: \udfff gone").json()["report"]["errors"][0]
    assert error["message"] == "ValueError: \ufffd gone"
    assert error["span"] == [5, 5 + len("ValueError: x gone")]


@pytest.mark.parametrize("body", [b"\xff\xfe\x80 ValueError: x", b"\x00\x01\x02", b"\xed\xa0\x80", b""])
def test_bytes_that_are_no_text_are_replaced(client: TestClient, body: bytes) -> None:
    assert client.post("/api/v1/match", content=body, headers={"content-type": "text/plain"}).status_code == 200


INVALID: dict[str, tuple[Any, str]] = {
    "no text": ({}, "text"),
    "another language": ({"text": "x", "lang": "fr"}, "lang"),
    "no language": ({"text": "x", "lang": None}, "lang"),
    "limit 0": ({"text": "x", "limit": 0}, "limit"),
    "limit 51": ({"text": "x", "limit": 51}, "limit"),
    "limit in words": ({"text": "x", "limit": "5"}, "limit"),
    "a true limit": ({"text": "x", "limit": True}, "limit"),
    "a large limit": ({"text": "x", "limit": 10**30}, "limit"),
    "text that is a number": ({"text": 5}, "text"),
    "text that is null": ({"text": None}, "text"),
    "a list": (["x"], "body"),
    "null": (None, "body"),
    "only a string": ("x", "body"),
}


@pytest.mark.parametrize(("body", "field"), INVALID.values(), ids=INVALID)
def test_a_question_that_is_none_is_refused_with_the_place(client: TestClient, body: Any, field: str) -> None:
    found = client.post("/api/v1/match", content=json.dumps(body), headers=JSON)
    assert field in problem(found, 422, "bad-input").fields


def test_an_unknown_language_is_refused_with_those_that_there_are(client: TestClient) -> None:
    for query, body in (("?lang=fr", {"text": "x"}), ("", {"text": "x", "lang": "fr"})):
        said = problem(client.post(f"/api/v1/match{query}", json=body), 422, "bad-input")
        assert "'en' or 'zh'" in said.detail


MALFORMED = {
    "not JSON": b"{text: x}",
    "an empty body": b"",
    "cut off": b'{"text": "x',
    "not UTF-8": b'{"text": "\xff\xfe"}',
    "nested too deeply": b"[" * 100_000,
    "objects nested too deeply": b'{"a":' * 100_000,
    "a number of a million digits": b'{"text": "x", "limit": ' + b"1" * 1_000_000 + b"}",
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
@pytest.mark.parametrize("path", ["/api/v1/match", "/api/v1/submissions"])
def test_a_body_that_is_not_json_is_refused(client: TestClient, path: str, body: bytes) -> None:
    problem(client.post(path, content=body, headers=JSON), 400, "malformed-body")


@pytest.mark.parametrize(
    "kind",
    ["", "application/x-www-form-urlencoded", "text/html", "application/xml", "multipart/form-data", "x", "/", ";"],
)
def test_another_content_type_is_refused_with_what_to_send(client: TestClient, kind: str) -> None:
    found = client.post("/api/v1/match", content=b"x=1", headers={"content-type": kind} if kind else {})
    assert "text/plain" in problem(found, 415, "unsupported-media").detail


@pytest.mark.parametrize("charset", ["klingon", "hex", "idna", "unicode_escape", "undefined", "\0", "x" * 500])
def test_a_charset_that_is_none_is_refused(client: TestClient, charset: str) -> None:
    headers = {"content-type": f'text/plain; charset="{charset}"'}
    problem(client.post("/api/v1/match", content=b"x", headers=headers), 415, "unsupported-media")


@pytest.fixture
def narrow(settings: Settings, client: TestClient) -> TestClient:
    """The application with the smallest limit that can be set: 1,024 bytes."""
    return TestClient(create_app(settings.model_copy(update={"max_paste": 1024})), raise_server_exceptions=False)


LARGE = {
    "plain text": ("text/plain", b"x" * 1025),
    "JSON": ("application/json", json.dumps({"text": "x" * 1025}).encode()),
    "Chinese in JSON": ("application/json", json.dumps({"text": "报" * 342}).encode()),
    "much plain text": ("text/plain", b"x" * 1_000_000),
    "much JSON": ("application/json", json.dumps({"text": "x" * 1_000_000}).encode()),
}


@pytest.mark.parametrize(("kind", "body"), LARGE.values(), ids=LARGE)
def test_a_text_over_the_limit_is_refused(narrow: TestClient, kind: str, body: bytes) -> None:
    found = narrow.post("/api/v1/match", content=body, headers={"content-type": kind})
    assert "1,024" in problem(found, 413, "too-large").detail


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain", b"x" * 1024),
        ("application/json", json.dumps({"text": "x" * 1024}).encode()),
        ("application/json", json.dumps({"text": "报" * 341}).encode()),
    ],
)
def test_a_text_of_just_the_limit_is_read(narrow: TestClient, kind: str, body: bytes) -> None:
    assert narrow.post("/api/v1/match", content=body, headers={"content-type": kind}).status_code == 200


@pytest.mark.parametrize(
    "query", ["q=x&lang=fr", "q=x&limit=0", "q=x&limit=51", "q=x&limit=many", "", f"q={'x' * 2001}", "q=x&limit=1e9"]
)
def test_a_search_that_is_none_is_refused(client: TestClient, query: str) -> None:
    assert problem(client.get(f"/api/v1/search?{query}"), 422, "bad-input").fields


@pytest.mark.parametrize(
    "q", ["%00", "%ff%fe", "%ed%a0%80", "a%0d%0ab", "%25s{0}{x}", "'%20OR%201=1--", "%F0%9F%98%80"]
)
def test_a_search_for_odd_characters_is_answered(client: TestClient, q: str) -> None:
    assert client.get(f"/api/v1/search?q={q}").status_code == 200
