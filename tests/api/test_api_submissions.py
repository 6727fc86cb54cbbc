"""Proposing entries over REST."""

from json import dumps
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api import schemas
from app.content.schema import EntryDocument
from app.people.accounts import Who
from app.store import submissions
from app.store.session import reading, writing
from app.wiki import proposals

RITA = Who(1, "rita", "reviewer")
ENTRY: dict[str, Any] = {
    "slug": "verl/new-error",
    "updated": "2026-11-20",
    "signatures": [{"pattern": "ZorbError: the <*> has left"}],
    "en": {"title": "The frobnicator leaves", "body": "## Fix\n\nCall it back."},
    "examples": ["ZorbError: the frobnicator has left"],
}


def propose(client: TestClient, **values: Any) -> schemas.Received:
    """Propose the entry above and return what was answered, held to its shape."""
    found = client.post(
        "/api/v1/submissions", json={"entry": ENTRY, "submitter": " Lin ", "note": "seen twice"} | values
    )
    assert found.status_code == 201, found.text
    received = schemas.Received.model_validate_json(found.content, strict=True)
    assert found.headers["location"] == f"/api/v1/submissions/{received.token}"
    return received


def state(client: TestClient, received: schemas.Received) -> schemas.SubmissionShown:
    """What the submitter sees."""
    return schemas.SubmissionShown.model_validate_json(client.get(f"/api/v1/submissions/{received.token}").content)


def test_a_proposal_goes_into_the_queue_with_all_that_was_said(empty_client: TestClient, engine: Engine) -> None:
    received = propose(empty_client, lang="zh")
    assert (received.slug, received.state) == ("verl/new-error", "open")
    assert received.url == f"http://testserver/zh/s/{received.token}"
    with reading(engine) as session:
        row = submissions.by_id(session, received.id)
        assert row is not None
        assert (row.submitter, row.note, row.lang, row.origin) == ("Lin", "seen twice", "zh", "api")
        assert EntryDocument.model_validate_json(row.document) == EntryDocument.model_validate(ENTRY)


def test_a_proposal_is_not_published_before_its_review(empty_client: TestClient) -> None:
    propose(empty_client)
    assert empty_client.get("/api/v1/entries/verl/new-error").status_code == 404


def test_the_submitter_sees_a_rejection_and_its_reason(empty_client: TestClient, engine: Engine) -> None:
    received = propose(empty_client)
    assert state(empty_client, received).reviews == []
    with writing(engine) as session:
        proposals.reject(session, received.id, 1, RITA, "这是 verl/other 的重复")
    seen = state(empty_client, received)
    assert seen.state == "rejected"
    assert [(one.decision, one.actor, one.reason) for one in seen.reviews] == [
        ("rejected", "rita", "这是 verl/other 的重复")
    ]


def test_an_approved_proposal_answers_its_paste(empty_client: TestClient, engine: Engine) -> None:
    received = propose(empty_client)
    with writing(engine) as session:
        proposals.approve(session, received.id, 1, RITA)
    assert state(empty_client, received).state == "approved"
    answer = empty_client.post("/api/v1/match", json={"text": ENTRY["examples"][0]}).json()
    assert [match["slug"] for match in answer["matches"]] == ["verl/new-error"]


def test_an_entry_that_was_read_can_be_changed_and_proposed(client: TestClient) -> None:
    document = client.get("/api/v1/entries/verl/ray-timeline").json()
    del document["revision"], document["url"]
    same = client.post("/api/v1/submissions", json={"entry": document})
    assert (same.status_code, same.json()["fields"]) == (422, {"entry": "nothing was changed"})
    assert propose(client, entry=document | {"tags": []}).slug == "verl/ray-timeline"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"slug": "Verl/x"}, "entry.slug"),
        ({"en": None}, "entry"),
        ({"updated": "soon"}, "entry.updated"),
        ({"colour": "red"}, "entry.colour"),
        ({"signatures": [{"weak": True}]}, "entry.signatures.0"),
        ({"affects": {"torch": "about 2"}}, "entry.affects"),
        ({"en": {"title": "a\nb", "body": ""}}, "entry.en.title"),
        ({"examples": ["a\0b"]}, "entry.examples.0"),
        ({"examples": ["\ud800"]}, "entry.examples.0"),
    ],
)
def test_an_entry_that_is_none_is_refused_with_the_place(client: TestClient, wrong: dict[str, Any], field: str) -> None:
    found = client.post(
        "/api/v1/submissions", content=dumps({"entry": ENTRY | wrong}), headers={"content-type": "application/json"}
    )
    assert found.status_code == 422
    assert field in found.json()["fields"]


@pytest.mark.parametrize(("kind", "status"), [("text/plain", 415), ("application/x-www-form-urlencoded", 415)])
def test_only_json_is_taken_so_that_no_form_of_another_site_can_send(
    client: TestClient, kind: str, status: int
) -> None:
    found = client.post("/api/v1/submissions", content=b"{}", headers={"content-type": kind})
    assert found.status_code == status


def test_a_whole_log_is_refused(client: TestClient) -> None:
    found = client.post("/api/v1/submissions", json={"entry": ENTRY | {"examples": ["x" * 1024 * 1024]}})
    assert found.status_code == 413


def test_what_is_said_beside_the_entry_is_held_to_its_lengths_and_characters(client: TestClient) -> None:
    for name, text in (
        ("note", "a\0"),
        ("note", "x" * 5001),
        ("submitter", "x" * 121),
        ("submitter", "\0"),
        ("from", "x"),
    ):
        found = client.post("/api/v1/submissions", json={"entry": ENTRY, name: text})
        assert (found.status_code, list(found.json()["fields"])) == (422, [name])


@pytest.mark.parametrize("token", ["x", "%00", "%ff", "a" * 5000, "..%2fx"])
def test_another_token_finds_nothing(client: TestClient, token: str) -> None:
    assert client.get(f"/api/v1/submissions/{token}").status_code == 404


def test_the_session_of_a_reviewer_means_nothing_here(reviewer: TestClient) -> None:
    received = propose(reviewer)
    assert state(reviewer, received).state == "open"


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"title": "\u200b\u2066", "body": "## Fix\n\nWait."}, "entry.en.title"),
        ({"title": "Valve", "body": "## Fix\n\n\u200b"}, "entry.en.body"),
    ],
)
def test_a_text_that_shows_nothing_is_refused_by_its_name(
    client: TestClient, wrong: dict[str, str], place: str
) -> None:
    found = client.post("/api/v1/submissions", json={"entry": ENTRY | {"en": wrong}})
    assert found.status_code == 422
    assert "invisible" in found.json()["fields"][place]
