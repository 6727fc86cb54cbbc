"""Form bodies of any size and with any bytes are read."""

from urllib.parse import quote_from_bytes, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.errors import TooLarge
from app.site.frame.forms import _decode

FORM = {"content-type": "application/x-www-form-urlencoded"}


@given(st.dictionaries(st.text(min_size=1), st.text().map(lambda text: text.replace("\r", "")), max_size=4))
def test_what_a_browser_encodes_is_read_back(sent: dict[str, str]) -> None:
    sent = {
        key.encode("utf-8", "replace").decode(): text.encode("utf-8", "replace").decode() for key, text in sent.items()
    }
    fields = _decode(urlencode(sent).encode(), 10_000)
    assert {key: fields.raw(key) for key in sent} == sent


@given(st.binary(max_size=300))
def test_any_bytes_are_taken(body: bytes) -> None:
    _decode(body, 10_000)


def test_line_ends_of_forms_become_line_feeds() -> None:
    assert _decode(b"text=a%0D%0Ab%0Dc", 100).raw("text") == "a\nb\rc"


def test_a_field_over_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        _decode(b"text=" + b"%41" * 101, 100)


def test_bytes_that_are_not_utf_8_are_replaced(client: TestClient) -> None:
    answer = client.post(
        "/en/match", content=b"text=" + quote_from_bytes(b"ValueError: \xff\xfe\x00").encode(), headers=FORM
    )
    assert answer.status_code == 200


def test_a_multipart_form_is_read_too(client: TestClient) -> None:
    answer = client.post("/en/match", files={"text": (None, "x" * 2_000_000 + "\nValueError: no\n")})
    assert answer.status_code == 200


def test_a_paste_over_the_limit_is_refused_in_words(client: TestClient) -> None:
    answer = client.post("/zh/match", data={"text": "x" * (16 * 1024 * 1024 + 1)})
    assert answer.status_code == 413
    assert "文本太长了" in answer.text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_form_as_long_as_the_longest_entry_is_read_to_its_end(client: TestClient, lang: str) -> None:
    rows = [str(number) for number in range(200)]
    form = {name: [f"{name} {row}" for row in rows] for name in ("signature", "signature_unless", "example", "source")}
    more = {"signature_is": ["pattern"] * 200, "signature_weight": [""] * 200, "source_url": ["https://a.org"] * 200}
    answer = client.post(f"/{lang}/submit/rows", data={"title": "t", **form, **more, "note": "the last field"})
    assert answer.status_code == 200
    assert all(f"{name} 199" in answer.text for name in form)
    assert "the last field" in answer.text


@pytest.mark.parametrize("sent", ["data", "files"])
@pytest.mark.parametrize(("lang", "says"), [("en", "That form has too many rows"), ("zh", "表单的行数太多")])
def test_a_form_of_more_fields_than_are_read_is_refused_whole(
    client: TestClient, sent: str, lang: str, says: str
) -> None:
    rows = [("example", f"row {number}") for number in range(4_001)]
    body = {"content": urlencode(rows), "headers": FORM} if sent == "data" else {"files": _parts(rows)}
    answer = client.post(f"/{lang}/submit", **body)
    assert answer.status_code == 413
    assert says in answer.text


def _parts(rows: list[tuple[str, str]]) -> list[tuple[str, tuple[None, str]]]:
    return [(name, (None, value)) for name, value in rows]
