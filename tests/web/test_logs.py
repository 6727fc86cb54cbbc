"""An operator reads the log; nobody finds in it what was asked."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from app.config import ROOT, Settings
from app.logs import described, json_lines
from app.store.engine import connect
from app.store.entry_tables import Entry
from app.store.session import writing
from app.web.access_log import AccessLog
from app.web.middleware import MOST_TOLD
from tests.conftest import NAME, PASSWORD
from tests.servers import ServerProcess

CANARY = "canary4711"
PASTE = f"RuntimeError: {CANARY} fell from its perch\n"
ENTRY = {
    "slug": "verl/bird",
    "updated": "2026-11-20",
    "en": {"title": f"Where is {CANARY}", "body": f"## Symptom\n\n{CANARY}\n\n## Cause\n\nAir.\n\n## Fix\n\nWater."},
}
FORM = {
    "slug": "verl/bird",
    "kind": "error",
    "title-en": CANARY,
    "symptom-en": CANARY,
    "submitter": CANARY,
    "note": CANARY,
}

Ask = Callable[[httpx2.Client], httpx2.Response]
ASKED: dict[str, Ask] = {
    "match, JSON": lambda client: client.post("/api/v1/match", json={"text": PASTE}),
    "match, text": lambda client: client.post(
        "/api/v1/match", content=PASTE, headers={"content-type": "text/plain"}, params={"lang": "en", "q": CANARY}
    ),
    "match, broken JSON": lambda client: client.post(
        "/api/v1/match", content='{"text": "' + CANARY, headers={"content-type": "application/json"}
    ),
    "match, wrong values": lambda client: client.post("/api/v1/match", json={"text": 1, CANARY: CANARY}),
    "match, form": lambda client: client.post("/en/match", data={"text": PASTE}),
    "match, a link": lambda client: client.get("/en/match", params={"s": f"1.{CANARY}"}),
    "feedback": lambda client: client.post(
        "/en/e/roll/torch-compile-cache-race/feedback",
        data={"vote": "outdated", "note": CANARY},
        headers={"cookie": f"errdex_voter={CANARY}"},
    ),
    "match, multipart": lambda client: client.post("/zh/match", files={"text": (None, PASTE)}),
    "draft": lambda client: client.post("/en/submit/draft", data={"text": PASTE}),
    "submit, form": lambda client: client.post("/en/submit", data=FORM),
    "submit, JSON": lambda client: client.post("/api/v1/submissions", json={"entry": ENTRY, "note": CANARY}),
    "submit, wrong": lambda client: client.post("/api/v1/submissions", json={"entry": ENTRY | {"slug": CANARY}}),
    "search, page": lambda client: client.get("/en/search", params={"q": CANARY}),
    "search, API": lambda client: client.get("/api/v1/search", params={"q": CANARY}),
    "sign in, wrong": lambda client: client.post("/en/sign-in", data={"name": CANARY, "password": CANARY}),
    "sign in": lambda client: client.post(
        "/en/sign-in", data={"name": NAME, "password": PASSWORD, "next": f"/{CANARY}"}
    ),
    "token": lambda client: client.get(f"/en/s/{CANARY}"),
    "cookie": lambda client: client.get("/en/review", headers={"cookie": f"errdex_session={CANARY}"}),
    "header": lambda client: client.get("/en/", headers={"x-request-id": f"{CANARY} {CANARY}", "referer": CANARY}),
    "authorization": lambda client: client.get("/en/", headers={"authorization": f"Bearer {CANARY}"}),
    "address": lambda client: client.get(f"/{CANARY}/{CANARY}"),
    "entry": lambda client: client.get(f"/api/v1/entries/verl/{CANARY}"),
    "static": lambda client: client.get(f"/static/{CANARY}.css"),
    "method": lambda client: client.request("PROPFIND", f"/en/?{CANARY}"),
}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_nothing_that_was_typed_is_in_the_log(start: Callable[..., ServerProcess], workers: str) -> None:
    """Through every door; the log has a line for each."""
    server = start(ERRDEX_WORKERS=workers, ERRDEX_LOG_LEVEL="debug")
    with server.client() as client:
        for name, ask in ASKED.items():
            assert ask(client).status_code != 500, name
        cookie = client.cookies["errdex_session"]
        # the server refuses it before there is a request
        assert client.request(CANARY.upper(), "/en/").status_code == 400
    log, lines = server.ended()
    requests = [line for line in lines if line["event"] == "request"]
    assert len(requests) == len(ASKED) + 1
    for secret in (CANARY, PASSWORD, cookie.lower(), "perch"):
        assert secret not in log.lower()
    assert {"time", "level", "event", "request_id", "route", "method", "status", "ms"} <= requests[0].keys()
    assert {"/api/v1/match", "/{lang}/s/{token}", "(no such route)", "/static"} <= {line["route"] for line in requests}


def test_a_database_that_breaks_quotes_nobody_in_the_log(
    start: Callable[..., ServerProcess], settings: Settings
) -> None:
    """A damaged row, and tables that are gone: the messages of those exceptions hold what was sent."""
    server = start()
    engine = connect(settings)
    with writing(engine) as session:
        for table in ("review", "suggested_name", "submission"):
            session.execute(text(f"DROP TABLE {table}"))
    with server.client() as client:
        broken = [client.post("/api/v1/submissions", json={"entry": ENTRY, "note": CANARY})]
        with writing(engine) as session:
            session.execute(update(Entry).values(features=f'{{"{CANARY}'))
        broken.append(client.post("/api/v1/match", json={"text": f"RuntimeError: CUDA error {CANARY}"}))
        broken.append(client.post("/en/match", data={"text": f"RuntimeError: CUDA error {CANARY}"}))
    engine.dispose()
    assert broken[0].status_code in (500, 503)
    assert [answer.status_code for answer in broken[1:]] == [500, 500]
    log, lines = server.ended()
    assert CANARY not in log
    failed = [line for line in lines if line["event"] in ("failed", "unavailable")]
    assert [line["request_id"] for line in failed] == [answer.headers["x-request-id"] for answer in broken]
    assert failed[1]["error"]["type"] == "json.decoder.JSONDecodeError"
    assert any(place.startswith("app/asking/question_service.py:") for place in failed[1]["error"]["at"])
    assert any(f'"code": "{code}"' in json.dumps(failed[0]) for code in ("SQLITE_ERROR", "42P01"))


def test_an_answer_carries_the_id_of_its_request(client: TestClient) -> None:
    """The caller's if it is a sane token, else a new one."""
    sane = ("0af7651916cd43dd8448eb211c80319c", "deploy-7:42_a.b", "x" * 64)
    odd = ("", "two words", "x" * 65, "näh", '"}{"level":"error')
    logged = TestClient(AccessLog(client.app))
    for given in (*sane, *odd):
        found = logged.get("/healthz", headers=[(b"x-request-id", given.encode())]).headers.get_list("x-request-id")
        assert len(found) == 1
        assert (found[0] == given) is (given in sane)
        assert 0 < len(found[0]) <= 64


def formatted(name: str, message: str, *args: object, error: Exception | None = None) -> dict[str, Any]:
    """A line of the standard library's logging, as it is written."""
    found = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord(name, logging.WARNING, str(ROOT / "app" / "x.py"), 7, message, args, found)
    line: dict[str, Any] = json.loads(json_lines().format(record))
    return line


def test_what_other_libraries_say_is_withheld_and_its_place_named() -> None:
    line = formatted("asyncio", "Exception in callback %s", CANARY, error=ValueError(CANARY))
    assert CANARY not in str(line)
    assert (line["logger"], line["at"], line["error"]["type"]) == ("asyncio", "app/x.py:7", "ValueError")


@pytest.mark.parametrize(
    ("message", "args", "told"),
    [
        ("Started server process [%d]", (17,), "Started server process [17]"),
        ("100 %", (), "100 %"),
        ("%d of %d", (1,), "%d of %d"),
        ("not written: %s", (ValueError(CANARY),), "not written: ValueError"),
        (
            "not written: %s",
            (OSError(28, "No space left on device"),),
            "not written: [Errno 28] No space left on device",
        ),
    ],
)
def test_what_the_server_says_is_written(message: str, args: tuple[object, ...], told: str) -> None:
    assert formatted("uvicorn.error", message, *args)["event"] == told


def test_an_exception_is_told_by_type_code_place_and_cause() -> None:
    try:
        try:
            raise FileNotFoundError(2, CANARY, CANARY)
        except OSError as error:
            raise OperationalError(CANARY, {"note": CANARY}, error) from error
    except OperationalError as error:
        found = described(error)
    assert CANARY not in str(found)
    assert found["type"] == "sqlalchemy.exc.OperationalError"
    assert (found["cause"]["type"], found["cause"]["code"]) == ("FileNotFoundError", "2")
    assert found["at"][0].startswith("tests/web/test_logs.py:")


def test_a_failure_in_a_thread_is_told_without_its_message() -> None:
    """And so is a warning; Python would print both."""
    program = f"""
import logging.config, threading, warnings
from app import logs
logging.config.dictConfig(logs.configuration("info"))
logs.begin("info")
def fail(): raise ValueError("{CANARY}")
thread = threading.Thread(target=fail); thread.start(); thread.join()
warnings.warn("{CANARY}")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert CANARY not in done.stderr
    first, second = (json.loads(line) for line in done.stderr.splitlines())
    assert (first["event"], first["error"]["type"]) == ("failed outside a request", "ValueError")
    assert second["logger"] == "py.warnings"


def test_a_refused_name_is_told_in_the_log_once_and_not_without_end(start: Callable[..., ServerProcess]) -> None:
    """What is no name is not written."""
    server = start(ERRDEX_HOSTS="", ERRDEX_LOG_LEVEL="warning")
    with server.client() as client:
        for number in range(MOST_TOLD + 20):
            client.get("/robots.txt", headers={"host": f"Evil-{number // 2}.example:{number + 1}"})
        for number in range(MOST_TOLD):
            client.get("/robots.txt", headers={"host": f"more-{number}.example"})
        client.get("/robots.txt", headers={"host": "<secret word>"})
    log, lines = server.ended()
    told = [line["host"] for line in lines if line["event"] == "host refused"]
    assert told[:2] == ["evil-0.example", "evil-1.example"]
    assert len(told) == len(set(told)) == MOST_TOLD
    assert sum("only counted" in line["event"] for line in lines) == 1
    assert "secret" not in log
    assert "ERRDEX_HOSTS" in json.dumps(lines)
