"""What changed: every revision of every entry, newest first."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from sqlalchemy import Engine, update
from sqlmodel import col
from starlette.testclient import TestClient

from app.content.schema import EntryDocument
from app.store.entry_tables import Revision
from app.store.session import writing
from app.wiki import publishing

WHAT = re.compile(r'<span class="chip what-(\w+)">')
DIFFERENCE = re.compile(r'<a class="difference" href="([^"]+)">')


def document(title: str, **more: object) -> EntryDocument:
    return EntryDocument.model_validate(
        {"slug": "verl/valve", "updated": "2026-11-20", "en": {"title": title, "body": "Text."}} | more
    )


def publish(engine: Engine, *documents: EntryDocument, note: str = "") -> None:
    for one in documents:
        with writing(engine) as session:
            publishing.publish(session, one, actor="rita", note=note)


def test_a_change_says_what_it_did_by_whom_and_why(empty_client: TestClient, engine: Engine) -> None:
    first = document("Frozen valve")
    publish(engine, first)
    publish(engine, document("Valve that froze"), note="Clearer <title>")
    publish(engine, first)
    page = empty_client.get("/en/changes").text
    assert WHAT.findall(page) == ["restored", "changed", "new"]
    assert "rita" in page
    assert "Clearer &lt;title&gt;" in page
    assert "Valve that froze" in page


def test_what_was_withdrawn_and_came_back_says_so(empty_client: TestClient, engine: Engine) -> None:
    gone = document("Frozen valve", status="withdrawn")
    publish(engine, document("Frozen valve"), gone, document("Another valve"))
    assert WHAT.findall(empty_client.get("/en/changes").text) == ["restored", "withdrawn", "new"]


def test_of_an_entry_that_is_withdrawn_today_only_the_slug_is_told(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, document("Frozen valve of Rosa"), document("Frozen valve of Rosa", status="withdrawn"))
    page = empty_client.get("/en/changes").text
    assert "Rosa" not in page
    assert "verl/valve" in page
    assert DIFFERENCE.findall(page) == []
    assert "Rosa" not in empty_client.get("/en/changes.atom").text


def test_each_change_leads_to_what_is_different(client: TestClient) -> None:
    links = DIFFERENCE.findall(client.get("/zh/changes").text)
    assert len(links) == 50
    assert all(client.get(link).status_code == 200 for link in links[::10])


def pages(client: TestClient) -> Iterator[str]:
    address = "/en/changes"
    while address:
        page = client.get(address).text
        yield page
        following = re.findall(r'href="([^"]+)" rel="next"', page)
        address = following[0] if following else ""


def test_pages_show_every_change_once(client: TestClient) -> None:
    links = [link for page in pages(client) for link in DIFFERENCE.findall(page)]
    assert len(links) > 100
    assert len(set(links)) == len(links)


def test_changes_stand_under_their_day(empty_client: TestClient, engine: Engine) -> None:
    publish(engine, document("Frozen valve"), document("Valve that froze"))
    with writing(engine) as session:
        earlier = datetime(2026, 1, 31, 12, tzinfo=UTC)
        session.execute(update(Revision).where(col(Revision.number) == 1).values(at=earlier))
    page = empty_client.get("/en/changes").text
    assert page.count("<h2 id=") == 2
    assert "31 January 2026" in page


def test_a_guide_without_changes_says_so(empty_client: TestClient) -> None:
    assert "Nothing has changed yet" in empty_client.get("/en/changes").text
    assert empty_client.get("/en/changes?before=nonsense").status_code == 200
