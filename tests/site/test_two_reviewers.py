"""Two reviewers at the same moment: one decides, the other is told and keeps what they typed."""

import html
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from app.content.schema import EntryDocument
from app.store import entries
from app.store.engine import connect
from app.store.session import reading, writing
from app.wiki import proposals, publishing
from tests.conftest import add_person, sign_in
from tests.site.forms import typed_fields
from tests.site.pages import BEHIND
from tests.site.pages import NEW as PROPOSED
from tests.site.test_submit import NEW, submit

SAM, WORD = "sam", "another long password"
SLUG = "verl/greenhousevalveerror-when-it-freezes"
TOLD = "Somebody else changed or decided this"


@pytest.fixture
def rita(empty_client: TestClient) -> TestClient:
    return sign_in(empty_client)


@pytest.fixture
def sam(empty_client: TestClient, engine: Engine) -> Iterator[TestClient]:
    add_person(engine, SAM, WORD)
    client = TestClient(empty_client.app, raise_server_exceptions=False)
    answer = client.post("/en/sign-in", data={"name": SAM, "password": WORD}, follow_redirects=False)
    assert answer.status_code == 303
    yield client
    client.close()


def send(client: TestClient, what: str, fields: dict[str, Any], number: int = 1) -> Response:
    answer: Response = client.post(f"/en/review/{number}/{what}", data=fields, follow_redirects=False)
    return answer


def opened(client: TestClient, what: str) -> dict[str, Any]:
    """What the form of a decision holds when the page has just been opened."""
    if what == "amend":
        return typed_fields(client.get("/en/review/1/amend").text)
    assert client.get("/en/review/1").status_code == 200
    return {"version": "1"}


TYPED = {
    "approve": {"note": "Checked on two machines."},
    "reject": {"reason": "It lacks the <version>."},
    "amend": {"cause": "The frost & the wind.", "example": "GreenhouseValveError: valve 17 has frozen shut"},
}


def at_once(*calls: Callable[[], Response]) -> list[Response]:
    start, answers = threading.Barrier(len(calls)), list[Response]()

    def run(call: Callable[[], Response]) -> None:
        start.wait()
        answers.append(call())

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.parametrize("second", TYPED)
@pytest.mark.parametrize("first", TYPED)
def test_the_second_is_told_and_keeps_the_typed_text(
    rita: TestClient, sam: TestClient, first: str, second: str
) -> None:
    link = submit(rita, NEW)
    hers, his = opened(rita, first), opened(sam, second)
    assert send(rita, first, hers | TYPED[first]).status_code == 303
    state = rita.get(link).text
    answer = send(sam, second, his | TYPED[second])
    assert answer.status_code == 409
    assert TOLD in answer.text
    assert all(typed in html.unescape(answer.text) for typed in TYPED[second].values())
    assert rita.get(link).text == state


@pytest.mark.parametrize("first", TYPED)
def test_a_rejection_without_a_reason_is_told_of_the_change_first(
    rita: TestClient, sam: TestClient, first: str
) -> None:
    submit(rita, NEW)
    hers, his = opened(rita, first), opened(sam, "reject")
    send(rita, first, hers | TYPED[first])
    answer = send(sam, "reject", his | {"reason": " "})
    assert answer.status_code == 409
    assert TOLD in answer.text


def test_an_amendment_with_a_problem_does_not_undo_one_made_meanwhile(rita: TestClient, sam: TestClient) -> None:
    submit(rita, NEW)
    hers, his = opened(rita, "amend"), opened(sam, "amend")
    send(rita, "amend", hers | {"cause": "Hers."})
    answer = send(sam, "amend", his | {"cause": "His.", "title": ""})
    assert answer.status_code == 409
    assert TOLD in answer.text
    assert typed_fields(answer.text)["cause"] == "His."
    assert 'href="/en/review/1"' in answer.text
    assert "Hers." in rita.get("/en/review/1").text


def test_what_was_kept_can_be_sent_after_a_look_at_the_present_state(rita: TestClient, sam: TestClient) -> None:
    link = submit(rita, NEW)
    hers = opened(rita, "amend")
    send(rita, "amend", hers | {"cause": "Hers."})
    page = send(sam, "reject", {"version": "1", "reason": "No room."}).text
    assert "Hers." in page
    assert send(sam, "reject", {"version": "2", "reason": "No room."}).status_code == 303
    assert "No room." in rita.get(link).text


def test_of_two_at_the_very_same_moment_one_wins(rita: TestClient, sam: TestClient, engine: Engine) -> None:
    submit(rita, NEW)
    answers = at_once(
        lambda: send(rita, "approve", {"version": "1", "note": "from rita"}),
        lambda: send(sam, "approve", {"version": "1", "note": "from sam"}),
    )
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    (told,) = [answer for answer in answers if answer.status_code == 409]
    with reading(engine) as session:
        (revision,) = entries.revisions(session, SLUG)
    assert f"from {'sam' if revision.actor == 'rita' else 'rita'}" in told.text


def test_of_two_submissions_of_one_name_published_at_once_one_wins(
    rita: TestClient, sam: TestClient, engine: Engine
) -> None:
    submit(rita, NEW)
    submit(rita, NEW | {"cause": "Frost."})
    answers = at_once(
        lambda: send(rita, "approve", {"version": "1", "note": "from rita"}),
        lambda: send(sam, "approve", {"version": "1", "note": "from sam"}, number=2),
    )
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    with reading(engine) as session:
        assert len(entries.revisions(session, SLUG)) == 1


def test_two_different_entries_published_at_once_are_both_there(rita: TestClient, sam: TestClient) -> None:
    for number in range(1, 9):
        submit(rita, NEW | {"name": f"valve-{number}", "cause": f"It shares words of cause {number} with the others."})
    for number in range(1, 9, 2):
        answers = at_once(
            lambda: send(rita, "approve", {"version": "1"}, number=number),  # noqa: B023
            lambda: send(sam, "approve", {"version": "1"}, number=number + 1),  # noqa: B023
        )
        assert [answer.status_code for answer in answers] == [303, 303]
    listed = rita.get("/en/p/verl").text
    assert all(f"/en/e/verl/valve-{number}" in listed for number in range(1, 9))


def test_a_proposal_that_was_late_before_it_was_opened_blames_nobody(reviewer: TestClient, settings: Settings) -> None:
    with writing(connect(settings)) as session:
        document = EntryDocument.model_validate(PROPOSED | {"slug": "verl/late", "examples": []})
        number = proposals.submit(session, document, lang="en")[0].id
        publishing.publish(session, EntryDocument.model_validate(BEHIND | {"slug": "verl/late"}), actor="ann")
    page = reviewer.get(f"/en/review/{number}").text
    assert "amend the text first" in page
    # the page does not offer it
    sent = {"version": "1", "current": "1", "note": "mine"}
    answer = reviewer.post(f"/en/review/{number}/approve", data=sent)
    assert answer.status_code == 409
    assert "while you were reading" not in answer.text
    assert "amend the text first" in answer.text
    assert "<blockquote>mine</blockquote>" in answer.text
