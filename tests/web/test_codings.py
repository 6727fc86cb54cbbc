"""A body that is compressed is refused at every door: read as it is, it would be an error that nobody knows."""

import gzip
import re

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.store.engine import connect
from tests.conftest import add_person
from tests.site.pages import routes

PASTE = b"RuntimeError: CUDA error: an illegal memory access was encountered"
API = ("/api/v1/match", "/api/v1/submissions")
# sends no body
BODILESS = "/{lang}/sign-out"
FORMS = sorted(path for method, path in routes() if method == "POST" and path != BODILESS)
FILLED = {"lang": "zh", "number": "1", "project": "verl", "name": "wandb-proxy", "token": "x" * 32}
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "deflate", "br", "zstd", "gzip, identity"])
@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
def test_the_api_answers_415_and_names_what_it_accepts(client: TestClient, kind: str, coding: str) -> None:
    for path in API:
        headers = {"content-type": kind, "content-encoding": coding}
        answer = client.post(path, content=gzip.compress(PASTE), headers=headers)
        assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "identity")
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert problem["type"] == "urn:errdex:problem:unsupported-coding"
        assert coding.lower() in problem["detail"]
        assert "identity" in problem["detail"]


@pytest.fixture
def admin(client: TestClient, settings: Settings) -> TestClient:
    """The application with somebody signed in who may send every form."""
    engine = connect(settings)
    add_person(engine, "ada", "correct horse battery", "admin")
    engine.dispose()
    client.post("/en/sign-in", data={"name": "ada", "password": "correct horse battery"})
    return client


@pytest.mark.parametrize("path", FORMS)
def test_every_form_answers_415_in_words(admin: TestClient, path: str) -> None:
    headers = {"content-type": FORM, "content-encoding": "gzip"}
    answer = admin.post(re.sub(r"{(\w+)}", lambda m: FILLED[m[1]], path), content=gzip.compress(PASTE), headers=headers)
    assert answer.status_code == 415
    assert "不接受压缩过的内容" in answer.text


@pytest.mark.parametrize("coding", ["identity", "Identity", ""])
def test_a_body_that_is_sent_as_it_is_may_say_so(client: TestClient, coding: str) -> None:
    headers = {"content-type": "text/plain", "content-encoding": coding}
    answer = client.post("/api/v1/match", content=PASTE, headers=headers)
    assert answer.status_code == 200
    assert answer.json()["report"]["errors"][0]["message"] == PASTE.decode()
