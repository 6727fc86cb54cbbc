"""The result page in a real browser: voting, the link, what is folded; with and without JavaScript."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.i18n import Lang
from app.i18n import text as t
from tests.site.acts import IN_BOTH_LANGUAGES
from tests.site.test_browser import LOG

pytestmark = pytest.mark.browser
UNKNOWN = "GreenhouseValveError: valve 17 has frozen shut and the gardener is away"


def ask(page: Page, address: str, text: str, lang: str = "en") -> None:
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", text)
    page.click("button.main")
    page.wait_for_url(re.compile("/match$"))


def scripts(page: Page) -> bool:
    """Whether this visitor has JavaScript."""
    return page.locator("input[data-copies] + button").count() == 1


@IN_BOTH_LANGUAGES
def test_a_vote_under_the_answer_is_thanked(page: Page, address: str, lang: Lang) -> None:
    ask(page, address, LOG, lang)
    stays = scripts(page)
    page.click(".helped button[value=solved]")
    expect(page.locator(".helped .thanks")).to_have_text(t(lang, "feedback.thanks.solved"))
    expect(page.locator(".helped .count-solved")).to_have_text(t(lang, "feedback.count", n=1))
    assert page.url.endswith("/match") is stays


def test_a_note_is_written_and_read_by_a_reviewer(page: Page, address: str) -> None:
    page.goto(f"{address}/zh/e/roll/torch-compile-cache-race")
    page.click(".helped .buttons button[value=outdated]")
    expect(page.locator(".helped .thanks")).to_contain_text("谢谢")
    page.fill("#feedback-note", "参数改名了")
    page.click(".helped .tell button")
    expect(page.locator(".helped .thanks")).to_contain_text("留言收到了")
    expect(page.locator("#feedback-note")).to_have_count(0)
    expect(page.locator(".helped [aria-pressed=true]")).to_have_text("内容过时了")
    page.goto(f"{address}/zh/review/feedback")
    page.fill("#f-name", "rita")
    page.fill("#f-password", "correct horse battery")
    page.click("button.main")
    expect(page.locator(".notes .note")).to_have_text("参数改名了")
    page.click(".notes button")
    expect(page.locator(".notes .seen")).to_have_count(1)


def test_the_link_is_looked_over_copied_and_opened(page: Page, context: BrowserContext, address: str) -> None:
    ask(page, address, UNKNOWN)
    page.click("#link summary")
    expect(page.locator(".carried pre")).to_have_text(
        "GreenhouseValveError: valve <number> has frozen shut and the gardener is away"
    )
    if scripts(page):
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        page.click("input[data-copies] + button")
        expect(page.locator("#link-status")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#link-address")
    page.click("#link a")
    expect(page.locator(".specimen mark")).to_contain_text("valve <number> has frozen shut")
    page.click("a.switch")
    page.wait_for_url(re.compile(r"/zh/match\?s="))


@IN_BOTH_LANGUAGES
def test_folded_lines_are_opened_and_closed(page: Page, address: str, lang: Lang) -> None:
    ask(page, address, "".join(f"step {number} is done\n" for number in range(50)) + LOG, lang)
    first = page.locator(".answer.first details.fold").first
    expect(first.locator(".line").first).to_be_hidden()
    folded = first.locator(".line").count()
    expect(first.locator("summary")).to_have_text(t(lang, "result.folded", n=folded))
    first.locator("summary").click()
    expect(first.locator(".line").first).to_be_visible()
    assert first.locator(".line").first.inner_text().strip() == "step 0 is done"
    first.locator("summary").click()
    expect(first.locator(".line").first).to_be_hidden()
    page.locator(".second summary").click()
    expect(page.locator(".second .reasons").first).to_be_visible()
