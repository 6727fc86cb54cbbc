"""A guide for members only: nothing of what it holds leaves it without a sign-in."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.content.schema import EntryDocument
from app.main import create_app
from app.people.accounts import Who
from app.store.session import writing
from app.wiki import feedback, proposals, publishing
from tests.people.members import client_of, crawl, enrol, guide_for

SLUGS = ("glasshouse/frozen-valve", "glasshouse/silent-pump")


def document(slug: str, **more: object) -> EntryDocument:
    """An entry that nothing else is like."""
    return EntryDocument.model_validate(
        {
            "slug": slug,
            "updated": "2026-11-20",
            "signatures": [{"pattern": "MarigoldError: the pump has no <*>"}],
            "examples": ["MarigoldError: the pump has no water"],
            "en": {"title": "Hibiscus is frozen", "body": "## Fix\nBring a watering can to the Marigold.\n"},
            "zh": {"title": "芙蓉冻住了", "body": "## 修复\n给万寿菊浇水。\n"},
        }
        | more
    )


@pytest.fixture
def closed(settings: Settings, engine: Engine) -> Iterator[tuple[FastAPI, dict[str, int], str]]:
    """A guide for members with entries, a queue and votes; its people and the link of an anonymous submitter."""
    people = {role: enrol(engine, role) for role in ("reader", "admin")}
    with writing(engine) as session:
        for slug in SLUGS:
            publishing.publish(session, document(slug), actor="gardener", note="watering can")
        feedback.say(session, SLUGS[0], "a", "outdated", note="The gardener moved.")
        row, token = proposals.submit(session, document("orchid/own-text", examples=[]), lang="en", submitter="ann")
        who = Who(1, "gardener", "reviewer")
        proposals.reject(session, row.id or 0, row.version, who, "The gardener knows better.")
    with guide_for(settings, ("members", "members")) as app:
        yield app, people, token


def test_a_submitters_earlier_link_shows_their_own_text_and_its_state_and_nothing_else(
    closed: tuple[FastAPI, dict[str, int], str],
) -> None:
    app, people, token = closed
    page = client_of(app).get(f"/en/s/{token}")
    assert page.status_code == 200
    assert "Hibiscus is frozen" in page.text
    assert "Not published" in page.text
    assert "gardener" not in page.text
    shown = client_of(app).get(f"/api/v1/submissions/{token}").json()
    assert (shown["state"], shown["reviews"]) == ("rejected", [])
    assert "The gardener knows better." in client_of(app, people["reader"]).get(f"/en/s/{token}").text


def test_a_page_leads_to_signing_in_and_back(closed: tuple[FastAPI, dict[str, int], str]) -> None:
    app, _, _ = closed
    stranger = client_of(app)
    answer = stranger.get(f"/zh/e/{SLUGS[0]}")
    assert answer.headers["location"] == "/zh/sign-in?next=%2Fzh%2Fe%2Fglasshouse%2Ffrozen-valve"
    assert "只对成员开放" in stranger.get("/zh/sign-in").text
    typed = {"name": "reader", "password": "correct horse battery", "next": f"/zh/e/{SLUGS[0]}"}
    assert stranger.post("/zh/sign-in", data=typed).headers["location"] == f"/zh/e/{SLUGS[0]}"
    assert "芙蓉冻住了" in stranger.get(f"/zh/e/{SLUGS[0]}").text


@pytest.mark.parametrize("address", ["/api/v1/entries", "/en/changes.atom", "/sitemap.xml", "/en/search/typing?q=x"])
def test_a_program_is_told_in_a_problem_document_how_to_sign_in(
    closed: tuple[FastAPI, dict[str, int], str], address: str
) -> None:
    answer = client_of(closed[0]).get(address)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["type"] == "/problems/sign-in-needed"


def test_no_cache_keeps_an_answer_for_others(closed: tuple[FastAPI, dict[str, int], str]) -> None:
    app, people, token = closed
    addresses = {*crawl(client_of(app, people["admin"])), f"/en/s/{token}", "/en/static/x", "/api/v1/entries"}
    for client in (client_of(app), client_of(app, people["admin"])):
        for address in addresses:
            kept = client.get(address).headers["cache-control"]
            assert kept == "private, no-cache" or "no-store" in kept, address


def test_the_mark_of_a_feed_stays(closed: tuple[FastAPI, dict[str, int], str]) -> None:
    app, people, _ = closed
    reader = client_of(app, people["reader"])
    first = reader.get("/en/changes.atom")
    again = reader.get("/en/changes.atom", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "private, no-cache")


def test_crawlers_are_kept_out_of_everything(closed: tuple[FastAPI, dict[str, int], str]) -> None:
    assert client_of(closed[0]).get("/robots.txt").text == "User-agent: *\nDisallow: /\n"


def test_a_reader_is_not_shown_ways_that_are_closed_to_them(closed: tuple[FastAPI, dict[str, int], str]) -> None:
    app, people, _ = closed
    reader, admin = client_of(app, people["reader"]), client_of(app, people["admin"])
    assert 'href="/en/submit"' not in reader.get("/en/").text
    assert 'href="/en/submit"' in admin.get("/en/").text
    assert "/edit" not in reader.get(f"/en/e/{SLUGS[0]}").text
    assert reader.get("/en/submit").status_code == 403


@pytest.mark.parametrize(("base", "told"), [("https://errdex.lan", '"cache"'), ("http://errdex.lan", None)])
def test_signing_out_over_https_has_the_browser_forget_what_it_showed(
    settings: Settings, engine: Engine, base: str, told: str | None
) -> None:
    app = create_app(settings.model_copy(update={"base_url": base}))
    with TestClient(app):
        answer = client_of(app, enrol(engine, "reader")).post("/en/sign-out")
    assert answer.headers.get("clear-site-data") == told


@pytest.mark.parametrize("reading", ["open", "members"])
def test_figures_need_their_token_once_it_is_set(settings: Settings, engine: Engine, reading: str) -> None:
    changed = {"reading": reading, "submitting": "members", "metrics_token": SecretStr("a-token-for-figures")}
    app = create_app(settings.model_copy(update=changed))
    with TestClient(app):
        for token, status in (("a-token-for-figures", 200), ("another", 401), ("", 401)):
            asked = client_of(app).get("/metrics", headers={"authorization": f"Bearer {token}"})
            assert asked.status_code == status
        assert client_of(app, enrol(engine, "admin")).get("/metrics").status_code == 200
        assert client_of(app, enrol(engine, "reviewer")).get("/metrics").status_code == 403


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_stranger_is_shown_no_way_that_only_members_can_go(
    closed: tuple[FastAPI, dict[str, int], str], lang: str
) -> None:
    app, people, _ = closed
    ways = [f'"/{lang}/{place}"' for place in ("changes", "wanted", "browse", "search")]
    shown = client_of(app).get(f"/{lang}/sign-in").text
    assert not [way for way in ways if way in shown]
    assert f'"/{lang}/sign-in"' in shown
    shown = client_of(app, people["reader"]).get(f"/{lang}/account").text
    assert [way for way in ways if way in shown] == ways
