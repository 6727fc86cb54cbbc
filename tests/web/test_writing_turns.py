"""Somebody else holds the database's lock for writing: those who read notice nothing, those who write lose nothing."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx2
from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from sqlalchemy import create_engine, text

from app.api.body import received
from app.config import Settings
from app.main import create_app
from app.site.frame.forms import read_fields
from app.web.dependencies import _turn
from tests.servers import Server, figures, total
from tests.site.test_submit import NEW

MANY = 50
PAGES = (
    "/en/",
    "/zh/browse",
    "/en/search?q=cuda",
    "/en/e/verl/wandb-proxy",
    "/api/v1/entries",
    "/readyz",
    "/en/submit",
)


@contextmanager
def locked(settings: Settings) -> Iterator[None]:
    """Another program is writing and does not come to an end."""
    if settings.url.get_backend_name() == "sqlite":
        other = sqlite3.connect(str(settings.url.database), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.close()
        return
    engine = create_engine(settings.url)
    with engine.begin() as connection:
        connection.execute(text("LOCK TABLE submission IN SHARE ROW EXCLUSIVE MODE"))
        yield
    engine.dispose()


def submit(client: httpx2.Client, number: int) -> httpx2.Response:
    """Send the form; each with a title of its own."""
    return client.post("/en/submit", data=NEW | {"title": f"GreenhouseValveError number {number}"})


@contextmanager
def submitting(server: Server, number: int) -> Iterator[list[Future[httpx2.Response]]]:
    """So many people who send a form at once."""
    with server.client() as client, ThreadPoolExecutor(number) as pool:
        yield [pool.submit(submit, client, one) for one in range(number)]


def test_pages_are_served_while_many_writers_wait_and_the_writers_are_served_afterwards(
    serve: Callable[..., Server], settings: Settings
) -> None:
    server = serve(request_seconds=120)
    with server.client() as client, ExitStack() as lock:
        lock.enter_context(locked(settings))
        with submitting(server, MANY) as sent:
            while total(figures(client), "errdex_requests_running") < MANY + 1:
                assert not any(one.done() for one in sent)
            for page in PAGES:
                assert client.get(page).status_code == 200
            assert client.post("/api/v1/match", json={"text": "RuntimeError: CUDA error"}).status_code == 200
            # they waited all the time, so whoever read did so beside them
            assert not any(one.done() for one in sent)
            lock.close()
            assert {one.result().status_code for one in sent} == {303}


def test_who_waited_in_vain_is_told_to_try_again_and_keeps_what_was_typed(
    serve: Callable[..., Server], settings: Settings
) -> None:
    server = serve(request_seconds=1)
    with locked(settings), submitting(server, 12) as sent:
        for one in sent:
            answer = one.result()
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert "The valve does not move." in answer.text
    # none of them was written, and the turns are free again
    with server.client() as client:
        assert submit(client, 1).status_code == 303
        assert total(figures(client), "errdex_submissions_waiting") == 1


def order(dependant: Dependant) -> Iterator[object]:
    """What a route depends on, in the order in which it is called."""
    for one in dependant.dependencies:
        yield from order(one)
        yield one.call


def routes(of: Iterable[object]) -> Iterator[APIRoute]:
    """The routes of an application, however they were included."""
    for one in of:
        if isinstance(one, APIRoute):
            yield one
        elif isinstance(router := getattr(one, "original_router", None), APIRouter):
            yield from routes(router.routes)


def test_a_route_reads_its_body_before_it_takes_a_turn(settings: Settings) -> None:
    """Else a caller who sends slowly would keep others from writing."""
    writing = {route.path: list(order(route.dependant)) for route in routes(create_app(settings).routes)}
    writing = {path: called for path, called in writing.items() if _turn in called and path != "/{lang}/sign-out"}
    assert {"/submissions", "/{lang}/submit", "/{lang}/review/{number}/approve"} <= set(writing)
    for path, called in writing.items():
        bodies = [called.index(read) for read in (received, read_fields) if read in called]
        assert bodies, path
        assert max(bodies) < called.index(_turn), path
