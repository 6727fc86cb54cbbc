"""A half-filled entry from a paste, over REST."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.api.proposal_schemas import DraftShown
from app.content.schema import EntryDocument
from app.store.columns import now

PASTE = """Traceback (most recent call last):
  File "/srv/verl/workers/pump.py", line 12, in press
    gasket.check(ring)
RuntimeError: the gasket of ring 0x7f3a12 leaks
"""
KNOWN = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"


def draft(client: TestClient, **body: Any) -> DraftShown:
    """Return what a paste tells, held to its shape."""
    found = client.post("/api/v1/draft", json=body)
    assert found.status_code == 200, found.text
    return DraftShown.model_validate_json(found.content)


def test_a_paste_becomes_an_entry_that_lacks_only_what_nobody_can_know(client: TestClient) -> None:
    shown = client.post("/api/v1/draft", json={"text": PASTE, "lang": "en"}).json()
    entry = shown["entry"]
    assert entry["slug"].startswith("verl/")
    assert entry["updated"] == now().date().isoformat()
    assert entry["signatures"] == [{"pattern": "RuntimeError: the gasket of ring <*> leaks"}]
    assert entry["en"]["title"]
    assert [line for line in entry["en"]["body"].split("\n") if line] == ["## Symptom", "## Cause", "## Fix"]
    assert entry["examples"] == [PASTE.strip("\n")]
    assert (shown["missing"], shown["answered"]) == (["en.body"], [])


def test_when_what_is_missing_was_written_it_can_be_proposed_and_answers_its_paste(client: TestClient) -> None:
    entry = client.post("/api/v1/draft", content=PASTE, headers={"content-type": "text/plain"}).json()["entry"]
    entry["en"]["body"] += "\n\nTighten it."
    assert EntryDocument.model_validate(entry)
    assert client.post("/api/v1/submissions", json={"entry": entry}).status_code == 201


def test_the_language_is_that_in_which_the_entry_will_be_written(client: TestClient) -> None:
    for found in (
        client.post("/api/v1/draft", json={"text": PASTE, "lang": "zh"}),
        client.post("/api/v1/draft?lang=zh", content=PASTE, headers={"content-type": "text/plain"}),
        client.post("/api/v1/draft", json={"text": PASTE}, headers={"accept-language": "zh"}),
    ):
        assert found.headers["content-language"] == "zh"
        assert "## 修复" in found.json()["entry"]["zh"]["body"]
        assert "en" not in found.json()["entry"]


def test_it_names_the_entries_that_answer_the_paste_already(client: TestClient) -> None:
    assert [one.slug for one in draft(client, text=KNOWN).answered] == ["verl/tensordict-membership-check"]


def test_what_a_paste_does_not_tell_is_named_as_missing(client: TestClient) -> None:
    shown = draft(client, text="")
    assert shown.missing == ["slug", "en.title", "signatures", "en.body"]
    assert (shown.entry.slug, shown.entry.signatures, shown.entry.examples) == ("", [], [])


@pytest.mark.parametrize(("body", "field"), [({}, "text"), ({"text": 1}, "text"), ({"text": "x", "limit": 1}, "limit")])
def test_what_is_no_paste_is_refused(client: TestClient, body: dict[str, Any], field: str) -> None:
    found = client.post("/api/v1/draft", json=body)
    assert (found.status_code, list(found.json()["fields"])) == (422, [field])


def test_a_draft_leaves_no_trace(client: TestClient) -> None:
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        draft(TestClient(client.app, client=(address, 5000)), text=PASTE)
    assert client.get("/api/v1/wanted").json()["items"] == []
