"""Asking over REST: what is answered, and in which words."""

import re

import pytest
from starlette.testclient import TestClient

from app.api import schemas

ERROR = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"
SLUG = "verl/tensordict-membership-check"
TEXT = {"content-type": "text/plain"}


def ask(client: TestClient, **question: object) -> schemas.AnswerShown:
    """The answer to a JSON question, held to its shape."""
    found = client.post("/api/v1/match", json=question)
    assert found.status_code == 200, found.text
    return schemas.AnswerShown.model_validate_json(found.content, strict=True)


def test_a_known_error_is_answered_with_its_entry(client: TestClient) -> None:
    answer = ask(client, text=ERROR)
    first = answer.matches[0]
    assert (first.slug, first.lang, first.confidence, first.why_not) == (SLUG, "en", "high", None)
    assert first.url == f"http://testserver/en/e/{SLUG}"
    assert first.score == pytest.approx(min(100, sum(reason.contribution for reason in first.reasons)), abs=0.2)
    assert answer.report.lines == 1
    assert not answer.report.truncated
    error = answer.report.errors[0]
    assert (error.type, error.role, error.line, error.span) == ("NotImplementedError", "cause", 1, (0, len(ERROR)))


def test_reasons_and_titles_are_in_the_language_asked_for(client: TestClient) -> None:
    english, chinese = (ask(client, text=ERROR, lang=lang).matches[0] for lang in ("en", "zh"))
    assert chinese.lang == "zh"
    assert chinese.url.startswith("http://testserver/zh/e/")
    assert chinese.title != english.title
    assert chinese.reasons[0].key == english.reasons[0].key
    assert chinese.reasons[0].text != english.reasons[0].text


def test_what_is_only_related_says_why(client: TestClient) -> None:
    answer = ask(client, text="ray timeline", lang="zh", limit=50)
    assert not answer.matches
    assert answer.related
    for match in answer.related:
        assert match.confidence == "low"
        assert match.why_not is not None
    # a line that fits several entries says so, and everything else why it is not enough
    whys = [match.why_not or "" for match in answer.related]
    assert any("太短" in why for why in whys)
    assert all("太短" in why or "分" in why or "用词" in why for why in whys)


def test_an_unknown_error_is_not_answered_but_named(client: TestClient) -> None:
    answer = ask(client, text="ZorbError: the frobnicator has left the building")
    assert not answer.matches
    assert [error.type for error in answer.report.errors] == ["ZorbError"]


def test_spans_are_code_points_of_the_text_as_received(client: TestClient) -> None:
    before = "😀 训练挂了\r\n\x1b[31m"
    answer = ask(client, text=f"{before}{ERROR}\x1b[0m\r\n")
    spans = [span for reason in answer.matches[0].reasons if reason.key == "message" for span in reason.spans]
    assert spans == [(len(before), len(before) + len(ERROR))]
    assert answer.report.errors[0].line == 2


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_the_limit_bounds_matches_and_related_each(client: TestClient, limit: int) -> None:
    answer = ask(client, text="verl ray training batch size checkpoint 训练 报错", limit=limit)
    assert len(answer.matches) <= limit
    assert len(answer.related) <= limit


def test_at_most_fifty_errors_are_reported(client: TestClient) -> None:
    names = [f"{first}{second}" for first in "ABCDEFGHIJ" for second in "klmnopqrst"]
    answer = ask(client, text="\n".join(f"{name}Error: the {name} is gone" for name in names))
    assert len(answer.report.errors) == 50


def test_plain_text_is_answered_like_json(client: TestClient) -> None:
    plain = client.post("/api/v1/match", params={"lang": "zh", "limit": 3}, content=ERROR, headers=TEXT)
    assert plain.json() == client.post("/api/v1/match", json={"text": ERROR, "lang": "zh", "limit": 3}).json()


def test_what_the_json_says_goes_before_the_address(client: TestClient) -> None:
    found = client.post("/api/v1/match?lang=zh", json={"text": ERROR, "lang": "en"})
    assert found.json()["matches"][0]["lang"] == "en"
    found = client.post("/api/v1/match?lang=zh", json={"text": ERROR})
    assert found.json()["matches"][0]["lang"] == "zh"


@pytest.mark.parametrize("charset", ["utf-8", "gbk", "gb18030", "utf-16", "GB2312"])
def test_plain_text_is_read_in_its_charset(client: TestClient, charset: str) -> None:
    question = "ZorbError: 显存不足"
    headers = {"content-type": f'text/plain; charset="{charset}"'}
    found = client.post("/api/v1/match", content=question.encode(charset), headers=headers)
    assert found.json()["report"]["errors"][0]["message"] == question


def test_an_answer_is_not_to_be_cached(client: TestClient) -> None:
    assert client.post("/api/v1/match", json={"text": ERROR}).headers["cache-control"] == "no-store"


def test_search_lists_answers_and_related_alike(client: TestClient) -> None:
    found = client.get("/api/v1/search", params={"q": "ray timeline", "lang": "zh", "limit": 3})
    items = schemas.MatchList.model_validate_json(found.content, strict=True).items
    assert items[0].slug == "verl/ray-timeline"
    assert items[0].lang == "zh"
    assert len(items) <= 3
    rest = client.get("/api/v1/search", params={"q": "ray timeline", "cursor": found.json()["next"]}).json()["items"]
    assert {item.slug for item in items}.isdisjoint(item["slug"] for item in rest)


def test_a_search_for_nothing_finds_nothing(client: TestClient) -> None:
    assert client.get("/api/v1/search?q=").json() == {"items": [], "next": None}


@pytest.mark.parametrize(
    "words", ["reward is 0", "nccl timeout", "sglang memory", "显存", "训练慢", "nccl 超时", "zz9"]
)
def test_a_search_finds_what_the_search_page_finds_in_its_order(client: TestClient, words: str) -> None:
    items = client.get("/api/v1/search", params={"q": words, "limit": 5}).json()["items"]
    page = client.get("/en/search", params={"q": words}).text
    shown = list(dict.fromkeys(re.findall(r'href="/en/e/([a-z0-9-]+/[a-z0-9-]+)"', page)))
    assert [item["slug"] for item in items] == shown[:5]
