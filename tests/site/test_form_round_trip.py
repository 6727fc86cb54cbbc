"""The form holds the whole entry: sent as it was opened it is the same, and each field can be changed."""

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.content import translations
from app.content.schema import EntryDocument
from app.store.session import reading, writing
from app.wiki import proposals
from tests.conftest import sign_in
from tests.content.test_content_lossless import DOCUMENTS
from tests.site.forms import typed_fields

# an entry of which every fact is said
WHOLE: dict[str, Any] = {
    "slug": "pump/leak",
    "updated": "2026-01-02",
    "components": ["ray"],
    "tags": ["oom"],
    "also": ["pump/other"],
    "former": ["pump/old"],
    "related": ["pump/third"],
    "titles": {"en": ["It drips"], "zh": ["滴水"]},
    "signatures": [
        {"pattern": "LeakError: <*> litres\n  lost"},
        {"frame": "pump/valve.py:close"},
        {"pattern": "drip drip", "weak": True, "unconfirmed": True},
    ],
    "affects": {"torch": "<2.4"},
    "fixed": [{"package": "torch", "release": "2.4"}],
    "pairs": [{"works": False, "versions": {"trl": "<0.17", "vllm": ">=0.8.5"}}],
    "actions": {"retryable": True, "needs": "human"},
    "sources": [{"title": "Handbook", "url": "https://example.com/a", "license": "MIT"}],
    "level": {"en": {"Symptom": "0011"}},
    "en": {"title": "A leak", "body": "## Symptom\nIt drips.\n\n## Fix\nClose it."},
    "zh": {"title": "漏水", "body": "## 现象\n滴水。\n\n## 修复\n关上。"},
    "examples": ["LeakError: 3 litres\n  lost", "drip drip"],
}


def proposed(client: TestClient, document: EntryDocument) -> int:
    """Propose an entry; the number of the submission."""
    with writing(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        return proposals.submit(session, document, lang="en")[0].id or 0


def text_of(client: TestClient, number: int) -> EntryDocument:
    """The document of a submission."""
    with reading(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        return proposals.proposal(session, number).document


@given(document=DOCUMENTS, lang=st.sampled_from(["en", "zh"]))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
def test_whatever_an_entry_holds_the_form_sent_as_it_was_opened_changes_nothing(
    empty_client: TestClient, document: EntryDocument, lang: str
) -> None:
    sign_in(empty_client)
    address = f"/{lang}/review/{proposed(empty_client, document)}/amend"
    answer = empty_client.post(address, data=typed_fields(empty_client.get(address).text))
    assert answer.status_code == 422
    assert ("Nothing was changed" if lang == "en" else "还没有改动") in answer.text


@pytest.mark.parametrize(
    ("typed", "changed"),
    [
        (
            # the usual sections are called otherwise there
            {"kind": "question"},
            {
                "kind": "question",
                "en": {"title": "A leak", "body": "## Question\nIt drips.\n\n## Answer\nClose it."},
                "zh": {"title": "漏水", "body": "## 问题\n滴水。\n\n## 回答\n关上。"},
            },
        ),
        ({"status": "withdrawn"}, {"status": "withdrawn"}),
        ({"components": "ray, vllm"}, {"components": ["ray", "vllm"]}),
        ({"tags": ""}, {"tags": None}),
        ({"also": "pump/a\npump/b"}, {"also": ["pump/a", "pump/b"]}),
        ({"related": "pump/a"}, {"related": ["pump/a"]}),
        ({"former": "pump/a"}, {"former": ["pump/a"]}),
        ({"retryable": "no"}, {"actions": {"retryable": False, "needs": "human"}}),
        ({"retryable": "", "needs": ""}, {"actions": None}),
        ({"titles": "It drips\nIt runs"}, {"titles": {"en": ["It drips", "It runs"], "zh": ["滴水"]}}),
        ({"other_titles": ""}, {"titles": {"en": ["It drips"]}}),
        ({"title": "A big leak"}, {"en": WHOLE["en"] | {"title": "A big leak"}}),
        ({"other_fix": "拧紧。"}, {"zh": WHOLE["zh"] | {"body": "## 现象\n滴水。\n\n## 修复\n拧紧。"}}),
        ({"affects": "torch <2.5"}, {"affects": {"torch": "<2.5"}}),
        ({"fixed": ""}, {"fixed": None}),
        (
            {"works": "trl >=1, vllm >=1"},
            {"pairs": [*WHOLE["pairs"], {"works": True, "versions": {"trl": ">=1", "vllm": ">=1"}}]},
        ),
        (
            {"source_url": ["http://example.com/b"]},
            {"sources": [WHOLE["sources"][0] | {"url": "http://example.com/b"}]},
        ),
        (
            {"source": ["Handbook", "Manual"], "source_url": ["https://example.com/a", "https://example.com/c"]},
            {"sources": [*WHOLE["sources"], {"title": "Manual", "url": "https://example.com/c"}]},
        ),
        ({"example": ["", "drip drip"]}, {"examples": ["drip drip"]}),
        (
            {"signature_weight": ["weak", "", "weak-unconfirmed"]},
            {"signatures": [WHOLE["signatures"][0] | {"weak": True}, *WHOLE["signatures"][1:]]},
        ),
        (
            {"signature": ["", "pump/valve.py:open", "drip drip"]},
            {"signatures": [{"frame": "pump/valve.py:open"}, WHOLE["signatures"][2]]},
        ),
        (
            {"signature_unless": ["only a drill\nframe:pump/test.py:run", "", ""]},
            {
                "signatures": [
                    WHOLE["signatures"][0] | {"unless": ["only a drill", "frame:pump/test.py:run"]},
                    *WHOLE["signatures"][1:],
                ]
            },
        ),
    ],
)
def test_each_field_can_be_changed_and_nothing_else_changes_with_it(
    empty_client: TestClient, typed: dict[str, Any], changed: dict[str, Any]
) -> None:
    sign_in(empty_client)
    number = proposed(empty_client, EntryDocument.model_validate(WHOLE))
    address = f"/en/review/{number}/amend"
    answer = empty_client.post(address, data=typed_fields(empty_client.get(address).text) | typed)
    assert answer.status_code == 200, answer.text
    wanted = {name: value for name, value in (WHOLE | changed).items() if value is not None}
    found = text_of(empty_client, number).plain()
    if {"en", "zh"} & changed.keys():
        # how level the languages are follows from their texts
        found["level"] = WHOLE["level"]
    assert found | {"updated": "2026-01-02"} == EntryDocument.model_validate(wanted).plain()


@pytest.mark.parametrize(
    ("written", "behind"),
    [
        ([{"fix": "Close it twice."}], {"zh"}),
        ([{"other_fix": "关两次。"}], {"en"}),
        ([{"fix": "Close it twice.", "other_fix": "关两次。"}], set()),
        # the other language catches up
        ([{"fix": "Close it twice."}, {"other_fix": "关两次。"}], set()),
        ([{"fix": "Close it twice."}, {"title": "A big leak"}], {"zh"}),
        ([{"tags": "oom install"}], set()),
        ([{"check": "It is dry."}], set()),
    ],
)
def test_a_language_that_was_left_behind_in_the_browser_says_so(
    empty_client: TestClient, written: list[dict[str, str]], behind: set[str]
) -> None:
    sign_in(empty_client)
    number = proposed(empty_client, EntryDocument.model_validate(WHOLE | {"level": {}}))
    address = f"/en/review/{number}/amend"
    for typed in written:
        empty_client.post(address, data=typed_fields(empty_client.get(address).text) | typed)
    assert {pair.lang for pair in translations.stale(text_of(empty_client, number))} == behind


def test_a_row_more_is_given_and_nothing_is_lost_by_it(client: TestClient) -> None:
    typed = {"title": "Leak", "signature": ["one of them"], "signature_weight": ["weak"], "other_fix": "关上。"}
    page = client.post("/en/submit/rows", data=typed | {"add": "signature"}).text
    again = typed_fields(page)
    assert (again["signature"], again["signature_weight"]) == (["one of them", ""], ["weak", ""])
    assert (again["title"], again["other_fix"]) == ("Leak", "关上。")
    assert client.get("/en/submit/rows").url.path == "/en/submit"


@pytest.mark.parametrize(
    ("typed", "field", "told"),
    [
        ({"tags": "Not!A!Word"}, "tags", "lowercase letters"),
        ({"related": "pump"}, "related", "project/name"),
        ({"signature": ["fine one", "x"]}, "signature-2", "3 to 2,000"),
        ({"signature": ["no frame"], "signature_is": ["frame"]}, "signature", "without spaces"),
        ({"signature": ["pump leaks"], "signature_unless": ["frame:nowhere"]}, "signature_unless", "frame:csv.py"),
        ({"source": ["Handbook"], "source_url": ["example.com"]}, "source_url", "begins with"),
        ({"source": ["x" * 501], "source_url": ["https://example.com"]}, "source", "500 characters"),
        ({"source": ["one"] * 201, "source_url": ["https://example.com"] * 201}, "source", "200 rows"),
        ({"titles": "x" * 501}, "titles", "at most 500"),
    ],
)
def test_a_wrong_field_says_so_beside_itself(client: TestClient, typed: dict[str, Any], field: str, told: str) -> None:
    answer = client.post("/en/submit", data={"project": "verl", "title": "Leak", "fix": "Close it."} | typed)
    assert answer.status_code == 422
    assert told in answer.text.partition(f'id="p-{field}"')[2].partition("</p>")[0]
    # the summary leads there, and the box is told of it
    assert told in answer.text.partition(f'<a href="#f-{field}">')[2].partition("</li>")[0]
    box = re.search(rf'<(?:input|textarea) id="f-{field}"[^>]*>', answer.text)
    assert box
    assert 'aria-invalid="true"' in box[0]
    assert re.search(rf'aria-describedby="[^"]*\bp-{field}"', box[0])
    again = typed_fields(answer.text)
    assert all(again[name] == value for name, value in typed.items())


def test_an_entry_is_withdrawn_by_a_change_like_any_other(reviewer: TestClient) -> None:
    page = "/en/e/roll/torch-compile-cache-race"
    answer = reviewer.post("/en/submit", data=typed_fields(reviewer.get(f"{page}/edit").text) | {"status": "withdrawn"})
    assert answer.status_code == 200
    version = {"version": "1", "current": "1"}
    answer = reviewer.post("/en/review/1/approve", data=version)
    assert (answer.status_code, answer.url.path) == (200, f"{page}/history")
    assert reviewer.get(page).status_code == 404
