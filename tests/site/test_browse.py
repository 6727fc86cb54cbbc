"""Browsing: what the guide holds by project, component and tag."""

import re

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.content.schema import EntryDocument
from app.store.session import writing
from app.wiki import publishing

SHELF = re.compile(r'<li><a href="(/(?:en|zh)/search\?[^"]+)">([^<]+)</a> <span class="count">([\d,]+)</span></li>')


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_shelf_leads_to_as_many_entries_as_it_says(client: TestClient, lang: str) -> None:
    shelves = SHELF.findall(client.get(f"/{lang}/browse").text)
    assert len(shelves) > 30
    for address, _, count in shelves[::7]:
        page = client.get(address.replace("&amp;", "&")).text
        (said,) = re.findall(r'id="found-said">\D*(\d+)', page)
        assert said == count, address


def test_names_are_in_the_language_of_the_page(client: TestClient) -> None:
    english, chinese = client.get("/en/browse").text, client.get("/zh/browse").text
    assert "out of memory" in english
    assert "显存不足（OOM）" in chinese
    assert "By component" in english
    assert "按组件" in chinese


def test_projects_come_in_the_order_of_their_file(client: TestClient) -> None:
    page = client.get("/en/browse").text
    assert page.index("project=rlinf") < page.index("project=verl") < page.index("project=roll")


def test_what_is_withdrawn_is_counted_no_more(empty_client: TestClient, engine: Engine) -> None:
    document = EntryDocument.model_validate(
        {"slug": "verl/valve", "updated": "2026-11-20", "tags": ["oom"], "en": {"title": "Valve", "body": ""}}
    )
    with writing(engine) as session:
        publishing.publish(session, document, actor="test")
    assert "tag=oom" in empty_client.get("/en/browse").text
    with writing(engine) as session:
        publishing.publish(session, document.model_copy(update={"status": "withdrawn"}), actor="test")
    assert "tag=oom" not in empty_client.get("/en/browse").text


def test_an_empty_guide_can_be_browsed(empty_client: TestClient) -> None:
    assert "0 entries" in empty_client.get("/en/browse").text


def test_every_page_leads_to_browsing(client: TestClient) -> None:
    assert 'href="/zh/browse"' in client.get("/zh/").text
