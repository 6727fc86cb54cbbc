"""What people do, in a real browser, with and without JavaScript."""

import re
from contextlib import closing
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import text

from app.config import ROOT, Settings
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from tests.conftest import NAME, PASSWORD
from tests.site.acts import IN_BOTH_LANGUAGES, enter, proposed

pytestmark = pytest.mark.browser

LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
CHAIN = """\
OSError: [Errno 16] Device or resource busy: \
'/home/user/.cache/vllm/torch_compile_cache/9a41c07d1e/rank_0_0/triton_cache/Q7LMBD/tmp.pid_30118_5d2e'

The above exception was the direct cause of the following exception:

torch._dynamo.exc.BackendCompilerFailed: \
backend='<vllm.compilation.backends.VllmBackend object at 0x7f1b2c60d3f0>' raised:
ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_pasted_chain_names_its_cause_and_its_entry(page: Page, address: str, lang: str) -> None:
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", CHAIN)
    page.click("button.main")
    expect(page.locator("h1")).to_have_text(re.compile(r"^OSError: \[Errno 16\] Device or resource busy"))
    link = page.locator(".answer.first h2 a")
    expect(link).to_have_attribute("href", f"/{lang}/e/roll/torch-compile-cache-race")
    expect(page.locator(".answer.first mark").first).to_be_visible()
    link.click()
    expect(page.locator("article.entry h1")).to_be_visible()


def test_the_result_is_seen_in_the_other_language_by_one_click(page: Page, address: str) -> None:
    page.goto(f"{address}/en/")
    page.fill("#paste", LOG)
    page.click("button.main")
    page.click("button.switch")
    page.wait_for_url(f"{address}/zh/match")
    expect(page.locator(".answer.first h2 a")).to_have_attribute("href", "/zh/e/roll/torch-compile-cache-race")


def test_a_new_error_is_described_reviewed_published_and_found(page: Page, address: str) -> None:
    error = "GreenhouseValveError: valve 17 has frozen shut and the gardener is away"
    page.goto(f"{address}/en/")
    page.fill("#paste", error)
    page.click("button.main")
    page.click(".unknown button")
    page.fill("#f-project", "verl")
    page.fill("#f-fix", "1. Wait for spring.")
    page.click("button.main")
    page.wait_for_url("**/en/s/*")
    submitted = page.url
    expect(page.locator("h1")).to_contain_text("Waiting for a reviewer")

    page.goto(f"{address}/en/review")
    page.fill("#f-name", NAME)
    page.fill("#f-password", PASSWORD)
    page.click("button.main")
    page.click(".queue a")
    page.click(".decide button.main")
    page.wait_for_url("**/en/e/verl/*")
    expect(page.locator("article.entry")).to_contain_text("Wait for spring.")

    page.goto(f"{address}/zh/")
    page.fill("#paste", error.replace("17", "23"))
    page.click("button.main")
    expect(page.locator(".answer.first h2")).to_contain_text("GreenhouseValveError")
    page.goto(submitted)
    expect(page.locator("h1")).to_contain_text("Published")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_page_is_wider_than_the_window(browser: Browser, address: str, width: int) -> None:
    with closing(browser.new_context(viewport={"width": width, "height": 800})) as context:
        page = context.new_page()
        for path in ("/zh/", "/en/e/roll/torch-compile-cache-race", "/zh/submit", "/en/p/skyrl", "/en/sign-in"):
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.goto(f"{address}/zh/")
        page.fill("#paste", LOG)
        page.press("#paste", "Control+Enter")
        page.wait_for_url("**/match")
        expect(page.locator(".answer").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_code_is_copied_or_at_least_selected(browser: Browser, address: str) -> None:
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        page.goto(f"{address}/en/e/roll/torch-compile-cache-race")
        page.locator(".prose pre").first.hover()
        page.locator(".copy").first.click()
        expect(page.locator(".copy").first).to_contain_text("Selected")
        assert page.evaluate("getSelection().toString()").startswith("OSError: [Errno 16]")


@pytest.mark.parametrize(("lang", "other", "heading"), [("en", "zh", "修复"), ("zh", "en", "fix")])
def test_the_language_changes_and_the_place_in_the_text_stays(
    browser: Browser, address: str, lang: str, other: str, heading: str
) -> None:
    with closing(browser.new_context(viewport={"width": 390, "height": 600})) as context:
        page = context.new_page()
        page.goto(f"{address}/{lang}/e/roll/torch-compile-cache-race#fix")
        page.click("a.switch")
        page.wait_for_url(f"**/{other}/e/roll/torch-compile-cache-race#fix")
        at_the_top = (
            "(id) => { const { y } = document.getElementById(id).getBoundingClientRect(); return 0 <= y && y < 60; }"
        )
        page.wait_for_function(at_the_top, arg=heading)


def at(page: Page, heading: str) -> None:
    """See that the address leads to a heading."""
    expect(page).to_have_url(re.compile(f"#(?:{heading.lower()}|{quote(heading)})$"))


@pytest.mark.parametrize(("lang", "heading"), [("en", "Fix"), ("zh", "修复")])
def test_contents_are_folded_on_a_phone_and_stay_beside_the_text_elsewhere(
    page: Page, address: str, lang: Lang, heading: str
) -> None:
    page.goto(f"{address}/{lang}/e/roll/torch-compile-cache-race")
    folded, beside = page.locator(".contents.folded"), page.locator(".contents.beside")
    expect(folded).to_be_hidden()
    expect(beside).to_be_visible()
    page.mouse.wheel(0, 900)
    page.locator("#check").scroll_into_view_if_needed()
    expect(beside.get_by_role("link", name=heading)).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    expect(folded).to_be_visible()
    expect(beside).to_be_hidden()
    folded.locator("summary").click()
    folded.get_by_role("link", name=heading).click()
    at(page, heading)


@pytest.mark.parametrize(("lang", "heading"), [("en", "Fix"), ("zh", "修复")])
def test_a_link_to_a_heading_is_reached_by_keyboard(page: Page, address: str, lang: Lang, heading: str) -> None:
    page.goto(f"{address}/{lang}/e/roll/torch-compile-cache-race")
    anchor = page.get_by_role("link", name=t(lang, "entry.anchor", heading=heading))
    expect(anchor).to_have_css("opacity", "0")
    anchor.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(anchor).to_be_focused()
    expect(anchor).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    at(page, heading)


@IN_BOTH_LANGUAGES
def test_a_decision_stands_beside_the_text_on_a_desk_and_after_the_evidence_on_a_phone(
    page: Page, address: str, settings: Settings, lang: Lang
) -> None:
    number, _ = proposed(settings, lang, "decided")
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, address, lang, f"/review/{number}")

    def top(selector: str) -> float:
        box = page.locator(selector).bounding_box()
        assert box
        return box["y"]

    assert abs(top(".review-body > div:first-child") - top(".decide")) < 40
    assert top(".decide") < top(".evidence")
    page.set_viewport_size({"width": 390, "height": 800})
    assert top(".review-body > div:first-child") < top(".evidence") < top(".decide")
    page.get_by_role("link", name=t(lang, "review.decide")).click()
    expect(page.locator(".decide h2")).to_be_in_viewport()


def test_a_chinese_heading_breaks_between_words(browser: Browser, address: str) -> None:
    with closing(browser.new_context(viewport={"width": 390, "height": 800})) as context:
        page = context.new_page()
        page.goto(f"{address}/zh/e/roll/torch-compile-cache-race")
        heading = page.locator("article.entry h1")
        said = heading.text_content()
        expect(heading).to_have_css("word-break", "keep-all")
        assert heading.locator("wbr").count() > 0
        page.goto(f"{address}/en/e/roll/torch-compile-cache-race")
        assert page.locator("article.entry h1 wbr").count() == 0
    assert said
    assert "同时编译" in said


def test_what_is_printed_is_the_entry_alone(page: Page, address: str) -> None:
    page.goto(f"{address}/en/e/roll/torch-compile-cache-race")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 760, "height": 1000})
    for left_out in ("header.site", "footer.site", ".crumbs", ".contents", ".helped", ".plate > footer a >> nth=0"):
        expect(page.locator(left_out).first, left_out).to_be_hidden()
    expect(page.locator(".prose pre").first).to_have_css("white-space", "pre-wrap")
    after = "(one) => getComputedStyle(one, '::after').content"
    assert "https://" in page.locator(".sources a").first.evaluate(after)
    assert page.locator(".chip.strong").evaluate(after) == "none"


@IN_BOTH_LANGUAGES
def test_a_page_that_the_database_could_not_make_looks_again(
    browser: Browser, address: str, settings: Settings, lang: Lang
) -> None:
    """And a form that it could not take waits for its author."""

    def change(statement: str) -> None:
        with writing(connect(settings)) as session:
            session.execute(text(statement))

    with closing(browser.new_context()) as context:
        reader, writer = context.new_page(), context.new_page()
        writer.goto(f"{address}/{lang}/")
        writer.fill("#paste", CHAIN)
        change("ALTER TABLE entry RENAME TO away")
        reader.goto(f"{address}/{lang}/p/roll")
        writer.click("button.main")
        expect(reader.locator("[data-retry]")).to_have_text(t(lang, "error-page.reloads"))
        expect(writer.locator("[data-retry]")).to_have_text(t(lang, "error-page.tells"))
        expect(writer.locator("textarea")).to_have_value(CHAIN)
        change("ALTER TABLE away RENAME TO entry")
        reader.get_by_role("heading", name=t(lang, "project.title", name="ROLL")).wait_for()
        writer.get_by_text(t(lang, "error-page.back-again")).wait_for()
        writer.click("main button.main")
        expect(writer.locator(".answer.first")).to_be_visible()


def test_the_keyboard_leads_past_the_header_to_the_content(browser: Browser, address: str) -> None:
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(f"{address}/en/e/roll/torch-compile-cache-race")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#page-content")).to_be_focused()
