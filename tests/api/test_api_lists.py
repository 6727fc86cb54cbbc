"""What the guide is about, over REST: projects, components, tags, signatures, families, and what is wanted."""

from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api.list_schemas import FacetList, FamilyList, SignatureList, WantedList
from app.content.families import families
from app.content.schema import EntryDocument
from app.store.session import writing
from app.wiki import publishing
from tests.api.test_api_paging import SHIPPED
from tests.askers import ask, release
from tests.conftest import sign_in

LISTS = ["projects", "components", "tags", "signatures", "families", "wanted"]
KEYS: dict[str, Any] = {
    "projects": lambda one: [one.project],
    "components": lambda one: one.components,
    "tags": lambda one: one.tags,
}


@pytest.mark.parametrize("path", KEYS)
def test_what_entries_are_about_is_listed_with_names_and_numbers(client: TestClient, path: str) -> None:
    expected: dict[str, int] = {}
    for one in SHIPPED:
        for key in set(KEYS[path](one)):
            expected[key] = expected.get(key, 0) + 1
    found: dict[str, int] = {}
    cursor: dict[str, Any] = {}
    while True:
        answer = client.get(f"/api/v1/{path}", params={"limit": 7, "lang": "zh", **cursor})
        page = FacetList.model_validate_json(answer.content, strict=True)
        found |= {item.key: item.entries for item in page.items}
        if page.next is None:
            break
        cursor = {"cursor": page.next}
    assert list(found.items()) == sorted(expected.items())


def test_names_are_in_the_language_asked_for(client: TestClient) -> None:
    names = {
        lang: {item["key"]: item["name"] for item in client.get(f"/api/v1/tags?lang={lang}").json()["items"]}
        for lang in ("en", "zh")
    }
    assert names["en"]["install"] != names["zh"]["install"]


def test_signatures_are_those_of_the_entries(client: TestClient) -> None:
    found: dict[str, list[dict[str, Any]]] = {}
    cursor: dict[str, Any] = {}
    while True:
        answer = client.get("/api/v1/signatures", params={"limit": 100, "project": "verl", **cursor})
        page = SignatureList.model_validate_json(answer.content)
        found |= {item["slug"]: item["signatures"] for item in answer.json()["items"]}
        if page.next is None:
            break
        cursor = {"cursor": page.next}
    assert found == {one.slug: one.plain().get("signatures", []) for one in SHIPPED if one.project == "verl"}


def test_families_have_their_published_members(client: TestClient) -> None:
    page = FamilyList.model_validate_json(client.get("/api/v1/families?lang=zh").content)
    assert [(one.key, one.question) for one in page.items] == [(one.key, one.question["zh"]) for one in families()]
    assert {member.slug for one in page.items for member in one.members} <= {one.slug for one in SHIPPED}


def test_of_a_family_nobody_is_told_what_is_not_published(empty_client: TestClient, engine: Engine) -> None:
    assert empty_client.get("/api/v1/families").json()["items"] == []
    slug = next(iter(families()[0].look))
    document = EntryDocument.model_validate({"slug": slug, "updated": "2026-11-20", "en": {"title": "x", "body": "y"}})
    with writing(engine) as session:
        publishing.publish(session, document, actor="ada")
    items = empty_client.get("/api/v1/families").json()["items"]
    assert [[member["slug"] for member in one["members"]] for one in items] == [[slug]]


def test_what_is_wanted_comes_page_by_page_to_everybody_and_more_of_it_to_reviewers(
    empty_client: TestClient, engine: Engine
) -> None:
    patterns = [f"RuntimeError: the tensor of the {word} has no gradient" for word in ("model", "loss", "cache")]
    for number, pattern in enumerate(patterns):
        ask(engine, pattern, times=3 + number)
    assert empty_client.get("/api/v1/wanted").json() == {"items": [], "next": None}
    for pattern in patterns[1:]:
        release(engine, pattern)

    def listed(client: TestClient) -> list[tuple[str, int, bool]]:
        seen: list[tuple[str, int, bool]] = []
        cursor: dict[str, Any] = {}
        while True:
            answer = client.get("/api/v1/wanted", params={"limit": 1} | cursor)
            assert answer.headers["cache-control"] == "private, no-cache"
            page = WantedList.model_validate_json(answer.content)
            seen += [(item.pattern, item.asked, item.released) for item in page.items]
            if page.next is None:
                return seen
            cursor = {"cursor": page.next}

    assert listed(empty_client) == [(patterns[2], 5, True), (patterns[1], 4, True)]
    assert listed(sign_in(empty_client)) == [(patterns[2], 5, True), (patterns[1], 4, True), (patterns[0], 3, False)]


@pytest.mark.parametrize("path", [one for one in LISTS if one != "families"])
def test_a_cursor_of_another_list_is_refused(client: TestClient, path: str) -> None:
    other = client.get("/api/v1/entries?limit=1").json()["next"]
    said = client.get(f"/api/v1/{path}?cursor={other}")
    assert (said.status_code, said.json()["type"]) == (404, "/problems/unknown-cursor")


def test_the_index_leads_to_every_list(client: TestClient) -> None:
    index = client.get("/api/v1/").json()
    assert all(client.get(index[path]).status_code == 200 for path in LISTS)
