"""One text is rendered once, and by few at a time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from fastapi import Request
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from app.web.markdown_cache import Rendered
from app.web.render_places import Places
from tests.site.test_submit import NEW, submit

HOSTILE = [f"```{language}\n" + "\n " * 9_000 + "x\n```" for language in ("autohotkey", "python", "pytb")]


@pytest.mark.parametrize("fix", [*HOSTILE, "- " * 9 + "a\n", "[" * 20_000, "`" + "x" * 20_000])
def test_a_proposal_that_would_take_long_has_its_page_with_all_of_its_text(client: TestClient, fix: str) -> None:
    link = submit(client, NEW | {"fix": fix})
    page = client.get(link)
    assert page.status_code == 200
    assert page.text.count(fix.strip("`- \n").split("\n")[-1][:200]) >= 1


def test_who_asks_while_a_text_is_being_made_gets_the_same_and_it_is_made_once() -> None:
    kept, begun, go_on, calls = Rendered[str](10_000), Event(), Event(), list[str]()

    def make() -> str:
        calls.append("made")
        begun.set()
        assert go_on.wait(10)
        return "html"

    with ThreadPoolExecutor(5) as threads:
        asked = [threads.submit(kept.get, ("text",), make) for _ in range(5)]
        assert begun.wait(10)
        go_on.set()
        assert {one.result() for one in asked} == {"html"}
    assert kept.get(("text",), make) == "html"
    assert calls == ["made"]


def test_what_failed_is_tried_again() -> None:
    kept = Rendered[str](10_000)

    def fail() -> str:
        raise ValueError

    with pytest.raises(ValueError):
        kept.get(("text",), fail)
    assert kept.get(("text",), lambda: "html") == "html"


def test_old_texts_make_room_for_new_ones() -> None:
    kept = Rendered[str](10_000)
    for number in range(20):
        kept.get((str(number),), lambda: "x" * 1000)
    assert kept.get(("19",), lambda: "again") == "x" * 1000
    assert kept.get(("0",), lambda: "again") == "again"
    assert kept.get(("a", "b"), lambda: "two") != kept.get(("ab",), lambda: "one")


def request(*, gone: bool) -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"} if gone else await asyncio.Future()

    return Request({"type": "http", "headers": []}, receive)


def test_a_place_goes_to_who_has_waited_longest_and_not_to_a_client_that_is_gone() -> None:
    async def scene() -> None:
        places, order = Places(1), list[str]()

        async def wait(name: str, *, gone: bool = False) -> None:
            await places.take(request(gone=gone))
            order.append(name)
            places.give_back()

        await places.take(request(gone=False))
        waiting = [asyncio.create_task(wait("first")), asyncio.create_task(wait("gone", gone=True))]
        waiting.append(asyncio.create_task(wait("second")))
        with pytest.raises(ClientDisconnect):
            await waiting[1]
        assert order == []
        places.give_back()
        await asyncio.gather(waiting[0], waiting[2])
        assert order == ["first", "second"]
        # the place is there again
        await places.take(request(gone=True))

    asyncio.run(scene())
