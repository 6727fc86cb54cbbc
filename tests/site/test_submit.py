"""Proposing entries and changes."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import i18n
from app.i18n import Lang
from tests.conftest import sign_in
from tests.site.forms import typed_fields
from tests.site.pages import LOG

NEW = {
    "project": "verl",
    "title": "GreenhouseValveError when it freezes",
    "symptom": "The valve does not move.",
    "signature": "GreenhouseValveError: valve <*> has frozen shut",
    "example": "GreenhouseValveError: valve 17 has frozen shut",
    "submitter": "ann",
}
ROLL = "/en/e/roll/torch-compile-cache-race/edit"


def submit(client: TestClient, fields: dict[str, Any], lang: str = "en") -> str:
    answer = client.post(f"/{lang}/submit", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_what_one_knows_is_enough_and_leads_to_a_page_of_ones_own(client: TestClient) -> None:
    page = client.get(submit(client, NEW)).text
    assert "Waiting for a reviewer" in page
    assert "verl/greenhousevalveerror-when-it-freezes" in page
    assert "The valve does not move." in page


def test_a_paste_without_an_entry_fills_half_of_the_form(client: TestClient) -> None:
    error = "GreenhouseValveError: valve 17 is shut"
    text = f'INFO ok\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n{error}\n'
    fields = typed_fields(client.post("/en/submit/draft", data={"text": text}).text)
    assert "GreenhouseValveError" in fields["title"]
    assert "GreenhouseValveError" in fields["signature"][0]
    assert error in fields["example"][0]


@pytest.mark.parametrize(
    ("frame", "error", "components", "tags"),
    [
        ("/venv/lib/python3.12/site-packages/vllm/worker.py", "RuntimeError: CUDA out of memory", "cuda vllm", "oom"),
        ("/venv/lib/python3.12/site-packages/flash_attn/a.py", "OSError: undefined symbol", "flash-attn", "import"),
        # a folder and a word that only begin alike, and the standard library
        ("/home/me/rayon/run.py", "ValueError: rays and tokenizers2 fell out", "", ""),
        ("/usr/lib/python3.12/sqlite3/a.py", "ValueError: it is not there", "", ""),
    ],
)
def test_components_and_tags_are_guessed_from_the_message_and_the_stack(
    client: TestClient, frame: str, error: str, components: str, tags: str
) -> None:
    text = f'Traceback (most recent call last):\n  File "{frame}", line 1, in f\n    g()\n{error}\n'
    fields = typed_fields(client.post("/en/submit/draft", data={"text": text}).text)
    assert (fields["components"], fields["tags"]) == (components, tags)


def test_an_empty_paste_gives_the_empty_form(client: TestClient) -> None:
    assert typed_fields(client.post("/en/submit/draft", data={"text": ""}).text)["title"] == ""


def test_the_form_is_in_the_language_of_the_page(client: TestClient) -> None:
    link = submit(client, NEW | {"title": "阀门冻住了", "symptom": "阀门不动。", "name": "frozen-valve"}, "zh")
    page = client.get(link).text
    assert "等待审核" in page
    assert '<h2 id="现象">' in page


def test_both_languages_can_be_sent_at_once(client: TestClient) -> None:
    page = client.get(submit(client, NEW | {"other_title": "阀门冻住了", "other_cause": "天冷。"})).text
    assert "阀门冻住了" in page
    assert '<h2 id="原因">' in page


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("project", "", "Say which project"),
        ("project", "Grüne Ventile!", "lowercase letters"),
        ("name", "a/b", "lowercase letters"),
        ("title", "", "Give it a title"),
        ("title", "x" * 501, "at most 500"),
        ("symptom", "", "at least one of"),
        ("cause", "x" * 50_001, "too long"),
        ("signature", "ab", "3 to 2,000"),
        ("example", "x" * 200_001, "200,000"),
        ("other_symptom", "只有现象", "Give it a title"),
        ("affects", "torch about 2", "cannot be read"),
        ("affects", "torch <2.4\n" * 21, "At most 20"),
        ("fixed", "torch soon", "cannot be read"),
        ("fixed", "torch 2.4 not-an-address", "cannot be read"),
        ("fails", "torch <2.4", "cannot be read"),
        ("works", "torch <2.4 and more", "cannot be read"),
    ],
)
def test_a_field_that_cannot_be_used_is_named_and_nothing_is_lost(
    client: TestClient, field: str, typed: str, message: str
) -> None:
    answer = client.post("/en/submit", data=NEW | {"note": "my note", field: typed})
    assert answer.status_code == 422
    assert message in re.sub(r"\s+", " ", answer.text)
    again = typed_fields(answer.text)
    assert again["note"] == "my note"
    assert again["signature"] == [typed if field == "signature" else NEW["signature"]]


def test_a_name_that_is_taken_is_said(client: TestClient) -> None:
    answer = client.post("/en/submit", data=NEW | {"project": "roll", "name": "torch-compile-cache-race"})
    assert answer.status_code == 422
    assert "already an entry" in answer.text
    assert 'href="/en/e/roll/torch-compile-cache-race/edit"' in answer.text


def test_odd_characters_are_not_an_error_of_ours(client: TestClient) -> None:
    fields = NEW | {"title": "a\0b\r\nc", "symptom": "\0x\ud7ff", "submitter": "n\0" * 500, "note": "\0"}
    assert "Waiting" in client.get(submit(client, fields)).text


def test_the_edit_form_sent_unchanged_says_so(client: TestClient) -> None:
    for lang in ("en", "zh"):
        fields = typed_fields(client.get(ROLL.replace("/en/", f"/{lang}/")).text)
        answer = client.post(f"/{lang}/submit", data=fields)
        assert answer.status_code == 422
        assert ("Nothing was changed" in answer.text) or ("还没有改动" in answer.text)


def test_a_change_keeps_what_the_form_does_not_show(reviewer: TestClient) -> None:
    fields = typed_fields(reviewer.get(ROLL).text)
    link = submit(reviewer, fields | {"check": "Look whether it runs."})
    assert "change" in reviewer.get(link).text
    changed = re.findall(r"<(?:ins|del)>(.*)", reviewer.get("/en/review/1").text)
    # the day of the change is a line too, but for an entry of today
    added = [line for line in changed if len(line) > 1 and line.startswith("+") and "updated" not in line]
    assert added == ["+Look whether it runs."]
    for kept in ("sources", "tags", "weak", "affects", "examples", "titles"):
        assert not any(kept in line for line in changed)


def test_rows_of_versions_are_lines_of_the_form(reviewer: TestClient) -> None:
    """A line more is a row more, and the entry's page shows them once they are approved."""
    fields = typed_fields(reviewer.get(ROLL).text)
    assert fields["affects"] == "roll <0.1.1"
    typed = {
        "affects": fields["affects"] + "\r\nvLLM  >= 0.6, <0.10.2",
        "fixed": "roll 0.1.1 https://example.com/1\nvllm v0.10.2",
        "fails": "trl <0.17, vllm >=0.8.5,<0.9",
        "works": "trl>=0.17 + vllm>=0.8.5",
    }
    submit(reviewer, fields | typed)
    again = typed_fields(reviewer.get("/en/review/1/amend").text)
    assert str(again["affects"]).splitlines() == ["roll <0.1.1", "vllm >=0.6,<0.10.2"]
    assert str(again["fixed"]).splitlines() == ["roll 0.1.1 https://example.com/1", "vllm 0.10.2"]
    assert (again["fails"], again["works"]) == ("trl <0.17, vllm >=0.8.5,<0.9", "trl >=0.17, vllm >=0.8.5")
    review = reviewer.get("/en/review/1").text
    assert "+versions = { trl = &#34;&lt;0.17&#34;, vllm = &#34;&gt;=0.8.5,&lt;0.9&#34; }" in review
    version = re.findall(r'name="version" value="(\d+)"', review)[0]
    shown = reviewer.post("/en/review/1/approve", data={"version": version}).text
    assert '<a href="https://example.com/1" rel="noopener noreferrer"><code>roll 0.1.1</code></a>' in shown
    assert "Do not work together" in shown
    assert "Work together" in shown


def test_a_change_from_an_outdated_revision_is_asked_for_again(client: TestClient) -> None:
    fields = typed_fields(client.get(ROLL).text) | {"title": "Another title", "revision": "7"}
    answer = client.post("/en/submit", data=fields)
    assert "was changed while you were writing" in answer.text
    again = typed_fields(answer.text)
    assert (again["title"], again["revision"]) == ("Another title", "1")
    submit(client, again)


def test_a_change_to_an_entry_that_is_gone_is_not_found(client: TestClient) -> None:
    assert client.post("/en/submit", data=NEW | {"slug": "verl/never-was"}).status_code == 404


def test_a_link_that_was_never_given_out_is_not_found(client: TestClient) -> None:
    assert client.get("/en/s/AAAA").status_code == 404


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"title": "\u200b\u2060"}, "All characters of this title are invisible"),
        ({"other_title": "\u3164", "other_fix": "等。"}, "All characters of this title are invisible"),
        ({"fix": "\u200b\u00ad"}, "All characters of this text are invisible"),
    ],
)
def test_what_shows_nothing_is_not_taken_and_what_was_typed_stays(
    client: TestClient, fields: dict[str, str], told: str
) -> None:
    answer = client.post("/en/submit", data=NEW | fields)
    assert answer.status_code == 422
    assert told in answer.text
    assert typed_fields(answer.text)["symptom"] == NEW["symptom"]


def test_a_link_to_an_entry_that_is_not_there_is_named_when_a_text_is_sent(client: TestClient) -> None:
    fix = "See [one](errdex:verl/no-such-entry), [two](errdex:skyrl/http-400) and [three](errdex:verl/no-such-entry)."
    form = {"project": "verl", "name": "linked", "kind": "error", "title": "LinkError: it is dead", "fix": fix}
    page = client.post("/en/submit", data=form | {"revision": "0"})
    assert page.status_code == 200
    assert "This link leads to no entry: <code>errdex:verl/no-such-entry</code>" in re.sub(r":\s*<", ": <", page.text)
    sign_in(client)
    review = client.get("/zh/review/1").text
    assert "errdex:verl/no-such-entry</code>" in review
    assert "errdex:skyrl/http-400</code>" not in review


def test_what_answers_a_title_or_an_example_already_is_said_while_it_is_written(client: TestClient) -> None:
    form = {"title": "", "example": LOG}
    part = client.post("/en/submit/answered", data=form).text
    assert "Already answered by" in part
    assert "/en/e/roll/torch-compile-cache-race" in part
    # not by itself, and not by what is only near
    assert "href" not in client.post("/en/submit/answered", data=form | {"slug": "roll/torch-compile-cache-race"}).text
    assert "href" not in client.post("/zh/submit/answered", data={"title": "阀门", "example": ""}).text
    # without a script it stands on the form that comes back
    assert "/en/e/roll/torch-compile-cache-race" in client.post("/en/submit/rows", data=form).text


@pytest.mark.parametrize("lang", i18n.LANGS)
def test_the_form_begins_with_what_it_needs_and_folds_the_rest(client: TestClient, lang: Lang) -> None:
    page = client.post(f"/{lang}/submit/draft", data={"text": NEW["example"]}).text
    order = [page.index(f'name="{name}"') for name in ("title", "project", "new_project_en", "symptom", "fix", "name")]
    assert order == sorted(order)
    assert i18n.text(lang, "submit.reviewed") in page
    # what a signature tells beside its message is folded, until it tells something
    folded = '<details class="more-fields">'
    assert folded in page.partition('id="f-signature"')[2].partition('name="signature_is"')[0]
    weak = client.post(f"/{lang}/submit/rows", data=NEW | {"signature": "ValveError", "signature_weight": "weak"}).text
    assert folded not in weak.partition('id="f-signature"')[2].partition('name="signature_is"')[0]


def test_who_has_signed_in_is_not_asked_for_a_name(client: TestClient) -> None:
    assert 'id="f-submitter"' in client.get("/en/submit").text
    page = sign_in(client).get("/en/submit").text
    assert 'id="f-submitter"' not in page
    assert i18n.text("en", "submit.reviewed") not in page
