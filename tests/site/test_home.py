"""The front door."""

import gzip
import re

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from app.config import ROOT
from tests.conftest import sign_in


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
    assert client.get("/favicon.ico").headers["content-type"].startswith("image/png")


def test_crawlers_are_kept_out_of_forms(empty_client: TestClient) -> None:
    assert "Disallow: /en/s/" in empty_client.get("/robots.txt").text


def test_an_unknown_address_is_a_page_in_the_language_of_the_address(empty_client: TestClient) -> None:
    answer = empty_client.get("/zh/nowhere")
    assert answer.status_code == 404
    assert "没有这个页面" in answer.text
    assert empty_client.get("/fr/").status_code == 404


def test_a_page_answers_head(empty_client: TestClient) -> None:
    assert empty_client.head("/en/").status_code == 200


TOKEN = "hf_" + "MadeUp" * 6 + "0"
SECRETIVE = f"RuntimeError: /home/mila/model is gone\nexport HF_TOKEN={TOKEN}\nask mila@kestrel.io\n"
LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
RACE = "/e/roll/torch-compile-cache-race"


def chosen(client: TestClient, content: bytes, typed: str = "", lang: str = "en") -> Response:
    """Send the form as a browser without JavaScript does, with a file in it."""
    return client.post(f"/{lang}/match", data={"text": typed}, files={"file": ("train.log", content)})


@pytest.mark.parametrize(("lang", "said"), [("en", "The server masked 3 things"), ("zh", "服务器遮盖了 3 处")])
def test_what_comes_unmasked_is_masked_by_the_server_which_says_so(client: TestClient, lang: str, said: str) -> None:
    page = client.post(f"/{lang}/match", data={"text": SECRETIVE}).text
    assert said in page
    assert "&lt;TOKEN#1&gt;" in page
    for secret in (TOKEN, "mila"):
        assert secret not in page


def test_what_the_page_has_masked_or_its_author_left_as_it_is_stays(client: TestClient) -> None:
    page = client.post("/en/match", data={"text": SECRETIVE, "masked": "1"}).text
    assert TOKEN in page
    assert "The server masked" not in page


def test_a_paste_without_secrets_has_no_notice(client: TestClient) -> None:
    assert "The server masked" not in client.post("/en/match", data={"text": LOG}).text


def test_a_paste_of_16_mib_full_of_names_is_masked_in_time(client: TestClient) -> None:
    line = "INFO (pid=1, ip=10.0.0.1) /home/mila/run/step.py saved, token=abc, key=value to mila@kestrel.io\n"
    text = line * (15 * 1024 * 1024 // len(line)) + LOG
    page = client.post("/en/match", data={"text": text}).text
    assert f'href="/en{RACE}"' in page
    assert not re.search(r"\bmila\b", page)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_file_is_read_without_javascript_whatever_its_encoding(client: TestClient, encoding: str) -> None:
    page = chosen(client, ("训练时显存不够\n" + LOG.replace("\n", "\r\n")).encode(encoding)).text
    assert f'href="/en{RACE}"' in page
    assert "训练时显存不够" in page


def test_file_and_text_are_read_together(client: TestClient) -> None:
    page = chosen(client, LOG.encode(), "GreenhouseValveError: frozen").text
    assert "GreenhouseValveError" in page
    assert f'href="/en{RACE}"' in page


@pytest.mark.parametrize(
    ("content", "said"),
    [(gzip.compress(LOG.encode()), "This file is compressed"), (b"PK\x03\x04zip", "compressed"), (b"a\0b", "not text")],
)
def test_a_file_that_is_no_log_is_told_what_to_do_and_the_text_is_kept(
    client: TestClient, content: bytes, said: str
) -> None:
    answer = chosen(client, content, "what I <typed>")
    assert answer.status_code == 422
    assert said in answer.text
    assert "what I &lt;typed&gt;</textarea>" in answer.text


def test_a_file_over_the_limit_is_refused_in_words(client: TestClient) -> None:
    answer = chosen(client, b"x" * (16 * 1024 * 1024 + 1))
    assert answer.status_code == 413
    assert "too much text" in answer.text


def test_a_form_whose_parts_are_broken_is_refused(client: TestClient) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/en/match", content=b"--x\r\nnonsense", headers=headers).status_code in (400, 422)


def test_a_reviewer_sees_on_the_home_page_what_the_team_needs(client: TestClient) -> None:
    client.post("/en/e/roll/torch-compile-cache-race/feedback", data={"vote": "outdated"})
    for title in ("FirstError: one", "SecondError: two"):
        form = {"project": "verl", "name": title[:5].lower(), "kind": "error", "title": title, "fix": "1. Wait."}
        assert client.post("/en/submit", data=form | {"revision": "0"}).status_code == 200
    assert "What the team needs" not in client.get("/en/").text
    assert 'class="badge"' not in client.get("/en/browse").text
    sign_in(client)
    page = client.get("/en/").text
    needs = page.partition('class="columns needs"')[2].partition("</section>")[0]
    assert "1 person calls it outdated" in needs
    assert "Nothing is asked for again and again." in needs
    assert '<span class="badge">2<' in page
    assert '<span class="badge">2<' in client.get("/zh/browse").text
