"""Bodies that are compressed: gzip and deflate are read within the same limits, everything else is refused."""

import gzip
import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.config import Settings
from app.errors import MalformedBody, TooLarge
from app.store.engine import connect
from app.web.content_coding import Decoder
from tests.conftest import add_person
from tests.site.pages import routes

PASTE = b"RuntimeError: CUDA error: an illegal memory access was encountered"
API = ("/api/v1/match", "/api/v1/submissions")
# sends no body
BODILESS = "/{lang}/sign-out"
FORMS = sorted(path for method, path in routes() if method == "POST" and path != BODILESS)
FILLED = {"lang": "zh", "number": "1", "project": "verl", "name": "wandb-proxy", "token": "x" * 32, "kind": "tags"}
FORM = "application/x-www-form-urlencoded"
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
CODED = {
    "gzip": gzip.compress(PASTE),
    "x-gzip": gzip.compress(PASTE),
    "GZIP": gzip.compress(PASTE[:20]) + gzip.compress(PASTE[20:]),
    "deflate": zlib.compress(PASTE),
    "Deflate": RAW.compress(PASTE) + RAW.flush(),
    "identity": PASTE,
    "Identity": PASTE,
    "": PASTE,
}


@pytest.mark.parametrize("coding", CODED)
def test_what_is_compressed_is_answered_as_what_it_holds(client: TestClient, coding: str) -> None:
    headers = {"content-type": "text/plain", "content-encoding": coding}
    answer = client.post("/api/v1/match", content=CODED[coding], headers=headers)
    assert answer.status_code == 200
    assert answer.json()["report"]["errors"][0]["message"] == PASTE.decode()


def test_a_form_may_be_compressed_too(client: TestClient) -> None:
    headers = {"content-type": FORM, "content-encoding": "gzip"}
    page = client.post("/en/match", content=gzip.compress(b"text=" + PASTE.replace(b" ", b"+")), headers=headers)
    assert page.status_code == 200
    assert "illegal memory access" in page.text


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, identity", "gzip, gzip"])
@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
def test_the_api_answers_415_and_names_what_it_accepts(client: TestClient, kind: str, coding: str) -> None:
    for path in API:
        headers = {"content-type": kind, "content-encoding": coding}
        answer = client.post(path, content=gzip.compress(PASTE), headers=headers)
        assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "gzip, deflate, identity")
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert problem["type"] == "/problems/unsupported-coding"
        assert coding.lower() in problem["detail"]
        assert "gzip" in problem["detail"]


BROKEN = {
    "not compressed": ("gzip", PASTE),
    "cut short": ("gzip", gzip.compress(PASTE)[:-5]),
    "something behind it": ("gzip", gzip.compress(PASTE) + b"more"),
    "wrong check sum": ("gzip", gzip.compress(PASTE)[:-8] + b"\0" * 8),
    "deflate with something behind it": ("deflate", zlib.compress(PASTE) + b"more"),
    "gzip under the name of deflate": ("deflate", gzip.compress(PASTE)),
    "members without end": ("gzip", gzip.compress(b"") * 1001),
}


@pytest.mark.parametrize(("coding", "body"), BROKEN.values(), ids=list(BROKEN))
def test_what_is_not_whole_is_told(client: TestClient, coding: str, body: bytes) -> None:
    headers = {"content-type": "text/plain", "content-encoding": coding}
    answer = client.post("/api/v1/match", content=body, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/malformed-body")
    assert coding in answer.json()["detail"]


@pytest.mark.parametrize("path", API)
def test_a_small_body_that_holds_a_large_text_is_413(client: TestClient, path: str) -> None:
    bomb = gzip.compress(b"a" * 200_000_000, 9)
    assert len(bomb) < 250_000
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    assert client.post(path, content=bomb, headers=headers).status_code == 413


@given(
    st.lists(st.binary(max_size=200), max_size=4), st.integers(1, 50), st.sampled_from(["gzip", "deflate"]), st.data()
)
def test_pieces_of_any_size_give_the_text_or_too_large(
    parts: list[bytes], size: int, coding: str, data: st.DataObject
) -> None:
    text = b"".join(parts)
    body = b"".join(map(gzip.compress, parts)) if coding == "gzip" else zlib.compress(text)
    pieces = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
    most = data.draw(st.integers(0, 900))
    decoder = Decoder(coding, most, most)
    if len(text) > most:
        with pytest.raises(TooLarge):
            decoded(decoder, pieces)
    else:
        assert decoded(decoder, pieces) == text


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate"]))
def test_any_bytes_are_decoded_or_refused(body: bytes, coding: str) -> None:
    try:
        assert len(Decoder(coding, 1000, 1000).decode(body, is_last=True)) <= 1000
    except (MalformedBody, TooLarge):
        return


def decoded(decoder: Decoder, pieces: list[bytes]) -> bytes:
    """All that the pieces of a body hold."""
    last = len(pieces) - 1
    return b"".join(decoder.decode(piece, is_last=place == last) for place, piece in enumerate(pieces))


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
    headers = {"content-type": FORM, "content-encoding": "br"}
    answer = admin.post(re.sub(r"{(\w+)}", lambda m: FILLED[m[1]], path), content=gzip.compress(PASTE), headers=headers)
    assert answer.status_code == 415
    assert "不接受以这种方式压缩的内容" in answer.text
