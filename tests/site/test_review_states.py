"""Where a submission can be between proposed and decided on: asked back, answered, published at once, in conflict."""

import re

from starlette.testclient import TestClient

from tests.conftest import sign_in
from tests.site.forms import typed_fields

NEW = {"project": "verl", "name": "valve", "title": "ValveError: stuck", "symptom": "It does not move."}


def proposed(client: TestClient, fields: dict[str, str] | None = None) -> str:
    """Propose an entry; the address of the submitter's page."""
    answer = client.post("/en/submit", data=NEW | (fields or {}), follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_submitter_who_is_asked_for_changes_answers_at_the_same_link(client: TestClient) -> None:
    link = proposed(client)
    sign_in(client)
    assert "Say why" in client.post("/en/review/1/return", data={"version": "1"}).text
    client.post("/en/review/1/return", data={"version": "1", "reason": "Which version?"})
    assert "valve" not in client.get("/en/review").text
    assert "verl/valve" in client.get("/en/review?state=returned").text
    page = client.get(link).text
    assert "Changes are asked for" in page
    assert "Which version?" in page
    fields = typed_fields(client.get(f"{link}/again").text) | {"fix": "Take 2.1."}
    # also after another row and a look at the other language
    fields = typed_fields(client.post("/en/submit/rows", data=fields | {"add": "source"}).text)
    again = client.post("/en/submit", data=fields, follow_redirects=False)
    assert again.headers["location"] == link
    assert "Waiting for a reviewer" in client.get(link).text
    review = client.get("/en/review/1").text
    assert "Take 2.1." in review
    assert "Which version?" in review
    late = client.post("/en/submit", data=fields)
    assert late.status_code == 409
    assert "answered or decided on meanwhile" in late.text
    assert typed_fields(late.text)["fix"] == "Take 2.1."


def test_a_reviewer_publishes_at_once_and_nobody_else_does(client: TestClient) -> None:
    assert "Waiting for a reviewer" in client.post("/en/submit", data=NEW | {"publish": "1"}).text
    assert "Publish now" not in client.get("/en/submit").text
    sign_in(client)
    assert "Publish now" in client.get("/en/submit").text
    answer = client.post("/en/submit", data=NEW | {"name": "valve-two", "publish": "1"})
    assert (answer.status_code, answer.url.path) == (200, "/en/e/verl/valve-two")
    assert "Published by rita" in client.get("/en/review/2").text


def test_publishing_is_not_offered_while_an_entry_of_the_same_name_is_there(reviewer: TestClient) -> None:
    proposed(reviewer)
    assert "/review/1/approve" in reviewer.get("/en/review/1").text
    reviewer.post("/en/submit", data=NEW | {"publish": "1", "fix": "Turn it."})
    page = reviewer.get("/en/review/1").text
    assert "/review/1/approve" not in page
    assert "contradict each other" in page
    # both sides
    assert re.search(r"<del>.*Turn it\.", page)


def test_the_lists_are_narrowed_down_by_project_and_age_and_show_what_was_decided(reviewer: TestClient) -> None:
    proposed(reviewer)
    proposed(reviewer, {"project": "roll", "name": "pump"})
    page = reviewer.get("/en/review?project=roll").text
    assert "roll/pump" in page
    assert "verl/valve" not in page
    assert "Nothing is waiting" in reviewer.get("/en/review?age=7").text
    reviewer.post("/en/review/1/reject", data={"version": "1", "reason": "No."})
    decided = reviewer.get("/en/review?state=decided").text
    assert "verl/valve" in decided
    assert "Not published" in decided
    assert "roll/pump" not in decided
    assert reviewer.get("/zh/review?state=x&project=%&age=1e9&after=-5").status_code == 200
