"""Search: what a few words find, narrowed by filters, and the suggestions while somebody types."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import ROOT
from app.content.schema import EntryDocument
from app.store.session import writing
from app.wiki import publishing

LINK = re.compile(r'href="/(?:en|zh)/e/([^"/]+/[^"/]+)"')
OPTION = re.compile(r'role="option"[^>]* href="/(?:en|zh)/e/([^"]+)"')


def found(client: TestClient, q: str, lang: str = "en", **filters: Any) -> list[str]:
    """The slugs of a search's first page."""
    return LINK.findall(client.get(f"/{lang}/search/found", params={"q": q, **filters}).text)


def suggested(client: TestClient, q: str, lang: str = "en") -> list[str]:
    """The slugs that are suggested for what is typed."""
    return OPTION.findall(client.get(f"/{lang}/search/typing", params={"q": q}).text)


def publish(engine: Engine, *documents: dict[str, Any]) -> None:
    with writing(engine) as session:
        for document in documents:
            publishing.publish(
                session, EntryDocument.model_validate({"updated": "2026-11-20"} | document), actor="test"
            )


def entry(name: str, title: str, body: str = "", **more: Any) -> dict[str, Any]:
    return {"slug": f"verl/{name}", "en": {"title": title, "body": body}, **more}


@pytest.mark.parametrize(
    ("q", "slug"),
    [
        ("tensord", "verl/tensordict-membership-check"),
        ("verl/tensordict-mem", "verl/tensordict-membership-check"),
        ("ray actor di", "skyrl/ray-actor-died"),
        ("显存 清空", "skyrl/clear-gpu-memory"),
        ("角", "skyrl/message-role-invalid"),
        ("卡死的 Ray", "skyrl/kill-stuck-processes"),
        ("权重 同步", "skyrl/weight-sync-slow"),
        ("CUDA OUT OF MEMORY DURING TR", "skyrl/cuda-oom-training"),
        ("ｗａｎｄｂ", "verl/wandb-proxy"),
        ("training step sl", "skyrl/training-step-slow"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_beginning_of_a_word_finds_its_entry_in_either_language(
    client: TestClient, q: str, slug: str, lang: str
) -> None:
    assert slug in suggested(client, q, lang)
    assert slug in found(client, q, lang)


def test_an_entry_in_one_language_is_found_from_the_pages_of_the_other(
    empty_client: TestClient, engine: Engine
) -> None:
    publish(engine, {"slug": "verl/valve", "zh": {"title": "阀门冻住了", "body": "等到春天。"}})
    assert suggested(empty_client, "冻住", "en") == ["verl/valve"]
    assert "阀门冻住了" in empty_client.get("/en/search?q=阀门").text


def test_titles_weigh_more_than_other_titles_and_those_more_than_texts(
    empty_client: TestClient, engine: Engine
) -> None:
    publish(
        engine,
        entry("in-text", "Something else", "The greenhouse is cold."),
        entry("also", "Another thing", titles={"en": ["greenhouse door"]}),
        entry("title", "The greenhouse valve"),
    )
    assert suggested(empty_client, "greenhouse") == ["verl/title", "verl/also", "verl/in-text"]
    assert found(empty_client, "greenhouse") == ["verl/title", "verl/also", "verl/in-text"]


def test_a_word_that_few_titles_hold_beats_a_generic_one(empty_client: TestClient, engine: Engine) -> None:
    many = [entry(f"many-{number}", f"Worker exited, case {number:03}") for number in range(30)]
    publish(engine, *many, entry("rare", "Gardener exited"))
    assert suggested(empty_client, "worker gardener ")[0] == "verl/rare"


def test_a_word_that_very_many_titles_hold_still_finds_what_has_the_other_words_too(
    empty_client: TestClient, engine: Engine
) -> None:
    publish(engine, *(entry(f"e{number}", f"Worker {'lost' if number % 7 else 'ended'}") for number in range(420)))
    publish(engine, entry("both", "Worker lost its valve"))
    publish(engine, *(entry(f"f{number}", "Worker ended") for number in range(200)))
    titles = empty_client.get("/en/search/typing?q=worker%20lost").text
    assert titles.count("Worker lost") == 8
    assert suggested(empty_client, "worker lost val")[0] == "verl/both"
    assert len(found(empty_client, "worker")) == 20


def test_what_was_published_a_moment_ago_is_suggested(client: TestClient) -> None:
    assert suggested(client, "greenhousev") == []
    with writing(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        document = EntryDocument.model_validate(entry("valve", "GreenhouseValveError", updated="2026-11-20"))
        publishing.publish(session, document, actor="test")
    assert suggested(client, "greenhousev") == ["verl/valve"]
    with writing(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        gone = document.model_copy(update={"status": "withdrawn"})
        publishing.publish(session, gone, actor="test")
    assert suggested(client, "greenhousev") == []


@pytest.mark.parametrize("q", ["", " ", "c", "?", "\0", "qzxjv", "%", "_", "'--"])
def test_what_says_nothing_suggests_nothing(client: TestClient, q: str) -> None:
    answer = client.get("/en/search/typing", params={"q": q})
    assert answer.status_code == 200
    assert "option" not in answer.text


def test_words_of_questions_are_looked_for_only_when_there_are_no_others(client: TestClient) -> None:
    assert "skyrl/kill-stuck-processes" in found(client, "how to kill it please")[:3]
    assert found(client, "error")


def test_filters_narrow_a_search_and_stand_in_its_address(client: TestClient) -> None:
    page = client.get("/en/search?q=cuda&project=skyrl&tag=oom").text
    slugs = LINK.findall(page)
    assert slugs
    assert all(slug.startswith("skyrl/") for slug in slugs)
    assert '<input type="hidden" name="project" value="skyrl">' in page
    # each filter that is on leads to the same search without it
    assert 'href="/en/search?q=cuda&amp;tag=oom"' in page
    assert 'href="/en/search?q=cuda&amp;project=skyrl"' in page


def test_the_number_on_a_filter_is_what_the_search_then_finds(client: TestClient) -> None:
    for start in ("/en/search?q=cuda", "/en/search", "/en/search?project=skyrl"):
        page = client.get(start).text
        choices = re.findall(r'class="chip" href="([^"]+)"[^>]*>[^<]*<span class="count">(\d+)<', page)
        assert len(choices) > 5
        for address, count in choices[:: max(1, len(choices) // 6)]:
            narrowed = client.get(address.replace("&amp;", "&")).text
            (said,) = re.findall(r'id="found-said">(\d+) entr', narrowed)
            assert said == count, address


def test_without_words_a_search_browses_newest_first(empty_client: TestClient, engine: Engine) -> None:
    for number in range(3):
        publish(engine, entry(f"e{number}", f"Title {number}", tags=["oom"] if number else []))
    assert found(empty_client, "") == ["verl/e2", "verl/e1", "verl/e0"]
    assert found(empty_client, "", tag="oom") == ["verl/e2", "verl/e1"]
    assert found(empty_client, "", tag="oom", kind="question") == []


def pages(client: TestClient, address: str) -> list[str]:
    """The slugs of all pages of a search."""
    slugs: list[str] = []
    while address:
        page = client.get(address).text
        slugs += LINK.findall(page)
        following: Sequence[str] = re.findall(r'href="([^"]+)" rel="next"', page)
        address = following[0].replace("&amp;", "&") if following else ""
    return slugs


@pytest.mark.parametrize("asked", ["", "?tag=oom", "?q=worker", "?q=worker&tag=oom"])
def test_pages_show_every_entry_once(empty_client: TestClient, engine: Engine, asked: str) -> None:
    publish(engine, *(entry(f"e{number:02}", f"Worker {number}", tags=["oom"]) for number in range(45)))
    slugs = pages(empty_client, f"/en/search{asked}")
    assert len(slugs) == 45
    assert len(set(slugs)) == 45


@pytest.mark.parametrize(
    "query",
    ["project=../x", "tag=%00", "tag=no-such", "after=x", "after=99999999999", "kind=a&kind=b", "tag=" + "a" * 90],
)
def test_an_address_that_somebody_made_up_is_answered(client: TestClient, query: str) -> None:
    assert client.get(f"/en/search?q=cuda&{query}").status_code == 200


def test_a_filter_that_no_entry_has_finds_nothing_and_can_be_taken_away(client: TestClient) -> None:
    page = client.get("/en/search?tag=no-such").text
    assert "No entry has all of these" in page
    assert 'class="chip strong" href="/en/search"' in page


def test_the_address_bar_gets_suggestions_as_opensearch_defines_them(client: TestClient) -> None:
    answer = client.get("/zh/suggest", params={"q": "显存"})
    assert answer.headers["content-type"].startswith("application/x-suggestions+json")
    q, titles, descriptions, addresses = answer.json()
    assert q == "显存"
    assert len(titles) == len(descriptions) == len(addresses) == 8
    assert all(urlsplit(address).netloc == "testserver" for address in addresses)
    assert client.get(addresses[0]).status_code == 200


def test_what_is_typed_is_shown_as_text(client: TestClient) -> None:
    for path in ("/en/search", "/en/search/found", "/en/search/typing"):
        page = client.get(path, params={"q": 'cuda "><script>alert(1)</script>'}).text
        assert "<script>alert" not in page


def test_search_pages_are_kept_out_of_search_engines(client: TestClient) -> None:
    assert '<meta name="robots" content="noindex">' in client.get("/en/search?q=cuda").text


def test_htmx_is_the_published_file() -> None:
    (file,) = (ROOT / "static" / "vendor").glob("htmx-*/htmx.min.js")
    told = (ROOT / "docs" / "decisions" / "htmx.md").read_text(encoding="utf-8")
    assert hashlib.sha256(file.read_bytes()).hexdigest() in told
    assert file.parent.name.removeprefix("htmx-") in told
    assert (file.parent / "LICENSE").is_file()


def test_a_hit_shows_the_field_that_matched_with_the_words_marked(client: TestClient) -> None:
    page = client.get("/en/search?q=torch_compile_cache+busy").text
    first = page.partition('<ol class="heads roomy results">')[2].partition("</li>")[0]
    assert '<span class="field-name">' in first
    assert "<mark>busy</mark>" in first
    chinese = client.get("/zh/search?q=显存不足").text
    assert "<mark>显存</mark>" in chinese


def test_words_that_no_result_has_are_named(client: TestClient) -> None:
    page = client.get("/en/search?q=memory+qzxjvwkrp").text
    assert "In none of these:" in page
    assert "<code>qzxjvwkrp</code>" in page
    assert "In none of these:" not in client.get("/en/search?q=out+of+memory").text
