"""Keeping up with the guide over REST: what changed since, and what need not be sent again."""

import random
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api.schemas import ChangeList
from app.content.schema import EntryDocument
from app.store.session import writing
from app.wiki import publishing
from tests.api.test_api_door import READING

PUBLISHED = 500


class Follower:
    """Has a copy of the guide, by nothing but changes and entries."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self._seen = 0
        self.copy: dict[str, dict[str, Any]] = {}

    def catch_up(self) -> None:
        """Ask until there is no more."""
        more = True
        while more:
            answer = self._client.get("/api/v1/changes", params={"since": self._seen, "limit": 7})
            found = ChangeList.model_validate_json(answer.content, strict=False)
            for change in found.items:
                assert change.id > self._seen
                self._seen = change.id
                for slug in (change.slug, *change.former):
                    self._look_at(slug)
            more = found.next is not None

    def _look_at(self, slug: str) -> None:
        answer = self._client.get(f"/api/v1/entries/{slug}", follow_redirects=False)
        if answer.status_code == 200:
            self.copy[slug] = answer.json()
        else:
            assert answer.status_code in (404, 308)
            self.copy.pop(slug, None)


def entry(slug: str, text: str, **more: Any) -> EntryDocument:
    """An entry that says nothing but this text."""
    return EntryDocument.model_validate(
        {"slug": slug, "updated": "2026-11-20", "en": {"title": "A leak", "body": f"## Fix\n{text}"}} | more
    )


def test_a_follower_has_what_the_guide_has_after_any_publishing_renaming_and_withdrawing(
    empty_client: TestClient, engine: Engine
) -> None:
    draw = random.Random(20)
    follower = Follower(empty_client)
    there: dict[str, bool] = {}
    for number in range(PUBLISHED):
        old = draw.choice([*there, ""])
        what = draw.choice(["new", "change", "rename", "withdraw"]) if old else "new"
        slug = f"pump/n{number}" if what in ("new", "rename") else old
        status = "withdrawn" if what == "withdraw" else "published"
        former = [old] if what == "rename" else []
        with writing(engine) as session:
            if former:
                publishing.publish(session, entry(old, str(number), status="withdrawn"), actor="ada")
            publishing.publish(session, entry(slug, str(number), status=status, former=former), actor="ada")
        there |= {slug: status == "published"} | dict.fromkeys(former, False)
        if draw.random() < 0.2:
            follower.catch_up()
    follower.catch_up()
    listed: dict[str, dict[str, Any]] = {}
    cursor: dict[str, str] = {}
    while True:
        page = empty_client.get("/api/v1/entries", params=cursor).json()
        listed |= {item["slug"]: item for item in page["items"]}
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert {slug for slug, is_there in there.items() if is_there} == set(listed) == set(follower.copy)
    assert all(follower.copy[slug]["revision"] == item["revision"] for slug, item in listed.items())
    for slug, held in follower.copy.items():
        document = EntryDocument.model_validate({k: v for k, v in held.items() if k not in ("revision", "url")})
        assert document.digest() == listed[slug]["digest"]


@pytest.mark.parametrize("path", READING)
def test_what_has_not_changed_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(f"/api/v1/{path}")
    tag = first.headers["etag"]
    for held in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(f"/api/v1/{path}", headers={"if-none-match": held})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(f"/api/v1/{path}", headers={"if-none-match": '"other"'}).content == first.content
    assert client.head(f"/api/v1/{path}").headers["etag"] == tag


def test_another_text_has_another_tag(empty_client: TestClient, engine: Engine) -> None:
    tags: dict[str, set[str]] = {"entries": set(), "entries/pump/leak": set(), "changes": set()}
    for text in ("one", "two"):
        with writing(engine) as session:
            publishing.publish(session, entry("pump/leak", text), actor="ada")
        for path, seen in tags.items():
            seen.add(empty_client.get(f"/api/v1/{path}").headers["etag"])
    assert {len(seen) for seen in tags.values()} == {2}


def test_what_is_told_to_one_asker_only_has_no_tag(client: TestClient) -> None:
    assert "etag" not in client.post("/api/v1/match", json={"text": "KeyError: 1"}).headers
