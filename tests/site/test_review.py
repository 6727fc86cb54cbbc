"""Deciding on submissions."""

import re

import pytest
from starlette.testclient import TestClient

from app.i18n import LANGS, Lang
from app.i18n import text as t
from tests.site.forms import typed_fields
from tests.site.test_submit import NEW, ROLL, submit

SLUG = "verl/greenhousevalveerror-when-it-freezes"


def decide(client: TestClient, what: str, **fields: str) -> tuple[int, str, str]:
    answer = client.post(f"/en/review/1/{what}", data={"version": "1"} | fields, follow_redirects=False)
    return answer.status_code, answer.headers.get("location", ""), answer.text


def test_the_queue_shows_what_waits(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    page = reviewer.get("/en/review").text
    assert 'href="/en/review/1"' in page
    assert "ann" in page


def test_a_submission_is_shown_as_it_would_look_with_what_answers_its_example_today(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    page = reviewer.get("/en/review/1").text
    assert "The valve does not move." in page
    assert "Today nothing answers it" in page


def test_a_duplicate_is_seen(reviewer: TestClient) -> None:
    message = "OSError: [Errno 16] Device or resource busy: '/home/user/.cache/vllm/torch_compile_cache/a/b'"
    submit(reviewer, NEW | {"example": message})
    page = reviewer.get("/en/review/1").text
    assert 'href="/en/e/roll/torch-compile-cache-race"' in page.partition("Examples and duplicates")[2]


def test_each_entry_that_answers_a_proposal_is_named_once_with_what_it_answers(reviewer: TestClient) -> None:
    message = "OSError: [Errno 16] Device or resource busy: '/home/user/.cache/vllm/torch_compile_cache/a/b'"
    examples = [message, f"worker 3 | {message}", NEW["example"]]
    submit(reviewer, NEW | {"title": message, "example": examples})
    shown = reviewer.get("/en/review/1").text.partition("Examples and duplicates")[2].partition("</section>")[0]
    assert shown.count("Today it is answered by") == 1
    assert shown.count('href="/en/e/roll/torch-compile-cache-race"') == 1
    assert "title · Example 1 · Example 2 · " in shown
    assert re.search(r"Example 3 <[^>]+>not answered yet", shown)


def test_a_change_leads_to_its_entry_and_a_new_entry_to_none(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    submit(reviewer, typed_fields(reviewer.get(ROLL).text) | {"title": "Another title"})
    new, change = (reviewer.get(f"/en/review/{number}").text for number in (1, 2))
    link = '<a href="/en/e/{}"><code>{}</code></a>'
    assert link.format(SLUG, SLUG) not in new
    roll = "roll/torch-compile-cache-race"
    assert link.format(roll, roll) in change


def test_an_approved_entry_is_published_found_and_told_to_its_submitter(reviewer: TestClient) -> None:
    link = submit(reviewer, NEW)
    assert decide(reviewer, "approve", note="good")[:2] == (303, f"/en/e/{SLUG}")
    assert reviewer.get(f"/en/e/{SLUG}").status_code == 200
    assert f"/en/e/{SLUG}" in reviewer.post("/en/match", data={"text": NEW["example"]}).text
    page = reviewer.get(link).text
    assert "Published" in page
    assert "good" in page


def test_a_rejection_needs_a_reason_and_its_submitter_reads_it(reviewer: TestClient) -> None:
    link = submit(reviewer, NEW)
    status, _, page = decide(reviewer, "reject", reason="  ")
    assert status == 422
    assert "Say why" in page
    assert decide(reviewer, "reject", reason="It is in the guide already.")[:2] == (303, "/en/review")
    assert "It is in the guide already." in reviewer.get(link).text
    assert reviewer.get(f"/en/e/{SLUG}").status_code == 404


def test_a_declined_text_is_changed_and_sent_again_without_typing_it_anew(reviewer: TestClient) -> None:
    link = submit(reviewer, NEW)
    decide(reviewer, "reject", reason="Say what thaws it.")
    assert f'href="{link}/again"' in reviewer.get(link).text
    form = typed_fields(reviewer.get(f"{link}/again").text)
    assert (form["title"], form["symptom"], form["submitter"]) == (NEW["title"], NEW["symptom"], NEW["submitter"])
    later = submit(reviewer, form | {"fix": "Pour warm water over it."})
    assert later != link
    page = reviewer.get("/en/review/2").text
    assert "Pour warm water over it." in page
    assert SLUG in page


def test_a_declined_change_is_sent_again_as_a_change(reviewer: TestClient) -> None:
    link = submit(reviewer, typed_fields(reviewer.get(ROLL).text) | {"title": "First title"})
    decide(reviewer, "reject", reason="no")
    form = typed_fields(reviewer.get(f"{link}/again").text)
    assert (form["slug"], form["revision"], form["title"]) == ("roll/torch-compile-cache-race", "1", "First title")
    submit(reviewer, form | {"title": "Second title"})
    assert "Changes since revision 1" in reviewer.get("/en/review/2").text


def test_two_reviewers_at_once_do_not_overwrite_each_other(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    decide(reviewer, "reject", reason="no")
    status, _, page = decide(reviewer, "approve", note="I had written this")
    assert status == 409
    assert "Somebody else changed or decided this" in page
    assert reviewer.get(f"/en/e/{SLUG}").status_code == 404


def test_what_was_typed_is_kept_when_the_submission_has_changed(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    amended = typed_fields(reviewer.get("/en/review/1/amend").text) | {"cause": "Frost."}
    assert reviewer.post("/en/review/1/amend", data=amended, follow_redirects=False).status_code == 303
    status, _, page = decide(reviewer, "reject", reason="Please say why it freezes.")
    assert status == 409
    assert "Please say why it freezes." in page
    assert "Frost." in page


def test_a_change_to_an_entry_that_has_changed_since_is_not_published(reviewer: TestClient) -> None:
    fields = typed_fields(reviewer.get(ROLL).text)
    submit(reviewer, fields | {"title": "First title"})
    submit(reviewer, fields | {"title": "Second title"})
    assert decide(reviewer, "approve")[0] == 303
    answer = reviewer.post("/en/review/2/approve", data={"version": "1"}, follow_redirects=False)
    assert answer.status_code == 409
    page = reviewer.get("/en/review/2").text
    assert "changed after this was written" in page
    assert "First title" in reviewer.get("/en/e/roll/torch-compile-cache-race").text


def test_a_text_is_amended_and_a_new_entry_renamed_before_publishing(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    fields = typed_fields(reviewer.get("/en/review/1/amend").text)
    reviewer.post("/en/review/1/amend", data=fields | {"fix": "1. Wait for spring.", "name": "frozen-valve"})
    assert decide(reviewer, "approve", version="2")[1] == "/en/e/verl/frozen-valve"
    assert "Wait for spring." in reviewer.get("/en/e/verl/frozen-valve").text


def test_an_amendment_with_a_problem_keeps_what_was_typed(reviewer: TestClient) -> None:
    submit(reviewer, NEW)
    fields = typed_fields(reviewer.get("/en/review/1/amend").text) | {"title": "", "cause": "Frost."}
    answer = reviewer.post("/en/review/1/amend", data=fields)
    assert answer.status_code == 422
    assert typed_fields(answer.text)["cause"] == "Frost."


def test_changes_are_shown_against_the_present_entry(reviewer: TestClient) -> None:
    submit(reviewer, typed_fields(reviewer.get(ROLL).text) | {"title": "Another title"})
    page = reviewer.get("/zh/review/1").text
    assert "<ins>+# Another title" in page


@pytest.mark.parametrize("lang", LANGS)
def test_words_that_differ_are_marked_and_facts_stand_apart_from_the_text(reviewer: TestClient, lang: Lang) -> None:
    fields = typed_fields(reviewer.get("/en/e/roll/torch-compile-cache-race/edit").text)
    cause = str(fields["cause"])
    first = cause.split(maxsplit=1)[0]
    changed = cause.replace(first, f"{first} perhaps", 1)
    submit(reviewer, fields | {"cause": changed, "tags": "oom"})
    page = reviewer.get(f"/{lang}/review/1").text
    assert f"{first} <mark>perhaps </mark>" in page
    # each is a part of its own, of which the first one is open
    parts = re.findall(r'<details class="changes"( open)?>\s*<summary>(.*?) <span class="aside">(.*?)</span>', page)
    named = [(name, is_open != "") for is_open, name, _ in parts]
    assert sorted(named) == sorted(
        [(t(lang, "history.facts"), lang == "zh"), (t(lang, "history.text-en"), lang == "en")]
    )
    # the day of the last change is no fact that anybody decides on
    assert "updated =" not in re.sub(r"<span>.*?</span>", "", page.partition("<ins>")[0], flags=re.DOTALL)


@pytest.mark.parametrize("lang", LANGS)
def test_in_a_conflict_both_sides_are_shown_and_publishing_is_not_offered(reviewer: TestClient, lang: Lang) -> None:
    fields = typed_fields(reviewer.get(ROLL).text)
    submit(reviewer, fields | {"tags": "oom"})
    reviewer.post("/en/submit", data=fields | {"components": "ray", "publish": "1"})
    page = reviewer.get(f"/{lang}/review/1").text
    assert f"/{lang}/review/1/approve" not in page
    since, _, own = page.partition('id="review-differences"')
    assert re.search(r"<ins>\+components = .*ray", since)
    assert not re.search(r"<ins>\+tags = ", since)
    assert re.search(r"<ins>\+tags = .*oom", own)
    assert not re.search(r"<ins>\+components = ", own)
    # amended it can be published, with both in it
    fields = typed_fields(reviewer.get("/en/review/1/amend").text)
    reviewer.post("/en/review/1/amend", data=fields | {"components": "ray"})
    assert f"/{lang}/review/1/approve" in reviewer.get(f"/{lang}/review/1").text


def test_a_new_entry_whose_name_was_taken_meanwhile_says_so_and_leads_to_the_other_one(reviewer: TestClient) -> None:
    submit(reviewer, NEW | {"name": "valve"})
    reviewer.post("/en/submit", data=NEW | {"name": "valve", "symptom": "It drips.", "publish": "1"})
    page = reviewer.get("/en/review/1").text
    assert t("en", "review.taken") in page
    assert '"/en/e/verl/valve"' in page
    assert "/en/review/1/approve" not in page


def test_only_a_signed_in_reviewer_decides(client: TestClient) -> None:
    submit(client, NEW)
    assert decide(client, "approve")[:2] == (303, "/en/sign-in?next=%2Fen%2Freview")
    assert client.get("/en/review", follow_redirects=False).status_code == 303


def test_a_submission_that_is_not_there_is_not_found(reviewer: TestClient) -> None:
    for number in ("9", "0", "99999999999999999999"):
        assert reviewer.get(f"/en/review/{number}").status_code == 404
    assert decide(reviewer, "approve")[0] == 404


def test_a_reviewer_is_shown_what_looks_like_something_else(reviewer: TestClient) -> None:
    submit(reviewer, NEW | {"title": "Install p\u0430ypal", "fix": "Run `rm \u202etxt.sh` on 5 µs or 用vLLM."})
    number = re.findall(r'href="/en/review/(\d+)"', reviewer.get("/en/review").text)[-1]
    page = reviewer.get(f"/en/review/{number}").text
    shown = page.partition('id="review-suspects"')[2].partition("</section>")[0]
    assert "<code>en.title</code>" in shown
    assert "<bdi>p</bdi><mark>\u0430</mark><bdi>ypal</bdi>" in shown
    assert "U+0430 CYRILLIC SMALL LETTER A" in shown
    assert "<mark>U+202E RIGHT-TO-LEFT OVERRIDE</mark>" in shown
    assert "\u202e" not in shown
    assert shown.count("<li>") == 2
    assert "当心这些字符" in reviewer.get(f"/zh/review/{number}").text


def test_a_proposal_without_such_characters_is_shown_without_a_warning(reviewer: TestClient) -> None:
    submit(reviewer, NEW | {"fix": "用vLLM时把 max_tokens 调小。👩\u200d💻"})
    number = re.findall(r'href="/en/review/(\d+)"', reviewer.get("/en/review").text)[-1]
    assert "review-suspects" not in reviewer.get(f"/en/review/{number}").text
