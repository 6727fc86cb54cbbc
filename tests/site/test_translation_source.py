"""Who writes one language has the other one beside it, section by section, with what changed in it since."""

import re

import pytest
from starlette.testclient import TestClient

from app.i18n import Lang
from app.i18n import text as t
from tests.site.forms import typed_fields
from tests.site.test_submit import ROLL, submit


def beside(page: str, box: str) -> tuple[bool, str]:
    """Whether the other language beside a box is open, and all that it says."""
    field = page.partition(f'id="f-{box}"')[2].partition('<div class="field')[0]
    found = re.search(r'<details class="source"( open)?>(.*?)</details>', field, re.DOTALL)
    return (bool(found[1]), found[2]) if found else (False, "")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_level_languages_stand_beside_each_other_folded(client: TestClient, lang: Lang) -> None:
    page = client.get(ROLL.replace("/en/", f"/{lang}/")).text
    other = typed_fields(page)
    for box in ("title", "symptom", "cause", "fix"):
        is_open, text = beside(page, box)
        assert not is_open
        assert str(other[f"other_{box}"])[:40].replace("'", "&#39;") in text


def test_what_changed_since_is_shown_where_the_text_was_left_behind_and_gone_when_it_caught_up(
    reviewer: TestClient,
) -> None:
    fields = typed_fields(reviewer.get(ROLL).text)
    cause = f"{fields['cause']}\nSo it is on arm, too."
    reviewer.post("/en/submit", data=fields | {"cause": cause, "publish": "1"})
    zh = ROLL.replace("/en/", "/zh/")
    page = reviewer.get(zh).text
    is_open, text = beside(page, "cause")
    assert is_open
    assert t("zh", "translation.changed-since") in text
    assert "<ins>+So it is on arm, too." in text
    assert "translating" in page
    assert not beside(page, "fix")[0]
    # a form that comes back has it, too
    typed = typed_fields(page)
    assert (
        "So it is on arm" in beside(reviewer.post("/zh/submit/rows", data=typed | {"add": "source"}).text, "cause")[1]
    )
    # a reviewer who amends a proposal sees it, and so does one who opens the entry afterwards, until it is level
    submit(reviewer, typed | {"tags": "oom"}, "zh")
    assert "<ins>+So it is on arm, too." in beside(reviewer.get("/zh/review/2/amend").text, "cause")[1]
    reviewer.post("/zh/submit", data=typed | {"cause": f"{typed['cause']}\narm 上也一样。", "publish": "1"})
    page = reviewer.get(zh).text
    assert not beside(page, "cause")[0]
    assert "translating" not in page


def test_who_opens_an_entry_in_a_language_that_it_lacks_has_the_other_one_beside_each_box(client: TestClient) -> None:
    typed = {"title": "Leak", "symptom": "Wet.", "fix": "Caulk.", "project": "verl"}
    page = client.post("/zh/submit/switch", data=typed | {"titles": ""}).text
    assert [beside(page, box) != (False, "") for box in ("title", "symptom", "cause", "fix")] == [
        True,
        True,
        False,
        True,
    ]
    assert beside(page, "fix")[0]
    assert "Caulk." in beside(page, "fix")[1]


def test_what_changed_in_an_entry_that_was_withdrawn_is_not_told(reviewer: TestClient) -> None:
    fields = typed_fields(reviewer.get(ROLL).text)
    reviewer.post("/en/submit", data=fields | {"cause": "A secret of the house.", "publish": "1"})
    fields = typed_fields(reviewer.get(ROLL).text)
    reviewer.post("/en/submit", data=fields | {"status": "withdrawn", "publish": "1"})
    stranger = TestClient(reviewer.app)
    sent = {"slug": fields["slug"], "title": "x", "other_title": "y", "other_cause": "z"}
    assert "A secret" not in stranger.post("/zh/submit/rows", data=sent).text
