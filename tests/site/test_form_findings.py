"""What the rules of `errdex check` find stands beside the box that it speaks of, in words of the page."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import i18n
from app.content.bundle import NOT_YET
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.quality import proposal_check
from app.site.contribute import entry_form
from app.site.contribute.form_places import held_form
from tests.site.forms import typed_fields

TITLE = "A pump leaks " * 12
WRONG = {
    "slug": "verl/leak",
    "updated": "2026-01-02",
    "tags": ["nobody-named-this"],
    "related": ["verl/no-such-entry"],
    "fixed": [{"package": "vllm", "release": "0.9"}],
    "affects": {"vllm": ">=0.8"},
    "signatures": [
        {"pattern": "LeakError: pump <*> leaks into the server room"},
        {"pattern": "LeakError: pump <*> leaks into the server room"},
        {"pattern": "LeakError: basin <number<x> is full", "unless": ["the basin <number<y>"]},
    ],
    "examples": ["LeakError: basin is full", "write to gardener@glasshouse.com"],
    "en": {"title": TITLE, "body": "## Symptom\nWet.\n\n## Cause\nRust.\n\n## Fix\n```\ncaulk\n```\n"},
    "zh": {
        "title": "漏水",
        "body": "## 现象\n湿了。\n\n## 原因\n[水泵](errdex:verl/nowhere)\n\n## 修复\n堵上。\n\n## 附注\n无。\n",
    },
}
PLACES = {
    "title": "title",
    "code-language": "fix",
    "sections-unknown": "other_body",
    "headings": "other_title",
    "code-number": "other_title",
    "link-gone": "other_body",
    "tag": "tags",
    "slug-gone": "related",
    "fixed": "fixed",
    "repeated": "signature",
    "private-email": "example-2",
}


def held(plain: dict[str, Any], lang: Lang) -> dict[str, set[str]]:
    """What is found in a document, {what: names of its boxes}."""
    document = EntryDocument.model_validate(plain)
    form = entry_form.from_document(document, lang, 0)
    found = held_form(
        list(proposal_check.findings(document, [], ())), document, lang, form.rows.filled(), is_whole=True
    )
    names: dict[str, set[str]] = {}
    for place, one in found.places:
        names.setdefault(one.what, set()).add(place.name)
        assert i18n.text("en", f"rules.kind.{one.what}", **one.values) != i18n.text(
            "zh", f"rules.kind.{one.what}", **one.values
        )
    return names


@pytest.mark.parametrize(("what", "name"), PLACES.items())
def test_a_finding_stands_beside_the_box_that_it_speaks_of(what: str, name: str) -> None:
    assert name in held(WRONG, "en")[what]


def test_on_a_page_of_the_other_language_the_boxes_of_both_change_places() -> None:
    wrong = WRONG | {"signatures": []}
    found = held(wrong, "zh")
    assert (found["title"], found["code-language"], found["link-gone"]) == ({"other_title"}, {"other_fix"}, {"body"})


def test_what_signatures_say_wrongly_stands_beside_their_rows_and_duplicates_and_general_ones_too() -> None:
    signatures = [
        {"pattern": "LeakError: pump <*> leaks into the server room"},
        {"pattern": "LeakError: basin <number<x> is full", "unless": ["the basin <number<y>"]},
        {"pattern": "KeyError: <*>"},
    ]
    found = held(WRONG | {"signatures": signatures}, "en")
    assert found["hole"] == {"signature-2", "signature_unless-2"}
    assert found["little"] == {"signature-3"}
    document = EntryDocument.model_validate(WRONG | {"signatures": signatures})
    twin = document.model_copy(update={"slug": "verl/twin"})
    told = [one for one in proposal_check.findings(document, [twin], ()) if one.kind == "same-pattern"]
    assert {one.field for one in told} >= {"signatures.1"}


def test_what_is_only_missing_yet_is_told_apart_from_what_is_wrong(client: TestClient) -> None:
    document = EntryDocument.model_validate(WRONG | {"zh": None, "examples": ["LeakError: basin is full"]})
    found = list(proposal_check.findings(document, [], ()))
    assert {one.what for one in found if one.can_wait} == {"language-zh", "examples", "tag", "code-language"}
    assert {"title", "slug-gone", "fixed", "repeated", "hole"} <= {one.what for one in found if not one.can_wait}
    assert all(i18n.has(f"rules.kind.{what}") for what in NOT_YET)
    # the fold of the other language stays closed where nothing but a translation is missing
    page = client.post("/en/submit/check", data=FORM).text
    told = page.partition('id="held"')[2].partition("</section>")[0]
    assert i18n.text("en", "rules.not-needed") in told or i18n.text("en", "rules.partly") in told
    assert re.search(r'<details class="fieldset">\s*<summary>The same in Chinese', page)


FORM = {"project": "verl", "title": TITLE, "symptom": "Wet.", "signature": ["", "LeakError: pump <*> leaks"]}


@pytest.mark.parametrize("lang", i18n.LANGS)
def test_a_form_is_held_against_the_rules_before_it_is_sent_and_keeps_what_was_typed(
    client: TestClient, lang: Lang
) -> None:
    answer = client.post(f"/{lang}/submit/check", data=FORM)
    assert answer.status_code == 200
    assert 'id="held"' in answer.text
    # a busy machine may not come to the title in two seconds, and then says so
    found = answer.text.partition('id="r-title"')[2].partition("</ul>")[0]
    assert ("120" in found) or i18n.text(lang, "rules.partly") in answer.text
    assert typed_fields(answer.text)["title"] == TITLE.strip()
    assert client.post(f"/{lang}/submit", data=FORM).status_code == 200


def test_a_form_of_which_no_entry_can_be_made_has_its_problems_instead(client: TestClient) -> None:
    answer = client.post("/en/submit/check", data={"title": "Leak", "example": "LeakError: at home"})
    assert answer.status_code == 422
    assert 'href="#f-project"' in answer.text
    assert client.get("/en/submit/check").url.path == "/en/submit"


def test_an_entry_as_it_is_can_be_looked_over(client: TestClient) -> None:
    page = client.get("/en/e/roll/torch-compile-cache-race/edit").text
    answer = client.post("/en/submit/check", data=typed_fields(page))
    assert answer.status_code == 200
    assert 'id="held"' in answer.text


def test_a_reviewer_amends_with_the_findings_beside_the_fields(reviewer: TestClient) -> None:
    reviewer.post("/en/submit", data=FORM)
    page = reviewer.get("/en/review/1/rules").text
    assert "/en/review/1/amend?rules=yes" in page or i18n.text("en", "rules.partly") in page
    page = reviewer.get("/en/review/1/amend?rules=yes").text
    assert 'id="held"' in page
    assert "120" in page or i18n.text("en", "rules.partly") in page
    checked = reviewer.post("/en/review/1/amend/check", data=typed_fields(page) | {"title": "Leak"})
    assert checked.status_code == 200
    assert typed_fields(checked.text)["title"] == "Leak"
    assert reviewer.get("/en/review/1/amend/check").url.path == "/en/review/1/amend"
    assert reviewer.post("/en/review/1/amend/check", data={"title": ""}).status_code == 422
