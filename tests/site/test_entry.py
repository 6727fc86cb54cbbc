"""Reading entries."""

import re

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app import i18n
from app.content import translations
from app.content.schema import EntryDocument
from app.site.entry.entry_text import description
from app.store.columns import now
from app.store.session import writing
from app.wiki import publishing

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
        publishing.publish(session, EntryDocument.model_validate(PLAIN | changes), actor="test")


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


def test_an_entry_shows_beside_what_its_markings_do_not_count(empty_client: TestClient, engine: Engine) -> None:
    unless = ["SmallError: only <*> of a drill", "frame:small/drill.py:run"]
    publish(engine, signatures=[{"pattern": "SmallError: <*> is small", "unless": unless}])
    page = empty_client.get("/en/e/verl/small-one").text
    told = page.split("does not count beside")[1].split("</li>")[0]
    assert "SmallError: only " in told
    assert "frame:small/drill.py:run" in told


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
    assert "Entries about ROLL" in page
    assert 'href="/en/e/roll/torch-compile-cache-race"' in page


def test_a_long_project_has_pages(empty_client: TestClient, engine: Engine) -> None:
    with writing(engine) as session:
        for number in range(101):
            publishing.publish(
                session, EntryDocument.model_validate(PLAIN | {"slug": f"verl/e{number:03}"}), actor="test"
            )
    first = empty_client.get("/en/p/verl").text
    (after,) = re.findall(r'href="(/en/p/verl\?after=[^"]+)"', first)
    assert empty_client.get(after).text.count("/en/e/verl/e") == 1


def test_a_search_finds_an_entry_by_words(client: TestClient) -> None:
    page = client.get("/en/search", params={"q": "OSError device or resource busy"}).text
    assert 'href="/en/e/roll/torch-compile-cache-race"' in page


def test_a_search_for_nothing_or_nonsense_says_so(client: TestClient) -> None:
    assert "A few words" in client.get("/en/search?q=").text
    assert "No entry has these words" in client.get("/en/search?q=qzxjv%00wkrp").text


SECTIONS = "## {}\nIt waits.\n\n## {}\nStep by step.\n\n### `first`\nWait.\n\n### first\nLonger.\n"
BOTH = {
    "slug": "verl/in-both",
    "en": {"title": "In `both`", "body": SECTIONS.format("Symptom", "Fix")},
    "zh": {"title": "两种语言", "body": SECTIONS.format("现象", "修复")},
    "related": [],
}


def test_headings_have_anchors_and_a_contents_list(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, **BOTH)
    page = empty_client.get("/en/e/verl/in-both").text
    assert '<a class="anchor" href="#fix" aria-label="Link to “Fix”">#</a></h2>' in page
    assert re.findall(r'<li class="stop-(\d)"><a href="#([^"]+)">([^<]+)</a>', page.partition('class="prose"')[0]) == [
        ("2", "symptom", "Symptom"),
        ("2", "fix", "Fix"),
        ("3", "first", "first"),
        ("3", "first-2", "first"),
    ]


def test_a_short_entry_has_no_contents_list(empty_client: TestClient, engine: Engine) -> None:
    publish(engine)
    page = empty_client.get("/en/e/verl/small-one").text
    assert "On this page" not in page
    assert 'href="#fix"' in page


def test_a_heading_answers_to_its_name_in_the_other_language_too(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, **BOTH)
    assert '<span class="alias" id="修复"></span><h2 id="fix">' in empty_client.get("/en/e/verl/in-both").text
    assert '<span class="alias" id="fix"></span><h2 id="修复">' in empty_client.get("/zh/e/verl/in-both").text


def test_a_section_that_one_language_has_ahead_is_marked_in_the_other(empty_client: TestClient, engine: Engine) -> None:
    first = translations.recorded(EntryDocument.model_validate(PLAIN | BOTH))
    assert first.zh
    ahead = first.zh.model_copy(update={"body": first.zh.body.replace("Step by step.", "一步一步来。", 1)})
    with writing(engine) as session:
        publishing.publish(session, first, actor="test")
        publishing.publish(session, first.model_copy(update={"zh": ahead}), actor="test")
    page = empty_client.get("/en/e/verl/in-both").text
    before, _, after = page.partition('<p class="notice behind">')
    assert before.endswith("</h2>")
    assert 'id="fix"' in before.rpartition("<h2")[2]
    assert f"changed in the Chinese text on {i18n.day('en', now().date())}" in after
    assert 'href="/zh/e/verl/in-both#修复"' in after
    assert 'class="notice behind"' not in after
    assert "notice behind" not in empty_client.get("/zh/e/verl/in-both").text


def test_a_preview_of_a_link_shows_title_and_symptom(empty_client: TestClient, engine: Engine) -> None:
    body = '## Symptom\nA **"quoted"** `word` & [a link](https://example.org).\n\n```\ncode\n```\n\n## Fix\nx'
    publish(engine, en={"title": "A `small` one", "body": body})
    page = empty_client.get("/en/e/verl/small-one").text
    told = "A &#34;quoted&#34; word &amp; a link."
    assert f'<meta name="description" content="{told}">' in page
    assert f'<meta property="og:description" content="{told}">' in page
    assert '<meta property="og:title" content="A small one">' in page
    assert '<meta property="og:url" content="http://testserver/en/e/verl/small-one">' in page
    assert "og:image" not in page


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("## Fix\n" + "word " * 100, "word " * 39 + "word…"),
        ("## Fix\n" + "One sentence that is long enough to be taken as it stands here. " + "more " * 60, None),
        ("## 修复\n" + "这句话不长。" * 60, None),
    ],
)
def test_a_description_ends_with_a_sentence_where_it_can(text: str, line: str | None) -> None:
    found = description(text, "en")
    assert len(found) <= 200
    assert found == line if line is not None else found.endswith((".", "。"))


def test_versions_and_what_it_is_confused_with_stand_before_the_signatures(client: TestClient) -> None:
    facts = client.get("/en/e/roll/torch-compile-cache-race").text.partition("<aside")[2]
    order = [facts.index(f'<h2 class="label">{name}') for name in ("Project", "Similar entries", "Signatures", "Tags")]
    assert order == sorted(order)
    assert facts.index("Affected versions") < facts.index("Similar entries")


def test_trust_and_edit_stand_at_the_top_of_an_entry(client: TestClient) -> None:
    address = "/en/e/roll/torch-compile-cache-race"
    page = client.get(address).text
    assert page.count(f'href="{address}/edit"') == 1
    head = page.partition('<header class="with-edit">')[2].partition("</header>")[0]
    assert f'href="{address}/edit"' in head
    assert re.search(r'Updated <time datetime="[\d-]+">\d+ \w+ \d{4}</time> · <a [^>]+>Revision 1</a>', head)
    # neither of them stands a second time below
    assert page.count("<time") == 1
    assert page.count("Revision 1<") == 1
    assert "solved it for" not in head
    client.post(f"{address}/feedback", data={"vote": "solved"})
    head = client.get(address).text.partition('<header class="with-edit">')[2].partition("</header>")[0]
    assert "solved it for 1 person" in head
    assert "helped last on" in head
    client.post(f"{address}/feedback", data={"vote": "outdated"})
    head = client.get(address).text.partition('<header class="with-edit">')[2].partition("</header>")[0]
    assert "1 person calls it outdated" in head
