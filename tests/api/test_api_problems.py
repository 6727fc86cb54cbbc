"""Errors as problem+json."""

import pytest
from starlette.testclient import TestClient

from app.api.schemas import Problem
from app.config import Settings
from app.main import create_app


def test_a_problem_is_told_in_the_language_of_the_browser(client: TestClient) -> None:
    for accept, lang, title in (
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh", "没有这个页面"),
        ("fr, en;q=0.5", "en", "Nothing here"),
    ):
        found = client.get("/api/v1/entries/verl/no-such-entry", headers={"accept-language": accept})
        assert found.headers["content-language"] == lang
        assert found.headers["vary"] == "accept-language"
        assert found.json()["title"] == title


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/entries/verl"])
def test_an_address_that_is_none_is_a_problem(client: TestClient, path: str) -> None:
    found = client.get(path)
    said = Problem.model_validate_json(found.content, strict=True)
    assert (found.status_code, said.type, said.instance) == (404, "/problems/not-found", path)


def test_a_method_that_an_address_does_not_take_is_a_problem(client: TestClient) -> None:
    found = client.delete("/api/v1/match")
    assert (found.status_code, found.headers["allow"]) == (405, "POST")
    assert found.json()["type"] == "/problems/method-not-allowed"


def test_who_asks_too_often_is_told_when_to_come_back(settings: Settings, client: TestClient) -> None:
    once = create_app(settings.model_copy(update={"rate_match": "1/minute", "rate_submit": "1/hour"}))
    stranger = TestClient(once, client=("192.0.2.7", 5000), raise_server_exceptions=False)
    for method, path, after in (("POST", "/api/v1/match", 60), ("POST", "/api/v1/submissions", 3600)):
        first = stranger.request(method, path, content=b"{}", headers={"content-type": "application/json"})
        second = stranger.request(method, path, content=b"{}", headers={"content-type": "application/json"})
        assert first.status_code == 422
        assert second.status_code == 429
        # the time between the two requests counts
        assert after / 2 < int(second.headers["retry-after"]) <= after
        assert second.json()["type"] == "/problems/too-many"


def test_odd_names_of_fields_are_told_back(client: TestClient) -> None:
    for name, told in (("{x}", "entry.{x}"), ("\\u0000", "entry.\0"), ("报", "entry.报"), ("\\ud800", "entry")):
        body = f'{{"entry": {{"slug": "a/b", "{name}": 1}}}}'.encode()
        found = client.post("/api/v1/submissions", content=body, headers={"content-type": "application/json"})
        assert found.status_code == 422
        assert told in Problem.model_validate_json(found.content, strict=True).fields
