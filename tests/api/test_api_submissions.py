"""Proposing entries over REST."""

from concurrent.futures import ThreadPoolExecutor
from json import dumps
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.api import proposal_schemas
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


def propose(client: TestClient, **values: Any) -> proposal_schemas.Received:
    """Propose the entry above and return what was answered, held to its shape."""
    found = client.post(
        "/api/v1/submissions", json={"entry": ENTRY, "submitter": " Lin ", "note": "seen twice"} | values
    )
    assert found.status_code == 201, found.text
    received = proposal_schemas.Received.model_validate_json(found.content, strict=True)
    assert found.headers["location"] == f"/api/v1/submissions/{received.token}"
    return received


def state(client: TestClient, received: proposal_schemas.Received) -> proposal_schemas.SubmissionShown:
    """What the submitter sees."""
    return proposal_schemas.SubmissionShown.model_validate_json(
        client.get(f"/api/v1/submissions/{received.token}").content
    )


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
        ({"affects": {"torch": "about 2"}}, "entry.affects.torch"),
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


PASTE = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"


def test_a_proposal_is_told_which_entries_answer_it_already(client: TestClient) -> None:
    answered = propose(client, entry=ENTRY | {"examples": [PASTE]}).answered
    assert [(one.slug, one.url) for one in answered] == [
        ("verl/tensordict-membership-check", "http://testserver/en/e/verl/tensordict-membership-check")
    ]
    entry = ENTRY | {"en": {"title": PASTE, "body": "x"}}
    assert [one.lang for one in propose(client, entry=entry, lang="zh").answered] == ["zh"]


def test_a_change_is_not_answered_by_its_own_entry_and_a_new_error_by_none(client: TestClient) -> None:
    document = client.get("/api/v1/entries/verl/tensordict-membership-check").json()
    del document["revision"], document["url"]
    assert propose(client, entry=document | {"tags": []}).answered == []
    assert propose(client).answered == []


def again(client: TestClient, **values: Any) -> proposal_schemas.Received:
    """Send the same once more, and return what was answered."""
    found = client.post("/api/v1/submissions", json={"entry": ENTRY} | values)
    assert found.status_code == 200, found.text
    return proposal_schemas.Received.model_validate_json(found.content, strict=True)


def waiting(engine: Engine) -> int:
    """Return how many submissions wait."""
    with reading(engine) as session:
        return submissions.waiting(session)


def test_the_same_sent_twice_is_one_submission_with_one_link(empty_client: TestClient, engine: Engine) -> None:
    first = propose(empty_client)
    second = again(empty_client, note="was it lost?")
    assert (second.id, second.token, second.url) == (first.id, first.token, first.url)
    assert waiting(engine) == 1
    other = ENTRY | {"tags": ["install"]}
    assert propose(empty_client, entry=other).id != first.id


def test_once_it_is_decided_on_the_same_is_a_new_one(empty_client: TestClient, engine: Engine) -> None:
    seen = set()
    for _ in range(3):
        received = propose(empty_client)
        assert again(empty_client).token == received.token
        with writing(engine) as session:
            proposals.reject(session, received.id, 1, RITA, "no")
        assert state(empty_client, received).state == "rejected"
        seen.add(received.token)
    assert len(seen) == 3


def test_the_link_is_only_for_whoever_sent_it_first(empty_client: TestClient, engine: Engine) -> None:
    first = propose(empty_client)
    stranger = TestClient(empty_client.app, client=("192.0.2.7", 5000))
    found = again(stranger)
    assert (found.id, found.state, found.token, found.url) == (first.id, "open", None, None)
    assert again(empty_client).token == first.token
    assert waiting(engine) == 1


def test_a_person_is_known_by_their_sign_in_and_not_by_their_address(reviewer: TestClient) -> None:
    first = propose(reviewer)
    elsewhere = TestClient(reviewer.app, client=("192.0.2.7", 5000), cookies=dict(reviewer.cookies))
    assert again(elsewhere).token == first.token
    assert again(TestClient(reviewer.app)).token is None


def test_the_same_sent_many_times_at_once_is_one_submission(empty_client: TestClient, engine: Engine) -> None:
    def send(_number: int) -> tuple[int, Any]:
        found = empty_client.post("/api/v1/submissions", json={"entry": ENTRY})
        return found.status_code, found.json()["token"]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(send, range(8)))
    assert sorted(status for status, _ in found) == [200] * 7 + [201]
    assert len({token for _, token in found}) == 1
    assert waiting(engine) == 1
