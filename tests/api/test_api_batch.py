"""Several texts at once over REST."""

from json import dumps
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api.batch_schemas import BatchAnswered
from app.config import ROOT, Settings
from tests.web.test_rates import LIMIT, app_with, at

PASTES = [
    path.read_text(encoding="utf-8") for path in sorted(Path(ROOT / "content").glob("verl/*/examples/*.txt"))[:46]
]
TEXTS = [*PASTES, "", "\ud800 x", "how do I install vllm", PASTES[0]]
JSON = {"content-type": "application/json"}


def batch(client: TestClient, texts: list[str], query: str = "", **more: Any) -> list[dict[str, Any]]:
    """Ask for several texts, and return what was answered to each, held to its shape."""
    found = client.post(f"/api/v1/match/batch{query}", content=dumps({"texts": texts} | more), headers=JSON)
    assert found.status_code == 200, found.text
    BatchAnswered.model_validate_json(found.content)
    answers: list[dict[str, Any]] = found.json()["answers"]
    return answers


@pytest.mark.parametrize("more", [{}, {"lang": "zh", "limit": 2, "include": "fix"}])
def test_each_of_fifty_texts_is_answered_as_it_is_alone(client: TestClient, more: dict[str, Any]) -> None:
    answers = batch(client, TEXTS, **more)
    assert len(answers) == len(TEXTS) == 50
    for text, found in zip(TEXTS, answers, strict=True):
        alone = client.post("/api/v1/match", content=dumps({"text": text} | more), headers=JSON).json()
        assert found == {"answer": alone, "problem": None}


def test_the_language_may_stand_in_the_address_or_be_accepted(client: TestClient) -> None:
    for query, headers in (("?lang=zh", {}), ("", {"accept-language": "zh-CN"})):
        found = client.post(f"/api/v1/match/batch{query}", json={"texts": PASTES[:1]}, headers=headers)
        assert found.headers["content-language"] == "zh"
        assert found.json()["answers"][0]["answer"]["matches"][0]["lang"] == "zh"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "texts"),
        ({"texts": []}, "texts"),
        ({"texts": ["x"] * 51}, "texts"),
        ({"texts": "x"}, "texts"),
        ({"texts": ["x", 1]}, "texts.1"),
        ({"texts": ["x"], "limit": 0}, "limit"),
        ({"texts": ["x"], "text": "x"}, "text"),
    ],
)
def test_what_is_no_batch_is_refused(client: TestClient, body: dict[str, Any], field: str) -> None:
    found = client.post("/api/v1/match/batch", json=body)
    assert (found.status_code, list(found.json()["fields"])) == (422, [field])


def test_plain_text_is_no_batch(client: TestClient) -> None:
    found = client.post("/api/v1/match/batch", content="x", headers={"content-type": "text/plain"})
    assert found.status_code == 415


def test_together_they_may_be_as_large_as_one(settings: Settings, engine: Engine) -> None:
    client = TestClient(app_with(settings, max_paste=1024), raise_server_exceptions=False)
    assert len(batch(client, ["x" * 512, "报" * 170])) == 2
    assert client.post("/api/v1/match/batch", json={"texts": ["x" * 512, "报" * 171]}).status_code == 413


def test_each_text_counts_as_one_question(settings: Settings, engine: Engine) -> None:
    client = at(app_with(settings, rate_match="60/minute"), "192.0.2.7")
    found = client.post("/api/v1/match/batch", json={"texts": [str(number) for number in range(50)]})
    left = LIMIT.fullmatch(found.headers["ratelimit"])
    assert left
    assert (found.status_code, left[2]) == (200, "10")
    again = client.post("/api/v1/match/batch", json={"texts": [str(number) for number in range(50)]})
    assert (again.status_code, again.json()["type"].rpartition("/")[2]) == (429, "too-many")
    assert client.post("/api/v1/match", json={"text": "x"}).status_code == 200


def test_more_texts_than_the_rate_ever_allows_are_refused_as_such(settings: Settings, engine: Engine) -> None:
    client = at(app_with(settings, rate_match="5/minute"), "192.0.2.7")
    found = client.post("/api/v1/match/batch", json={"texts": ["x"] * 6})
    assert (found.status_code, list(found.json()["fields"])) == (422, ["texts"])
    assert len(batch(at(app_with(settings, rate_match="5/minute"), "192.0.2.7"), ["x"] * 5)) == 5


def test_a_text_that_takes_too_long_has_a_problem_in_place_of_its_answer(settings: Settings, engine: Engine) -> None:
    hasty = TestClient(app_with(settings, request_seconds=0.000_001), raise_server_exceptions=False)
    for found in batch(hasty, PASTES[:3], lang="zh"):
        assert found["answer"] is None
        assert (found["problem"]["type"].rpartition("/")[2], found["problem"]["status"]) == ("too-slow", 503)
        assert "太久" in found["problem"]["title"]
