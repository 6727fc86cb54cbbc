"""For machines: the feed of changes, the sitemap, robots.txt and the OpenSearch description."""

import re
from datetime import datetime
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from sqlalchemy import Engine, insert, select
from starlette.testclient import TestClient

from app.content.schema import EntryDocument
from app.site.find.sitemap import ENTRIES_A_FILE
from app.store.entry_tables import Entry
from app.store.session import writing
from app.transfer.jsonl import add_new
from app.wiki import publishing

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def feed(client: TestClient, lang: str = "en") -> ElementTree.Element:
    return ElementTree.fromstring(client.get(f"/{lang}/changes.atom").content)


def texts(parent: ElementTree.Element, name: str) -> list[str]:
    return [element.text or "" for element in parent.findall(name)]


def is_moment(text: str) -> bool:
    """Whether a text is a date of RFC 3339, which Atom asks for: with a time and an offset."""
    return re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text) is not None


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_feed_has_what_rfc_4287_asks_for(client: TestClient, lang: str) -> None:
    answer = client.get(f"/{lang}/changes.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.content)
    assert root.tag == f"{ATOM}feed"
    assert root.get(LANG) == ("en" if lang == "en" else "zh-Hans")
    entries = root.findall(f"{ATOM}entry")
    assert len(entries) == 50
    for one in (root, *entries):
        # exactly one id, title and updated each (4.1.1 and 4.1.2)
        for name in ("id", "title", "updated"):
            (text,) = texts(one, ATOM + name)
            assert text
        assert urlsplit(texts(one, f"{ATOM}id")[0]).scheme
        assert is_moment(texts(one, f"{ATOM}updated")[0])
        links = one.findall(f"{ATOM}link")
        assert all(urlsplit(link.get("href", "")).netloc == "testserver" for link in links)
        alternate = [(link.get("type"), link.get("hreflang")) for link in links if link.get("rel") == "alternate"]
        assert len(alternate) == 1
    # an author for every entry, as the feed has none of its own (4.2.1), each with exactly one name (3.2.1)
    assert all(len(texts(one, f"{ATOM}author/{ATOM}name")) == 1 for one in entries)
    assert len({texts(one, f"{ATOM}id")[0] for one in entries}) == 50
    (own,) = [link.get("href") for link in root.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert own == f"http://testserver/{lang}/changes.atom"
    newest = max(texts(one, f"{ATOM}updated")[0] for one in entries)
    assert texts(root, f"{ATOM}updated") == [newest]


def test_the_ids_stay_when_the_site_gets_another_address(client: TestClient) -> None:
    here = texts(feed(client), f"{ATOM}entry/{ATOM}id")
    client.base_url = client.base_url.copy_with(host="errdex.lan")
    assert texts(feed(client), f"{ATOM}entry/{ATOM}id") == here


def test_the_links_of_the_feed_lead_somewhere(client: TestClient) -> None:
    links = [link.get("href", "") for link in feed(client).findall(f"{ATOM}entry/{ATOM}link")]
    assert all(client.get(link).status_code == 200 for link in links[::10])


def test_what_was_written_cannot_break_the_feed(empty_client: TestClient, engine: Engine) -> None:
    body = {"title": 'A <b>"bold"</b> & \x1b[31mred\x0b title ]]>', "body": ""}
    document = EntryDocument.model_validate({"slug": "verl/valve", "updated": "2026-11-20", "en": body})
    with writing(engine) as session:
        publishing.publish(session, document, actor="r&<ita>", note="\x00\ufffe <note> & more".replace("\x00", ""))
    (title,) = texts(feed(empty_client), f"{ATOM}entry/{ATOM}title")
    assert title == 'New: A <b>"bold"</b> & [31mred title ]]>'
    assert texts(feed(empty_client), f"{ATOM}entry/{ATOM}author/{ATOM}name") == ["r&<ita>"]
    assert texts(feed(empty_client), f"{ATOM}entry/{ATOM}summary") == [" <note> & more"]


def test_an_empty_guide_has_a_feed(empty_client: TestClient) -> None:
    (moment,) = texts(feed(empty_client), f"{ATOM}updated")
    assert datetime.fromisoformat(moment)


def test_a_reader_that_has_the_feed_gets_nothing_twice(client: TestClient) -> None:
    mark = client.get("/en/changes.atom").headers["etag"]
    again = client.get("/en/changes.atom", headers={"if-none-match": mark})
    assert again.status_code == 304
    assert again.content == b""


def test_the_sitemap_names_every_entry_in_both_languages(client: TestClient) -> None:
    answer = client.get("/sitemap.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    root = ElementTree.fromstring(answer.content)
    found = {url.findtext(f"{MAP}loc", ""): url for url in root.findall(f"{MAP}url")}
    slugs = [row["slug"] for row in client.get("/api/v1/entries?limit=200").json()["items"]]
    assert len(slugs) > 100
    for slug in slugs:
        for lang in ("en", "zh"):
            url = found[f"http://testserver/{lang}/e/{slug}"]
            others = {link.get("hreflang"): link.get("href") for link in url.findall(f"{XHTML}link")}
            assert others == {
                "en": f"http://testserver/en/e/{slug}",
                "zh-Hans": f"http://testserver/zh/e/{slug}",
                "x-default": f"http://testserver/en/e/{slug}",
            }
            assert is_moment(url.findtext(f"{MAP}lastmod", ""))
    assert {"http://testserver/zh/browse", "http://testserver/en/p/verl"} <= set(found)


def test_a_large_guide_has_several_sitemaps(empty_client: TestClient, engine: Engine) -> None:
    number = ENTRIES_A_FILE + 5
    plain = {"updated": "2026-11-20", "en": {"title": "T", "body": ""}}
    with writing(engine) as session:
        add_new(session, [EntryDocument.model_validate(plain | {"slug": "verl/e000000"})], actor="test")
        (first,) = session.execute(select(Entry.__table__)).mappings()  # type: ignore[attr-defined]
        # the others are copies of the first: what is written of an entry besides is no matter of the sitemap
        copies = [{**first, "id": first["id"] + at, "slug": f"verl/e{at:06}"} for at in range(1, number)]
        session.connection().execute(insert(Entry), copies)
    index = ElementTree.fromstring(empty_client.get("/sitemap.xml").content)
    assert index.tag == f"{MAP}sitemapindex"
    files = texts(index, f"{MAP}sitemap/{MAP}loc")
    assert len(files) == 2
    found: list[str] = []
    for file in files:
        body = empty_client.get(file).content
        here = texts(ElementTree.fromstring(body), f"{MAP}url/{MAP}loc")
        # the limits of the format: addresses and bytes of one file
        assert len(here) <= 50_000
        assert len(body) <= 50 * 1024 * 1024
        found += [address for address in here if "/e/" in address]
    assert len(found) == len(set(found)) == 2 * number
    assert empty_client.get("/sitemap-3.xml").status_code == 404


def test_crawlers_may_read_entries_and_are_kept_out_of_forms(client: TestClient) -> None:
    text = client.get("/robots.txt").text
    rules = RobotFileParser()
    rules.parse(text.splitlines())
    for path in ("/en/", "/zh/e/verl/wandb-proxy", "/en/browse", "/en/changes", "/sitemap.xml", "/static/errdex.css"):
        assert rules.can_fetch("*", f"http://testserver{path}"), path
    for path in ("/en/review", "/zh/submit", "/en/s/token", "/zh/match", "/en/search?q=x", "/api/v1/search"):
        assert not rules.can_fetch("*", f"http://testserver{path}"), path
    assert rules.site_maps() == ["http://testserver/sitemap.xml"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_browser_learns_how_to_search_from_the_head_of_a_page(client: TestClient, lang: str) -> None:
    page = client.get(f"/{lang}/").text
    (address,) = re.findall(
        r'<link rel="search" type="application/opensearchdescription\+xml"[^>]*href="([^"]+)"', page
    )
    answer = client.get(address)
    assert answer.headers["content-type"].startswith("application/opensearchdescription+xml")
    root = ElementTree.fromstring(answer.content)
    assert root.tag == f"{SEARCH}OpenSearchDescription"
    assert 0 < len(root.findtext(f"{SEARCH}ShortName", "")) <= 16
    assert 0 < len(root.findtext(f"{SEARCH}Description", "")) <= 1024
    templates = {url.get("type", ""): url.get("template", "") for url in root.findall(f"{SEARCH}Url")}
    page = client.get(templates["text/html"].replace("{searchTerms}", "wandb")).text
    assert "verl/wandb-proxy" in page
    suggested = client.get(templates["application/x-suggestions+json"].replace("{searchTerms}", "wandb")).json()
    assert suggested[0] == "wandb"
    assert suggested[1]


@pytest.mark.parametrize("path", ["/", "/browse", "/changes", "/p/verl", "/e/verl/wandb-proxy"])
def test_every_page_names_its_twin_and_its_default(client: TestClient, path: str) -> None:
    page = client.get(f"/zh{path}").text
    others = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', page))
    assert others == {
        "zh-Hans": f"http://testserver/zh{path}",
        "en": f"http://testserver/en{path}",
        "x-default": f"http://testserver/en{path}",
    }


def test_every_page_leads_to_the_feed(client: TestClient) -> None:
    assert '<link rel="alternate" type="application/atom+xml"' in client.get("/en/e/verl/wandb-proxy").text
