"""Who wrote a text and who published it stands in the history, the feed and the API; publishing one's own is marked."""

import re

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from tests.people.members import client_of, enrol

SLUG = "verl/frozen-valve"


@pytest.fixture
def app(empty_client: TestClient) -> FastAPI:
    """The application on an empty guide."""
    found = empty_client.app
    assert isinstance(found, FastAPI)
    found.state.portal = empty_client.portal
    return found


def publish(writer: TestClient, reviewer: TestClient, number: int, **more: str) -> None:
    """Propose a text, and have a reviewer publish it."""
    entry = {
        "slug": SLUG,
        "updated": "2026-11-20",
        "en": {"title": "Valve", "body": f"## Fix\nWarm it {number} times."},
    }
    sent = writer.post("/api/v1/submissions", json={"entry": entry, **more})
    assert sent.status_code == 201, sent.text
    assert reviewer.post(f"/en/review/{number}/approve", data={"version": "1"}).status_code == 303


def credits_of(client: TestClient, address: str) -> list[str]:
    """Return the lines on a page that say who did what."""
    lines = re.findall(r'<p class="quiet">(.*?) · <time', client.get(address).text, re.DOTALL)
    return [line.rpartition("Errdex · ")[2].strip() for line in lines]


def test_history_feed_and_api_credit_who_wrote_and_who_published(app: FastAPI, engine: Engine) -> None:
    ann, bo = client_of(app, enrol(engine, "writer", "ann")), client_of(app, enrol(engine, "reviewer", "bo"))
    publish(ann, bo, 1)
    publish(client_of(app), bo, 2, submitter="ann")
    publish(bo, bo, 3)
    stranger = client_of(app)
    assert credits_of(stranger, f"/en/e/{SLUG}/history") == [
        "written and published by bo · without a second reviewer",
        # the name that a stranger types may be anybody's
        "bo",
        "written by ann, published by bo",
    ]
    assert credits_of(stranger, f"/zh/e/{SLUG}/history") == [
        "bo 撰写并发布 · 未经他人审核",
        "bo",
        "ann 撰写，bo 发布",
    ]
    assert "written by ann, published by bo" in stranger.get("/en/changes").text
    assert "written by ann, published by bo" in stranger.get(f"/en/e/{SLUG}/history/1").text
    items = stranger.get(f"/api/v1/entries/{SLUG}/revisions").json()["items"]
    assert [(item["author"], item["actor"], item["self_approved"]) for item in items] == [
        ("bo", "bo", True),
        ("", "bo", False),
        ("ann", "bo", False),
    ]
    assert "written and published by bo · without a second reviewer" in stranger.get(f"/en/e/{SLUG}").text
    feed = stranger.get("/en/changes.atom").text
    assert feed.count("<author><name>bo</name></author>") == 2
    assert feed.count("<author><name>ann</name></author><contributor><name>bo</name></contributor>") == 1


def test_a_reviewer_is_told_that_a_text_is_their_own(app: FastAPI, engine: Engine) -> None:
    bo, cy = (client_of(app, enrol(engine, "reviewer", name)) for name in ("bo", "cy"))
    entry = {"slug": SLUG, "updated": "2026-11-20", "en": {"title": "Valve", "body": "## Fix\nWarm it."}}
    bo.post("/api/v1/submissions", json={"entry": entry})
    assert "This is your own text." in bo.get("/en/review/1").text
    assert "This is your own text." not in cy.get("/en/review/1").text


def test_who_brings_an_earlier_text_back_is_not_credited_with_it(app: FastAPI, engine: Engine) -> None:
    ann, bo = client_of(app, enrol(engine, "writer", "ann")), client_of(app, enrol(engine, "reviewer", "bo"))
    publish(ann, bo, 1)
    publish(bo, bo, 2)
    assert bo.post(f"/en/e/{SLUG}/history/1/restore", data={"revision": "2"}).status_code == 303
    assert credits_of(bo, f"/en/e/{SLUG}/history")[0] == "written by ann, published by bo"
