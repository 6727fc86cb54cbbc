"""The page that a form makes is shown before it is sent, by what shows entries."""

import re
from contextlib import closing

import pytest
from playwright.sync_api import Browser, ViewportSize, expect
from starlette.testclient import TestClient

from app.i18n import Lang
from app.i18n import text as t
from tests.site.acts import IN_BOTH_LANGUAGES
from tests.site.forms import typed_fields

FORM = {"project": "verl", "title": "`Leak` at home", "fix": "```bash\ncaulk --all\n```", "tags": "oom"}
SCRIPT = {"hx-request": "true"}
RACE = "/e/roll/torch-compile-cache-race"


def body(page: str) -> str:
    """The text of an entry in a page, as HTML."""
    return page.partition('<div class="prose"')[2].partition("<aside")[0]


@IN_BOTH_LANGUAGES
def test_without_a_script_the_page_stands_above_the_form_that_keeps_what_was_typed(
    client: TestClient, lang: Lang
) -> None:
    answer = client.post(f"/{lang}/submit/preview", data=FORM)
    assert answer.status_code == 200
    shown, _, _ = answer.text.partition('<form method="post"')
    assert "<code>Leak</code> at home" in shown
    assert "caulk" in body(shown)
    assert "?tag=oom" in shown
    assert {name: typed_fields(answer.text)[name] for name in FORM} == FORM
    assert client.get(f"/{lang}/submit/preview").url.path == f"/{lang}/submit"


@IN_BOTH_LANGUAGES
def test_an_entry_as_it_is_looks_as_its_page_does(reviewer: TestClient, lang: Lang) -> None:
    fields = typed_fields(reviewer.get(f"/{lang}{RACE}/edit").text)
    shown = reviewer.post(f"/{lang}/submit/preview", data=fields, headers=SCRIPT).text
    assert "<html" not in shown
    assert body(shown) == body(reviewer.get(f"/{lang}{RACE}").text) != ""
    # and so does one that a reviewer amends
    reviewer.post(f"/{lang}/submit", data=fields | {"note": "x", "tags": "oom"})
    address = f"/{lang}/review/1/amend"
    fields = typed_fields(reviewer.get(address).text)
    assert body(reviewer.post(f"{address}/preview", data=fields, headers=SCRIPT).text) == body(shown)
    assert 'id="preview"' in reviewer.post(f"{address}/preview", data=fields).text


@pytest.mark.parametrize(
    ("wrong", "seen"),
    [
        ({"signature": "x"}, "Leak"),
        ({"project": "", "title": ""}, "caulk"),
        ({"fix": ""}, "…"),
        ({"slug": "verl/there-is-none"}, "Leak"),
        ({"fix": "", "title": "", "other_title": "漏水", "other_fix": "堵上。"}, "堵上"),
    ],
)
def test_while_fields_are_wrong_the_text_alone_is_shown(client: TestClient, wrong: dict[str, str], seen: str) -> None:
    answer = client.post("/en/submit/preview", data=FORM | wrong, headers=SCRIPT)
    assert answer.status_code == 200
    assert seen in answer.text


def test_a_text_that_makes_no_page_is_said_to_make_none(client: TestClient) -> None:
    answer = client.post("/en/submit/preview", data=FORM | {"fix": "x" * 50_001}, headers=SCRIPT)
    assert t("en", "preview.none") in answer.text


@pytest.mark.browser
@pytest.mark.parametrize(("lang", "width"), [("zh", 390), ("en", 1280)])
def test_the_page_follows_what_is_typed_beside_the_form_or_in_its_place(
    browser: Browser, address: str, lang: Lang, width: int
) -> None:
    with closing(browser.new_context(viewport=ViewportSize(width=width, height=844))) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(f"{address}/{lang}{RACE}/edit")
        title, shown = page.locator("#f-title"), page.locator("#live-preview")
        expect(shown).to_be_hidden()
        page.locator(".panes").get_by_role("button", name=t(lang, "preview.title"), exact=True).click()
        expect(shown.locator("article")).to_be_visible()
        expect(title).to_be_visible(visible=width > 1000)
        if width > 1000:
            title.fill("Quite another title")
            expect(shown.locator("h2").first).to_have_text("Quite another title")
        page.get_by_role("button", name=t(lang, "preview.fields"), exact=True).click()
        expect(shown).to_be_hidden()
        title.fill("And a third one")
        # the button below the form leads there, too
        page.locator(".show-page").click()
        expect(shown.locator("h2").first).to_have_text("And a third one")
        expect(shown.locator("h2").first).to_be_in_viewport()
        if width < 1000:
            page.get_by_role("button", name=t(lang, "preview.fields"), exact=True).click()
            expect(page.locator("form.fields button.main")).to_be_in_viewport()
            page.locator(".show-page").click()
            page.goto(f"{address}/{lang}{RACE}/edit")
            page.locator(".show-page").click()
            expect(shown.locator("h2").first).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert re.search("/edit$", page.url)
