"""What keys do in place of a button: both languages."""

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.i18n import Lang
from app.i18n import text as t
from tests.site.acts import IN_BOTH_LANGUAGES, RACE, WITH_JAVASCRIPT, enter, fill_in, proposed

pytestmark = pytest.mark.browser

BY_EITHER_KEY = pytest.mark.parametrize("keys", ["Control+Enter", "Meta+Enter"])


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_send_a_note(page: Page, address: str, lang: Lang, keys: str) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.get_by_role("button", name=t(lang, "feedback.outdated")).click()
    page.fill("#feedback-note", "The flag is gone.")
    page.press("#feedback-note", keys)
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.noted"))


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_send_a_proposal(page: Page, address: str, lang: Lang, keys: str) -> None:
    page.goto(f"{address}/{lang}/submit")
    # faults are told as if the button was pressed
    page.press("#f-fix", keys)
    expect(page.locator(".problem.summary")).to_be_focused()
    fill_in(page, lang, "Sent by keys")
    page.fill("#f-name", f"keys-{lang}-{keys[:4].lower()}")
    page.press("#f-symptom", keys)
    page.wait_for_url(f"**/{lang}/s/*")
    expect(page.locator("article .title")).to_have_text(["Sent by keys"])


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_in_the_reason_decline(page: Page, address: str, settings: Settings, lang: Lang, keys: str) -> None:
    number, token = proposed(settings, lang, f"by-{keys[:4].lower()}-{lang}")
    enter(page, address, lang, f"/review/{number}")
    page.press("#f-reason", keys)
    expect(page.locator("#p-reason")).to_have_text(t(lang, "field.reason.needed"))
    page.fill("#f-reason", "Which version?")
    page.press("#f-reason", keys)
    page.wait_for_url(f"**/{lang}/review")
    page.goto(f"{address}/{lang}/s/{token}")
    expect(page.locator("blockquote")).to_have_text("Which version?")


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_save_an_amendment(page: Page, address: str, settings: Settings, lang: Lang, keys: str) -> None:
    number, _ = proposed(settings, lang, f"saved-{keys[:4].lower()}-{lang}")
    enter(page, address, lang, f"/review/{number}/amend")
    # NEW has an English text only: on the Chinese page it is the other one
    cause = "#f-cause" if lang == "en" else "#f-other_cause"
    page.fill(cause, "The frost.")
    page.press(cause, keys)
    page.wait_for_url(f"**/{lang}/review/{number}")
    expect(page.locator("article .prose")).to_contain_text("The frost.")


@IN_BOTH_LANGUAGES
def test_enter_in_the_note_publishes(page: Page, address: str, settings: Settings, lang: Lang, own: str) -> None:
    number, _ = proposed(settings, lang, f"enter-{own}")
    enter(page, address, lang, f"/review/{number}")
    page.fill("#f-note", "Read twice.")
    page.press("#f-note", "Enter")
    page.wait_for_url(f"**/{lang}/e/verl/enter-{own}")
