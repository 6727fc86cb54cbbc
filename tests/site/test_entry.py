"""Reading entries."""

import re

from sqlalchemy import Engine
from starlette.testclient import TestClient

from app import wiki
from app.content.schema import EntryDocument
from app.store.session import writing

PLAIN = {
    "slug": "verl/small-one",
    "updated": "2026-11-20",
    "en": {"title": "A `small` one", "body": "## Fix\nSee [the other](errdex:roll/torch-compile-cache-race).\n"},
    "signatures": [{"pattern": "SmallError: <*> is small"}, {"frame": "small/one.py:run", "weak": True}],
    "affects": {"torch": "<2.4"},
    "related": ["verl/neighbour"],
}


def publish(engine: Engine, **changes: object) -> None:
    with writing(engine) as session:
        wiki.publish(session, EntryDocument.model_validate(PLAIN | changes), actor="test")


def test_an_entry_shows_text_markings_and_facts(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, slug="verl/neighbour", en={"title": "The neighbour", "body": "## Fix\nx"}, related=[])
    publish(engine)
    page = empty_client.get("/en/e/verl/small-one").text
    assert '<h1 lang="en">A <code>small</code> one</h1>' in page
    assert '<span class="hole">‹…›</span>' in page
    assert "small/one.py:run" in page
    assert "torch &lt;2.4" in page
    assert 'href="/en/e/verl/neighbour">The neighbour</a>' in page
    assert 'href="/en/e/roll/torch-compile-cache-race"' in page
    assert "Revision 1" in page


def test_a_missing_language_shows_the_other_one_with_a_notice(empty_client: TestClient, engine: Engine) -> None:
    publish(engine)
    page = empty_client.get("/zh/e/verl/small-one").text
    assert "这一条还没有中文内容" in page
    assert '<h1 lang="en">' in page


def test_the_language_switch_stays_on_the_entry(client: TestClient) -> None:
    page = client.get("/en/e/roll/torch-compile-cache-race").text
    assert re.search(r'<a class="switch" href="/zh/e/roll/torch-compile-cache-race"', page)


def test_an_entry_is_there_as_markdown(client: TestClient) -> None:
    answer = client.get("/zh/e/roll/torch-compile-cache-race.md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.text.startswith("# ")
    assert "\n## 修复\n" in answer.text


def test_a_former_name_leads_to_the_entry_for_good(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, former=["verl/old-name"])
    answer = empty_client.get("/zh/e/verl/old-name", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (301, "/zh/e/verl/small-one")


def test_a_withdrawn_entry_is_not_shown(empty_client: TestClient, engine: Engine) -> None:
    publish(engine)
    publish(engine, status="withdrawn")
    assert empty_client.get("/en/e/verl/small-one").status_code == 404


def test_names_that_no_entry_can_have_are_not_found(empty_client: TestClient) -> None:
    for path in ("/en/e/verl/%00", "/en/e/VERL/x", "/en/e/verl/" + "x" * 5000, "/en/p/%00", "/en/e/%ff/x"):
        assert empty_client.get(path).status_code == 404


def test_a_project_lists_its_entries(client: TestClient) -> None:
    page = client.get("/en/p/roll").text
    assert "Entries on ROLL" in page
    assert 'href="/en/e/roll/torch-compile-cache-race"' in page


def test_a_long_project_has_pages(empty_client: TestClient, engine: Engine) -> None:
    with writing(engine) as session:
        for number in range(101):
            wiki.publish(session, EntryDocument.model_validate(PLAIN | {"slug": f"verl/e{number:03}"}), actor="test")
    first = empty_client.get("/en/p/verl").text
    (after,) = re.findall(r'href="(/en/p/verl\?after=[^"]+)"', first)
    assert empty_client.get(after).text.count("/en/e/verl/e") == 1


def test_a_search_finds_an_entry_by_words(client: TestClient) -> None:
    page = client.get("/en/search", params={"q": "OSError device or resource busy"}).text
    assert 'href="/en/e/roll/torch-compile-cache-race"' in page


def test_a_search_for_nothing_or_nonsense_says_so(client: TestClient) -> None:
    assert "Type a few words" in client.get("/en/search?q=").text
    assert "Nothing in the guide" in client.get("/en/search?q=qzxjv%00wkrp").text
