"""What went wrong is said on a page: what happened, what to do, and what was typed is still there."""

import html
import re
from collections.abc import Iterator

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.store.engine import connect
from app.store.session import writing
from app.web.access_log import AccessLog
from tests.conftest import POSTGRESQL, create, drop

PASTE = "GreenhouseValveError: valve <17> has frozen shut\n  and the gardener is away"
LANGS = ("en", "zh")
TOLD = {
    400: {"en": "could not be read", "zh": "读不出来"},
    403: {"en": "another site", "zh": "别的站点"},
    404: {"en": "Nothing here", "zh": "没有这个页面"},
    405: {"en": "This page opens another way", "zh": "这个地址不能这样打开"},
    413: {"en": "too much text", "zh": "文本太长了"},
    422: {"en": "The box was empty", "zh": "框里还没有内容"},
    429: {"en": "Too many requests", "zh": "请求太频繁"},
    500: {"en": "broke on our side", "zh": "我们这边出错了"},
    503: {"en": "is not taking requests", "zh": "数据库暂时不可用"},
}


def plain(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def area(page: str) -> str:
    """The text of the first text area, as a browser reads it."""
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert found, page
    return html.unescape(found[1])


@pytest.fixture
def damaged(settings: Settings, shipped: Settings) -> Iterator[TestClient]:
    """The application as it is served, on a database in which what entries are found by cannot be read."""
    create(settings, shipped)
    _change(settings, "UPDATE entry SET features = 'not JSON'")
    with TestClient(AccessLog(create_app(settings)), raise_server_exceptions=False) as client:
        yield client


def _take_away(settings: Settings, *tables: str) -> None:
    """Have the database answer no more, or at least not about some tables."""
    if POSTGRESQL:
        drop(settings)
    else:
        _change(settings, *(f"DROP TABLE {table}" for table in tables))


def _change(settings: Settings, *statements: str) -> None:
    engine = connect(settings)
    with writing(engine) as session:
        for statement in statements:
            session.execute(text(statement))
    engine.dispose()


@pytest.mark.parametrize("lang", LANGS)
def test_an_address_that_leads_nowhere_offers_the_search_and_what_it_could_have_meant(
    client: TestClient, lang: str
) -> None:
    answer = client.get(f"/{lang}/e/verl/tensor-dict-membership-chek")
    assert answer.status_code == 404
    assert TOLD[404][lang] in answer.text
    assert f'href="/{lang}/e/verl/tensordict-membership-check"' in answer.text
    assert 'value="verl tensor dict membership chek"' in answer.text
    assert f'action="/{lang}/search"' in answer.text


def test_a_project_that_is_not_there_leads_to_entries_of_others(client: TestClient) -> None:
    page = client.get("/en/e/vrl/tensordict-membership-check").text
    assert 'href="/en/e/verl/tensordict-membership-check"' in page


def test_an_address_like_nothing_in_the_guide_offers_the_search_only(client: TestClient) -> None:
    page = client.get("/en/e/verl/qqqq-zzzz-xxxx").text
    assert "Did you mean" not in page
    assert 'value="verl qqqq zzzz xxxx"' in page


@pytest.mark.parametrize("lang", LANGS)
def test_a_form_from_another_site_is_refused_and_not_given_back(client: TestClient, lang: str) -> None:
    answer = client.post(f"/{lang}/match", data={"text": PASTE}, headers={"origin": "http://elsewhere.test"})
    assert answer.status_code == 403
    assert TOLD[403][lang] in answer.text
    assert "GreenhouseValve" not in answer.text


@pytest.mark.parametrize("lang", LANGS)
def test_a_page_that_takes_no_form_says_where_to_begin(client: TestClient, lang: str) -> None:
    answer = client.post(f"/{lang}/search", data={"text": PASTE})
    assert answer.status_code == 405
    assert TOLD[405][lang] in answer.text


@pytest.mark.parametrize("lang", LANGS)
def test_a_text_that_is_too_long_says_what_to_send(settings: Settings, shipped: Settings, lang: str) -> None:
    create(settings, shipped)
    small = settings.model_copy(update={"max_paste": 1024})
    with TestClient(create_app(small)) as client:
        answer = client.post(f"/{lang}/match", data={"text": "x" * 200_000})
    assert answer.status_code == 413
    assert TOLD[413][lang] in answer.text
    assert {"en": "1,024 bytes", "zh": "1,024 字节"}[lang] in answer.text
    assert {"en": "back button", "zh": "后退"}[lang] in answer.text


@pytest.mark.parametrize("lang", LANGS)
def test_an_empty_paste_leads_back_to_the_box(client: TestClient, lang: str) -> None:
    answer = client.post(f"/{lang}/match", data={"text": "  "})
    assert answer.status_code == 422
    assert TOLD[422][lang] in answer.text
    assert 'id="paste"' in answer.text


@pytest.mark.parametrize("lang", LANGS)
def test_too_many_questions_say_how_long_to_wait_and_give_the_paste_back(
    settings: Settings, shipped: Settings, lang: str
) -> None:
    create(settings, shipped)
    strict = settings.model_copy(update={"rate_match": "1/minute", "rate_submit": "1/hour"})
    stranger = ("203.0.113.8" if lang == "en" else "203.0.113.9", 50000)
    with TestClient(create_app(strict), client=stranger) as client:
        client.post(f"/{lang}/match", data={"text": PASTE})
        answer = client.post(f"/{lang}/match", data={"text": PASTE})
        assert answer.status_code == 429
        wait = int(answer.headers["retry-after"])
        assert 1 <= wait <= 60
        assert f"{wait} {'seconds' if lang == 'en' else '秒'}" in plain(answer.text)
        assert area(answer.text) == PASTE
        assert f'action="/{lang}/match"' in answer.text

        fields = {"project": "verl", "title": "Frozen", "symptom": "It stops.\nThen ice.", "slug": "", "revision": "0"}
        client.post(f"/{lang}/submit", data=fields)
        answer = client.post(f"/{lang}/submit", data=fields)
        assert answer.status_code == 429
        assert re.search(r"(Wait|等) (59|60) (minutes|分钟)", plain(answer.text))
        assert ">\nIt stops.\nThen ice.</textarea>" in answer.text
        assert '<input type="hidden" name="revision" value="0">' in answer.text


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_given_back_can_be_sent_again(settings: Settings, shipped: Settings, lang: str) -> None:
    """The form of the page holds what the first one held."""
    create(settings, shipped)
    strict = settings.model_copy(update={"rate_match": "1/minute"})
    stranger = ("203.0.113.18" if lang == "en" else "203.0.113.19", 50000)
    with TestClient(create_app(strict), client=stranger) as client:
        client.post(f"/{lang}/match", data={"text": PASTE})
        page = client.post(f"/{lang}/match", data={"text": PASTE}).text
    with TestClient(create_app(settings)) as client:
        assert "GreenhouseValveError" in client.post(f"/{lang}/match", data={"text": area(page)}).text


def test_a_paste_too_long_to_be_given_back_is_left_to_the_back_button(settings: Settings, shipped: Settings) -> None:
    create(settings, shipped)
    strict = settings.model_copy(update={"rate_match": "1/minute"})
    with TestClient(create_app(strict), client=("203.0.113.28", 50000)) as client:
        client.post("/en/match", data={"text": PASTE})
        answer = client.post("/en/match", data={"text": "x y " * 100_000})
    assert answer.status_code == 429
    assert "<textarea" not in answer.text
    assert "back button" in answer.text


@pytest.mark.parametrize("lang", LANGS)
def test_a_fault_of_ours_gives_the_number_of_the_request_and_the_paste_back(damaged: TestClient, lang: str) -> None:
    answer = damaged.post(f"/{lang}/match", data={"text": "RuntimeError: CUDA error: an illegal memory access"})
    assert answer.status_code == 500
    assert TOLD[500][lang] in answer.text
    assert f"<code>{answer.headers['x-request-id']}</code>" in answer.text
    assert area(answer.text) == "RuntimeError: CUDA error: an illegal memory access"
    assert "script-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_database_that_is_away_loses_nothing(settings: Settings, shipped: Settings, lang: str) -> None:
    create(settings, shipped)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        _take_away(settings, "review", "suggested_name", "submission")
        answer = client.post(f"/{lang}/submit", data={"project": "verl", "title": "Frozen", "symptom": "It stops."})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert TOLD[503][lang] in answer.text
    assert {"en": "Nothing was saved", "zh": "什么都没有写入"}[lang] in answer.text
    assert "\nIt stops.</textarea>" in answer.text


def test_what_another_site_sent_is_not_given_back_when_the_database_is_away(
    settings: Settings, shipped: Settings
) -> None:
    """ReadTransaction who it is fails before the form is looked at."""
    create(settings, shipped)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        _take_away(settings, "login_session")
        foreign = {"origin": "http://elsewhere.test", "cookie": "errdex_session=x"}
        answer = client.post("/en/match", data={"text": PASTE}, headers=foreign)
        own = client.post("/en/match", data={"text": PASTE}, headers={"cookie": "errdex_session=x"})
    assert (answer.status_code, own.status_code) == (503, 503)
    assert "GreenhouseValve" not in answer.text
    assert area(own.text) == PASTE


def test_a_password_is_never_given_back(settings: Settings, shipped: Settings) -> None:
    create(settings, shipped)
    strict = settings.model_copy(update={"rate_login": "1/minute"})
    with TestClient(create_app(strict), client=("203.0.113.38", 50000)) as client:
        for _ in range(2):
            answer = client.post("/en/sign-in", data={"name": "rita", "password": "tulips and pears"})
    assert answer.status_code == 429
    assert "tulips" not in answer.text


@pytest.mark.parametrize(("lang", "word"), [("en", "new tab"), ("zh", "新标签页")])
def test_a_decision_written_after_the_session_ended_is_given_back(client: TestClient, lang: str, word: str) -> None:
    reason = "The fix deletes the checkpoint of somebody else."
    answer = client.post(f"/{lang}/review/1/reject", data={"reason": reason, "version": "1"}, follow_redirects=False)
    assert answer.status_code == 401
    assert reason in answer.text
    assert word in answer.text
    assert f'action="/{lang}/review/1/reject"' in answer.text


def test_a_form_without_words_leads_to_the_sign_in_page(client: TestClient) -> None:
    answer = client.post("/en/review/1/approve", data={"version": "1"}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/en/sign-in")
