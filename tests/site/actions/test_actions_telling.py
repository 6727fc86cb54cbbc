"""What readers tell the reviewers, and what becomes of it: both languages, with and without JavaScript."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from app.wiki import feedback, publishing
from tests import askers
from tests.site.acts import IN_BOTH_LANGUAGES, RACE, WITH_JAVASCRIPT, enter
from tests.site.pages import BEHIND

pytestmark = pytest.mark.browser


@IN_BOTH_LANGUAGES
def test_a_reviewer_reads_on_an_entry_what_was_said_of_it(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    slug = f"verl/said-{own}"
    with writing(connect(settings)) as session:
        publishing.publish(session, EntryDocument.model_validate(BEHIND | {"slug": slug}), actor="ann")
        feedback.say(session, slug, "a reader", "outdated", note=f"Said of {own}.")
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/e/{slug}")
    expect(page.locator(".helped")).to_contain_text(t(lang, "feedback.all", solved=0, other=0, old=1))
    page.locator(".helped").get_by_role("link", name=t(lang, "feedback.notes-title")).click()
    page.locator(".notes li", has_text=f"Said of {own}.").get_by_role("link").click()
    page.wait_for_url(f"**/{lang}/e/{slug}")


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_a_word_that_does_not_get_through_is_said_again(
    page: Page, context: BrowserContext, address: str, lang: Lang
) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.get_by_role("button", name=t(lang, "feedback.not-this")).click()
    page.fill("#feedback-note", "Mine says more.")
    context.set_offline(True)
    send = page.get_by_role("button", name=t(lang, "feedback.send"))
    send.click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.failed"))
    expect(page.locator("#feedback-note")).to_have_value("Mine says more.")
    context.set_offline(False)
    send.click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.noted"))


@IN_BOTH_LANGUAGES
def test_a_reader_says_what_is_wrong_and_a_reviewer_marks_the_note_as_read(
    page: Page, address: str, lang: Lang, scripted: bool, own: str
) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.get_by_role("button", name=t(lang, "feedback.solved")).click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.thanks.solved"))
    expect(page.locator("#feedback-note")).to_have_count(0)
    # a second thought takes the place of the first
    page.get_by_role("button", name=t(lang, "feedback.not-this")).click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.thanks.not-this"))
    page.fill("#feedback-note", f"Mine is {own}.")
    page.get_by_role("button", name=t(lang, "feedback.send")).click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.noted"))
    assert page.url.endswith(RACE) is scripted
    enter(page, address, lang)
    page.get_by_role("link", name=t(lang, "feedback.notes-title")).click()
    note = page.locator(".notes li", has_text=f"Mine is {own}.")
    note.get_by_role("button", name=t(lang, "feedback.see")).click()
    expect(note).to_have_class("seen")
    expect(note.get_by_role("button")).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_a_wanted_error_is_described_shown_to_everybody_or_taken_off_the_list(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    askers.ask(connect(settings), f"OrchardGateError: the {own} gate is stuck")
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/wanted")
    row = page.locator(".wanted li", has_text=f"the {own} gate")
    row.get_by_role("button", name=t(lang, "wanted.describe")).click()
    page.wait_for_url(f"**/{lang}/submit/draft")
    assert own in page.input_value("#f-signature")
    page.go_back()
    row.get_by_role("button", name=t(lang, "wanted.release")).click()
    expect(row).to_contain_text(t(lang, "wanted.released"))
    row.get_by_role("button", name=t(lang, "wanted.too")).click()
    expect(row).to_contain_text(t(lang, "wanted.asked", n=4))
    row.get_by_role("button", name=t(lang, "wanted.withdraw")).click()
    expect(row).to_contain_text(t(lang, "wanted.waits"))
    row.get_by_role("button", name=t(lang, "wanted.dismiss")).click()
    page.wait_for_url(f"**/{lang}/wanted")
    expect(row).to_have_count(0)
