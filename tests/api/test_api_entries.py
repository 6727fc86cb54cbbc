"""Reading entries and their revisions over REST."""

from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api import schemas
from app.config import ROOT, Settings
from app.content import bundle
from app.content.schema import EntryDocument, Text
from app.main import create_app
from app.store.session import writing
from app.wiki import publishing

SLUGS = sorted(slug for slug, _ in bundle.folders(ROOT / "content"))


def entry(slug: str = "verl/moved", **values: object) -> EntryDocument:
    """A small entry in English."""
    plain = {"slug": slug, "updated": date(2026, 11, 20), "en": Text(title="Title", body="## Fix\n\nDo it.")}
    return EntryDocument.model_validate(plain | values)


@pytest.fixture
def revised(settings: Settings, engine: Engine) -> Iterator[TestClient]:
    """The application on an entry of three revisions that was renamed once, and one that was withdrawn."""
    with writing(engine) as session:
        for number in (1, 2, 3):
            title = Text(title=f"Title {number}", body="")
            document = entry(en=title, former=["verl/old"])
            publishing.publish(session, document, actor="rita", note=f"note {number}")
        publishing.publish(session, entry("verl/gone", status="withdrawn"), actor="rita")
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def test_every_entry_is_listed_once_page_by_page(client: TestClient) -> None:
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        found = client.get("/api/v1/entries", params={"limit": 25} | ({"cursor": cursor} if cursor else {}))
        page = schemas.EntryList.model_validate_json(found.content, strict=True)
        assert 0 < len(page.items) <= 25
        seen += [item.slug for item in page.items]
        cursor = page.next
    assert seen == SLUGS


def test_a_list_can_be_of_one_project_and_in_chinese(client: TestClient) -> None:
    items = client.get("/api/v1/entries", params={"project": "verl", "lang": "zh", "limit": 200}).json()["items"]
    assert [item["slug"] for item in items] == [slug for slug in SLUGS if slug.startswith("verl/")]
    assert {item["project"] for item in items} == {"verl"}
    assert all(item["lang"] == "zh" and "/zh/e/" in item["url"] for item in items)


def test_a_project_without_entries_has_an_empty_list(client: TestClient) -> None:
    assert client.get("/api/v1/entries?project=nobody").json() == {"items": [], "next": None}


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "cursor=x/y", "cursor=%00/a", "project=A", "project=", "lang=fr"]
)
def test_a_list_that_cannot_be_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/api/v1/entries?{query}").status_code == 422


def test_an_entry_is_given_in_the_shape_of_its_schema(client: TestClient) -> None:
    for slug in SLUGS[::10]:
        found = client.get(f"/api/v1/entries/{slug}?lang=zh").json()
        assert (found.pop("revision"), found.pop("url")) == (1, f"http://testserver/zh/e/{slug}")
        assert EntryDocument.model_validate(found) == bundle.read(ROOT / "content" / slug, slug)


def test_a_title_falls_back_to_the_other_language_and_says_so(revised: TestClient) -> None:
    item = revised.get("/api/v1/entries?lang=zh").json()["items"][0]
    assert (item["slug"], item["title"], item["lang"]) == ("verl/moved", "Title 3", "en")


@pytest.mark.parametrize(
    "path", ["verl/none", "verl/gone", "VERL/x", "verl/%00", "verl/a%20b", f"verl/{'a' * 81}", "none/none/revisions"]
)
def test_what_is_not_published_is_not_found(revised: TestClient, path: str) -> None:
    assert revised.get(f"/api/v1/entries/{path}").status_code == 404


@pytest.mark.parametrize("below", ["", "?lang=zh", "/revisions?limit=2", "/revisions/2"])
def test_an_earlier_slug_leads_to_the_present_one(revised: TestClient, below: str) -> None:
    found = revised.get(f"/api/v1/entries/verl/old{below}", follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (308, f"/api/v1/entries/verl/moved{below}")
    assert revised.get(f"/api/v1/entries/verl/old{below}").status_code == 200


def test_revisions_are_listed_newest_first_page_by_page(revised: TestClient) -> None:
    found = revised.get("/api/v1/entries/verl/moved/revisions?limit=2")
    first = schemas.RevisionList.model_validate_json(found.content)
    rest = revised.get("/api/v1/entries/verl/moved/revisions", params={"cursor": first.next}).json()
    assert [(item.number, item.actor, item.note) for item in first.items] == [
        (3, "rita", "note 3"),
        (2, "rita", "note 2"),
    ]
    assert [item["number"] for item in rest["items"]] == [1]
    assert rest["next"] is None


def test_a_revision_is_given_as_it_was(revised: TestClient) -> None:
    found = revised.get("/api/v1/entries/verl/moved/revisions/2")
    schemas.RevisionShown.model_validate_json(found.content)
    assert found.json()["entry"]["en"]["title"] == "Title 2"
    assert revised.get("/api/v1/entries/verl/moved/revisions/4").status_code == 404


@pytest.mark.parametrize("number", ["0", "-1", "x", "99999999999999999999"])
def test_a_revision_number_that_cannot_be_is_refused(revised: TestClient, number: str) -> None:
    assert revised.get(f"/api/v1/entries/verl/moved/revisions/{number}").status_code == 422
