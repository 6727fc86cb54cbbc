"""The front door."""

import pytest
from starlette.testclient import TestClient


@pytest.mark.parametrize(
    ("accept", "lang"),
    [("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("de,en-GB;q=0.7", "en"), ("", "en"), ("fr", "en")],
)
def test_a_visitor_is_led_to_the_pages_in_their_language(empty_client: TestClient, accept: str, lang: str) -> None:
    answer = empty_client.get("/", headers={"accept-language": accept}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/{lang}/"


def test_the_language_last_chosen_is_remembered(empty_client: TestClient) -> None:
    empty_client.get("/zh/")
    answer = empty_client.get("/", headers={"accept-language": "en"}, follow_redirects=False)
    assert answer.headers["location"] == "/zh/"


def test_the_front_page_shows_the_box_and_what_the_guide_holds(client: TestClient) -> None:
    english, chinese = client.get("/en/").text, client.get("/zh/").text
    for page in (english, chinese):
        assert '<textarea id="paste" name="text"' in page
        assert "autofocus" in page
        assert 'href="/en/p/verl"' in page or 'href="/zh/p/verl"' in page
    assert '<html lang="en">' in english
    assert '<html lang="zh-Hans">' in chinese
    assert "SkyRL + SGLang" in english


def test_a_sample_can_be_sent_without_javascript(client: TestClient) -> None:
    page = client.get("/en/").text
    assert page.count('<form method="post" action="/en/match" class="inline"><input type="hidden" name="text"') == 3


def test_an_empty_guide_invites_the_first_entry(empty_client: TestClient) -> None:
    assert "The first entry could be yours" in empty_client.get("/en/").text


def test_every_page_says_where_it_is_in_the_other_language(client: TestClient) -> None:
    page = client.get("/en/p/verl").text
    assert '<link rel="canonical" href="http://testserver/en/p/verl">' in page
    assert '<link rel="alternate" hreflang="zh-Hans" href="http://testserver/zh/p/verl">' in page


def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(client: TestClient) -> None:
    for path in ("/en/", "/zh/submit", "/en/e/roll/torch-compile-cache-race"):
        answer = client.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert " style=" not in answer.text
        assert "<style" not in answer.text
        assert "<script>" not in answer.text
        assert 'src="http' not in answer.text


def test_static_files_are_there(client: TestClient) -> None:
    for name in ("errdex.css", "code.css", "errdex.js", "mark.svg"):
        assert client.get(f"/static/{name}").status_code == 200


def test_browsers_that_ask_for_an_icon_are_sent_to_the_mark(client: TestClient) -> None:
    assert client.get("/favicon.ico").headers["content-type"].startswith("image/svg+xml")


def test_crawlers_are_kept_out_of_forms(empty_client: TestClient) -> None:
    assert "Disallow: /en/s/" in empty_client.get("/robots.txt").text


def test_an_unknown_address_is_a_page_in_the_language_of_the_address(empty_client: TestClient) -> None:
    answer = empty_client.get("/zh/nowhere")
    assert answer.status_code == 404
    assert "这里没有内容" in answer.text
    assert empty_client.get("/fr/").status_code == 404


def test_a_page_answers_head(empty_client: TestClient) -> None:
    assert empty_client.head("/en/").status_code == 200
