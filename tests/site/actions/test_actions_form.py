"""How somebody looks a form over before sending it, and mends what it says is wrong."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.i18n import Lang
from app.i18n import text as t
from tests.site.acts import IN_BOTH_LANGUAGES, enter, fill_in, proposed

pytestmark = pytest.mark.browser


@IN_BOTH_LANGUAGES
def test_the_summary_leads_to_the_box_that_is_wrong_wherever_it_is_folded(
    page: Page, address: str, lang: Lang, scripted: bool
) -> None:
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Valve")
    page.locator("summary", has_text=t(lang, "submit.sources")).click()
    page.fill("#f-source", "A handbook")
    page.fill("#f-source_url", "handbook")
    page.click("form.fields button.main")
    summary = page.locator(".problem.summary")
    expect(summary).to_contain_text(t(lang, "field.source-url.wrong"))
    summary.get_by_role("link", name=t(lang, "submit.field.source_url")).click()
    box = page.locator("#f-source_url")
    expect(box).to_be_focused()
    expect(box).to_be_in_viewport()
    expect(page.locator("#p-source_url")).to_have_text(t(lang, "field.source-url.wrong"))
    expect(box).to_have_accessible_description(re.compile(re.escape(t(lang, "field.source-url.wrong"))))


@IN_BOTH_LANGUAGES
def test_a_form_is_looked_over_and_shown_before_it_is_sent(
    page: Page, address: str, lang: Lang, scripted: bool, own: str
) -> None:
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Valve " * 24)
    page.fill("#f-name", f"looked-over-{own}")
    page.get_by_role("button", name=t(lang, "preview.check"), exact=True).click()
    held = page.locator("#held")
    expect(held).to_be_visible()
    # a busy machine may not come to the title in two seconds, and then says so
    found = page.locator("#r-title").or_(held.get_by_text(t(lang, "rules.partly")))
    expect(found.first).to_be_visible()
    expect(page.locator("#f-symptom")).to_have_value("It does not move.")
    page.locator(".show-page").click()
    shown = page.locator("#live-preview" if scripted else "#preview")
    expect(shown.locator("article h2").first).to_have_text(re.compile("^(Valve ?){24}$"))
    page.locator("form.fields button.main").click()
    page.wait_for_url(f"**/{lang}/s/*")


@IN_BOTH_LANGUAGES
def test_what_the_rules_found_leads_a_reviewer_to_the_boxes(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    number, _ = proposed(settings, "en", f"held-{own}")
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/review/{number}/amend?rules=yes")
    expect(page.locator("#held")).to_be_visible()
    page.goto(f"{address}/{lang}/review/{number}/rules")
    expect(page.locator("h1")).to_have_text(t(lang, "rules.title"))
    page.goto(f"{address}/{lang}/review/{number}")
    # said once
    expect(page.get_by_role("heading", name=t(lang, "rules.title"))).to_have_count(1)
