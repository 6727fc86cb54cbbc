"""Lists and search over REST: narrowed down, and page by page while others publish."""

import base64
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, update
from sqlmodel import col
from starlette.testclient import TestClient

from app.api.schemas import EntryList, MatchList
from app.config import ROOT
from app.content import bundle
from app.content.schema import EntryDocument
from app.store.entry_tables import Entry
from app.store.session import writing
from app.wiki import publishing

SHIPPED = [bundle.read(ROOT / "content" / slug, slug) for slug, _ in bundle.folders(ROOT / "content")]
FACETS: list[tuple[dict[str, Any], Any]] = [
    ({"project": "verl"}, lambda one: one.project == "verl"),
    ({"kind": "question"}, lambda one: one.kind == "question"),
    ({"component": "vllm"}, lambda one: "vllm" in one.components),
    ({"tag": "install"}, lambda one: "install" in one.tags),
    ({"component": ["nccl", "ray"]}, lambda one: {"nccl", "ray"} <= set(one.components)),
    ({"project": "verl", "component": "vllm", "kind": "error"}, lambda one: False),
]


def publish(engine: Engine, slug: str, **more: Any) -> None:
    """Publish an entry that is found by the word gasket."""
    plain = {"slug": slug, "updated": "2026-11-20", "en": {"title": f"A gasket leaks at {slug}", "body": "## Fix\nx"}}
    with writing(engine) as session:
        publishing.publish(session, EntryDocument.model_validate(plain | more), actor="ada")


def all_pages(client: TestClient, path: str, **params: Any) -> list[str]:
    """Return the slugs of every page of a list."""
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = client.get(f"/api/v1/{path}", params=params | cursor)
        assert page.status_code == 200, page.text
        seen += [item["slug"] for item in page.json()["items"]]
        if page.json()["next"] is None:
            return seen
        cursor = {"cursor": page.json()["next"]}


@pytest.mark.parametrize(("params", "fits"), FACETS[:-1], ids=lambda one: str(one) if isinstance(one, dict) else "")
def test_entries_are_narrowed_to_what_they_are_about(client: TestClient, params: dict[str, Any], fits: Any) -> None:
    expected = sorted(one.slug for one in SHIPPED if fits(one))
    assert expected
    assert all_pages(client, "entries", limit=40, **params) == expected


def test_filters_hold_together(client: TestClient) -> None:
    both = {"project": "verl", "component": "vllm", "kind": "error"}
    expected = sorted(
        one.slug for one in SHIPPED if one.project == "verl" and "vllm" in one.components and one.kind == "error"
    )
    assert all_pages(client, "entries", **both) == expected
    assert set(all_pages(client, "search", q="cuda memory error", limit=5, **both)) <= set(expected)


@pytest.mark.parametrize(("params", "fits"), FACETS[:-1], ids=lambda one: str(one) if isinstance(one, dict) else "")
def test_a_search_is_narrowed_in_the_same_way(client: TestClient, params: dict[str, Any], fits: Any) -> None:
    about = {one.slug for one in SHIPPED if fits(one)}
    whole, narrow = (all_pages(client, "search", q="install error", limit=50, **more) for more in ({}, params))
    assert set(narrow) <= about
    assert set(whole) & about <= set(narrow)


def test_what_changed_since_a_moment_is_listed_and_found(empty_client: TestClient, engine: Engine) -> None:
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    for number, at in enumerate((noon - timedelta(days=1), noon, noon + timedelta(hours=1))):
        publish(engine, f"pump/n{number}")
        with writing(engine) as session:
            session.execute(update(Entry).where(col(Entry.slug) == f"pump/n{number}").values(changed=at))
    asked = {
        "2026-11-19": 3,
        "2026-11-20": 2,
        "2026-11-20T12:00:00Z": 2,
        "2026-11-20T20:00:01+08:00": 1,
        "2026-11-21": 0,
        "0001-01-01T00:00:00+23:59": 3,
    }
    for since, number in asked.items():
        for path, more in (("entries", {}), ("search", {"q": "gasket"})):
            assert len(all_pages(empty_client, path, changed_since=since, **more)) == number, since


@pytest.mark.parametrize(
    "query",
    [
        "kind=bug",
        "component=A",
        "tag=",
        "&".join(f"tag=a{number}" for number in range(9)),
        "changed_since=soon",
        "changed_since=1700000000",
        "changed_since=2026-13-01",
        "changed_since=2026-11-20T08:00",
    ],
)
def test_a_filter_that_cannot_be_is_refused(client: TestClient, query: str) -> None:
    for path in ("entries?", "search?q=x&"):
        assert client.get(f"/api/v1/{path}{query}").status_code == 422


def test_entries_come_once_each_while_others_publish(empty_client: TestClient, engine: Engine) -> None:
    """What was there all the time comes once; what came or went may come or not, and never twice."""
    staying = [f"pump/s{number}" for number in range(20)]
    for path, more in (("entries", {}), ("search", {"q": "gasket"})):
        for slug in (*staying, f"pump/{path}-going"):
            publish(engine, slug)
        seen: list[str] = []
        cursor: dict[str, str] = {}
        for turn in range(100):
            answer = empty_client.get(f"/api/v1/{path}", params={"limit": 3, **more, **cursor})
            shape = EntryList if path == "entries" else MatchList
            page = shape.model_validate_json(answer.content)
            seen += [item.slug for item in page.items]
            if page.next is None:
                break
            cursor = {"cursor": page.next}
            # one that stands before what was seen, one after, a changed one, and the last that was seen goes
            publish(engine, f"pump/a{path}{turn}")
            publish(engine, f"pump/z{path}{turn}" if turn < 5 else f"pump/z{path}0")
            publish(engine, staying[turn % 20], tags=["install", f"t{turn}"])
            if seen[-1] not in staying:
                publish(engine, seen[-1], status="withdrawn")
        assert len(seen) == len(set(seen))
        assert set(staying) <= set(seen)


def test_a_cursor_of_something_else_is_refused_with_a_problem(client: TestClient) -> None:
    entries, search = (
        client.get(f"/api/v1/{path}").json()["next"] for path in ("entries?limit=1", "search?q=cuda&limit=1")
    )
    wrong = [
        ("entries", search),
        ("entries?project=verl", entries),
        ("entries", entries[:-2]),
        ("entries", "A" * 40),
        ("entries", "A"),
        ("search?q=cuda", entries),
        ("search?q=memory", search),
        ("search?q=cuda&tag=install", search),
        ("search?q=cuda", base64.urlsafe_b64encode(b"[[[[1]]]]").decode().rstrip("=")),
    ]
    for path, cursor in wrong:
        sign = "&" if "?" in path else "?"
        said = client.get(f"/api/v1/{path}{sign}cursor={cursor}", headers={"accept-language": "en"})
        assert (said.status_code, said.json()["type"]) == (404, "/problems/unknown-cursor")
        assert "begin at the start" in said.json()["detail"]
    for cursor in ("", "verl/x", "%00", "a" * 20_000):
        assert client.get(f"/api/v1/entries?cursor={cursor}").status_code == 422
