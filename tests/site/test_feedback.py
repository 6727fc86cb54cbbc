"""Did this fix it? Said once by each person, counted for readers, read by reviewers."""

import html
import re

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.store.engine import connect
from app.store.session import writing
from app.wiki import feedback
from tests.conftest import create, sign_in

ENTRY = "/en/e/roll/torch-compile-cache-race"
PASTE = "OSError: [Errno 16] Device or resource busy: '/home/u/.cache/vllm/torch_compile_cache/9a41c07d1e/rank_0_0'"


def say(client: TestClient, vote: str, note: str = "", path: str = ENTRY) -> Response:
    return client.post(f"{path}/feedback", data={"vote": vote, "note": note}, follow_redirects=False)


def another(client: TestClient) -> TestClient:
    """Somebody else at another browser."""
    return TestClient(client.app, raise_server_exceptions=False)


def count(client: TestClient, path: str = ENTRY) -> str:
    found = re.search(r'count-solved">([^<]*)<', client.get(path).text)
    assert found
    return found[1]


def test_who_says_that_it_helped_is_thanked_and_counted(client: TestClient) -> None:
    assert count(client) == ""
    answer = say(client, "solved")
    assert answer.status_code == 303
    back = client.get(answer.headers["location"])
    assert back.url.path == ENTRY
    assert '<p role="status" class="thanks">Thank you.' in back.text
    assert count(client) == "1 person said this fixed it."
    assert count(client, ENTRY.replace("/en/", "/zh/")) == "1 个人按这条解决了。"


def test_one_person_counts_once_and_their_later_word_replaces_the_earlier(client: TestClient) -> None:
    for vote in ("solved", "not-this", "solved", "solved"):
        say(client, vote)
    assert count(client) == "1 person said this fixed it."
    say(client, "outdated")
    assert count(client) == ""


def test_several_people_are_counted_each(client: TestClient) -> None:
    for _ in range(3):
        say(another(client), "solved")
    assert count(client) == "3 people said this fixed it."


def test_somebody_signed_in_is_one_person_at_every_browser(client: TestClient) -> None:
    for browser in (another(client), another(client)):
        say(sign_in(browser), "solved")
        assert "errdex_voter" not in browser.cookies
    assert count(client) == "1 person said this fixed it."


def test_the_cookie_is_set_at_the_first_vote_and_for_nobody_else(client: TestClient) -> None:
    client.get(ENTRY)
    assert "errdex_voter" not in client.cookies
    given = say(client, "solved").headers["set-cookie"]
    assert given.startswith("errdex_voter=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in given.split(";")}
    assert "set-cookie" not in say(client, "not-this").headers


def test_a_cookie_that_we_did_not_write_is_replaced(client: TestClient) -> None:
    client.cookies.set("errdex_voter", "person:1")
    assert "errdex_voter=" in say(client, "solved").headers["set-cookie"]


@pytest.mark.parametrize(("data", "status"), [({}, 422), ({"vote": "best"}, 422), ({"note": "x"}, 422)])
def test_anything_else_is_not_counted(client: TestClient, data: dict[str, str], status: int) -> None:
    assert client.post(f"{ENTRY}/feedback", data=data).status_code == status


def test_an_entry_that_is_not_there_takes_no_word(client: TestClient) -> None:
    assert say(client, "solved", path="/en/e/verl/no-such-entry").status_code == 404


def test_a_form_of_another_site_is_refused(client: TestClient) -> None:
    answer = client.post(f"{ENTRY}/feedback", data={"vote": "solved"}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert count(client) == ""


def test_too_many_votes_from_one_address_are_slowed_down(settings: Settings, shipped: Settings) -> None:
    create(settings, shipped)
    app = create_app(settings.model_copy(update={"rate_feedback": "2/hour"}))
    with TestClient(app, client=("198.51.100.7", 1), raise_server_exceptions=False) as client:
        found = [say(another_from(client), "solved").status_code for _ in range(3)]
    assert found == [303, 303, 429]


def another_from(client: TestClient) -> TestClient:
    return TestClient(client.app, client=("198.51.100.7", 1), raise_server_exceptions=False)


def test_the_address_of_the_form_leads_to_the_entry(client: TestClient) -> None:
    assert client.get(f"{ENTRY}/feedback").url.path == ENTRY


def test_the_first_answer_asks_the_same(client: TestClient) -> None:
    page = client.post("/zh/match", data={"text": PASTE}).text
    assert page.count('action="/zh/e/roll/torch-compile-cache-race/feedback"') == 1
    assert "feedback" not in client.post("/en/match", data={"text": "qzxjvwkrp flurbl"}).text


def test_a_word_of_thanks_that_nobody_said_is_not_shown(client: TestClient) -> None:
    assert '<p role="status" class="thanks"></p>' in client.get(f"{ENTRY}?said=<b>").text


def test_reviewers_see_all_counts_and_others_do_not(client: TestClient) -> None:
    say(another(client), "outdated")
    say(another(client), "not-this")
    words = "In all: 0 solved, 1 different, 1 outdated."
    assert words not in client.get(ENTRY).text
    assert words in sign_in(client).get(ENTRY).text


def test_a_note_reaches_the_reviewers_newest_first_and_is_marked_as_seen(client: TestClient) -> None:
    say(another(client), "outdated", "It is --enable-x <b>now</b>.")
    say(another(client), "not-this", "Mine came from NFS.")
    say(another(client), "solved", "nobody reads this one")
    reviewer = sign_in(client)
    page = reviewer.get("/en/review/feedback").text
    assert page.count('<p class="note">') == 2
    assert "It is --enable-x &lt;b&gt;now&lt;/b&gt;." in page
    assert "2 unread" in page
    assert "nobody reads" not in page
    form = re.search(r'action="(/en/review/feedback/\d+/seen)"><input type="hidden" name="noted" value="([^"]+)"', page)
    assert form
    after = reviewer.post(form[1], data={"noted": form[2]})
    assert after.url.path == "/en/review/feedback"
    assert "1 unread" in after.text


def test_a_note_stays_when_the_same_person_votes_again_without_one(client: TestClient) -> None:
    say(client, "outdated", "It has another name.")
    say(client, "not-this")
    page = sign_in(client).get("/en/review/feedback").text
    assert "It has another name." in page
    assert "<strong>Different error</strong>" in page


def test_a_new_note_of_the_same_person_is_unseen_again(client: TestClient) -> None:
    say(client, "outdated", "first")
    reviewer = sign_in(another(client))
    page = reviewer.get("/en/review/feedback").text
    form = re.search(r'action="(/en/review/feedback/\d+/seen)"><input type="hidden" name="noted" value="([^"]+)"', page)
    assert form
    assert "0 unread" in reviewer.post(form[1], data={"noted": form[2]}).text
    say(client, "outdated", "second")
    page = reviewer.get("/en/review/feedback").text
    assert "second" in page
    assert "1 unread" in page


def test_a_long_note_is_cut_and_odd_characters_are_left_out(client: TestClient) -> None:
    say(client, "outdated", "\x1b[31mred\x00 " + "x" * 5000)
    page = sign_in(client).get("/en/review/feedback").text
    assert "[31mred" in page
    assert "\x1b" not in page
    assert "x" * 1001 not in page


def test_notes_are_for_reviewers(client: TestClient) -> None:
    assert client.get("/en/review/feedback").url.path == "/en/sign-in"
    assert client.post("/en/review/feedback/1/seen", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("number", ["0", "-1", "99999999999999999999"])
def test_a_note_that_is_not_there_harms_nobody(reviewer: TestClient, number: str) -> None:
    answer = reviewer.post(f"/en/review/feedback/{number}/seen", data={"noted": "x"})
    assert answer.status_code == 200


def test_the_queue_leads_to_the_notes(reviewer: TestClient) -> None:
    assert 'href="/zh/review/feedback"' in reviewer.get("/zh/review").text


def test_the_next_page_of_notes(client: TestClient) -> None:
    for number in range(52):
        say(another(client), "outdated", f"note {number}.")
    reviewer = sign_in(client)
    assert 'href="/en/review/feedback?page=1"' in reviewer.get("/en/review/feedback").text
    last = reviewer.get("/en/review/feedback?page=1").text
    assert last.count('<p class="note">') == 2
    assert reviewer.get("/en/review/feedback?page=99999999999999999999").status_code == 200


def test_a_note_is_asked_for_once_somebody_said_what_is_wrong(client: TestClient) -> None:
    assert "feedback-note" not in client.get(ENTRY).text
    said = client.get(say(client, "outdated").headers["location"]).text
    assert '<button name="vote" value="outdated" aria-pressed="true">' in said
    assert 'id="feedback-note"' in said
    noted = client.get(say(client, "outdated", "It has another name.").headers["location"]).text
    assert "The reviewers will read your note." in noted
    assert "feedback-note" not in noted
    assert "feedback-note" not in client.get(say(client, "solved", "thanks").headers["location"]).text


def test_an_entry_that_answers_a_question_does_not_speak_of_an_error(client: TestClient) -> None:
    assert "Did this answer it?" in client.get("/en/e/trinity-rft/debug-workflow").text
    assert "Did this fix it?" in client.get(ENTRY).text


def test_a_note_on_a_further_page_leads_back_to_that_page(reviewer: TestClient, settings: Settings) -> None:
    with writing(connect(settings)) as session:
        for number in range(feedback.PAGE + 2):
            feedback.say(session, "roll/torch-compile-cache-race", f"v{number}", "outdated", note=f"Note {number}")
    page = reviewer.get("/en/review/feedback?page=1").text
    found = re.search(r'action="([^"]+seen[^"]*)"><input type="hidden" name="noted" value="([^"]+)"', page)
    assert found
    answer = reviewer.post(html.unescape(found[1]), data={"noted": found[2]}, follow_redirects=False)
    assert answer.headers["location"] == "/en/review/feedback?page=1"
