"""Searching in a real browser: while one types, with the keyboard, with an input method, and without JavaScript."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.site.acts import IN_BOTH_LANGUAGES, suggested

pytestmark = pytest.mark.browser

OPTIONS = "#page-suggestions [role=option]"


def is_fault(said: ConsoleMessage) -> bool:
    """Whether something is an error; htmx calls one what it takes back because more was typed meanwhile."""
    return said.type == "error" and not said.text.startswith(("htmx:afterRequest", "htmx:sendAbort"))


@pytest.fixture
def typing(browser: Browser, address: str) -> Iterator[Page]:
    """A page with JavaScript that fails the test when the browser finds fault, or asks another host."""
    with closing(browser.new_context()) as context:
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("request", lambda request: pytest.fail(request.url) if not request.url.startswith(address) else None)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        # the browser tells of what the content security policy stopped on the console
        page.on("console", lambda said: pytest.fail(said.text) if is_fault(said) else None)
        yield page


def test_a_plain_search_works_in_the_header_and_on_its_page(page: Page, address: str) -> None:
    page.goto(f"{address}/en/p/verl")
    page.fill("#page-search", "tensordict")
    page.press("#page-search", "Enter")
    page.wait_for_url("**/en/search?q=tensordict")
    page.locator(".choices a").first.click()
    page.wait_for_url("**/en/search?q=tensordict&*")
    page.fill("#search-words", "wandb proxy")
    page.locator(".seek-form button").click()
    page.wait_for_url("**q=wandb+proxy**")
    page.locator(".chosen a").click()
    page.wait_for_url("**/en/search?q=wandb+proxy")
    expect(page.locator(".results a").first).to_have_attribute("href", "/en/e/verl/wandb-proxy")


@pytest.mark.parametrize(("lang", "said"), [("en", "suggestion"), ("zh", "条建议")])
def test_suggestions_come_while_one_types_and_the_keyboard_chooses(
    typing: Page, address: str, lang: str, said: str
) -> None:
    typing.goto(f"{address}/{lang}/browse")
    box = typing.locator("#page-search")
    expect(box).to_have_attribute("aria-expanded", "false")
    box.press_sequentially("tensord", delay=20)
    suggested(typing, "tensord")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(typing.locator("#page-search-said")).to_contain_text(said)
    box.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "page-option-1")
    expect(typing.locator("#page-option-1")).to_have_attribute("aria-selected", "true")
    # up twice: back to the box, then to the last
    box.press("ArrowUp")
    expect(box).not_to_have_attribute("aria-activedescendant", re.compile(""))
    box.press("ArrowUp")
    expect(box).to_have_attribute("aria-activedescendant", "page-option-whole")
    box.press("ArrowDown")
    box.press("ArrowDown")
    box.press("Enter")
    typing.wait_for_url(f"**/{lang}/e/verl/tensordict-membership-check")


@IN_BOTH_LANGUAGES
def test_escape_closes_the_list_and_enter_then_searches(typing: Page, address: str, lang: str) -> None:
    typing.goto(f"{address}/{lang}/browse")
    box = typing.locator("#page-search")
    box.press_sequentially("wandb", delay=20)
    suggested(typing, "wandb")
    box.press("Escape")
    expect(typing.locator("#page-suggestions")).to_be_hidden()
    expect(box).to_have_value("wandb")
    box.press("Enter")
    typing.wait_for_url(f"**/{lang}/search?q=wandb")


@IN_BOTH_LANGUAGES
def test_a_suggestion_can_be_clicked_and_leaving_the_box_closes_the_list(typing: Page, address: str, lang: str) -> None:
    typing.goto(f"{address}/{lang}/browse")
    box = typing.locator("#page-search")
    box.press_sequentially("wandb", delay=20)
    suggested(typing, "wandb")
    typing.mouse.click(5, 600)
    expect(typing.locator("#page-suggestions")).to_be_hidden()
    box.focus()
    typing.locator(OPTIONS).first.click()
    typing.wait_for_url(f"**/{lang}/e/**")


@IN_BOTH_LANGUAGES
def test_an_emptied_box_suggests_nothing(typing: Page, address: str, lang: str) -> None:
    typing.goto(f"{address}/{lang}/browse")
    box = typing.locator("#page-search")
    box.press_sequentially("wandb", delay=20)
    expect(typing.locator(OPTIONS).first).to_be_visible()
    box.fill("")
    expect(typing.locator("#page-suggestions")).to_be_hidden()


@IN_BOTH_LANGUAGES
def test_what_an_input_method_has_not_finished_is_not_asked(typing: Page, address: str, lang: str) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/search/typing" in request.url:
            asked.append(request.url)

    typing.goto(f"{address}/{lang}/browse")
    typing.on("request", note)
    typing.locator("#page-search").focus()
    composing = typing.context.new_cdp_session(typing)
    for letters in ("x", "xi", "xian", "xian cun"):
        composing.send(
            "Input.imeSetComposition", {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)}
        )
    composing.send("Input.insertText", {"text": "显存"})
    expect(typing.locator(OPTIONS).first).to_be_visible()
    assert len(asked) == 1
    assert asked[0].endswith("%E6%98%BE%E5%AD%98")


@pytest.mark.parametrize(("lang", "other"), [("en", "zh"), ("zh", "en")])
def test_the_search_page_follows_what_is_typed_and_keeps_its_filters_and_address(
    typing: Page, address: str, lang: str, other: str
) -> None:
    typing.goto(f"{address}/{lang}/search?project=skyrl")
    words = typing.locator("#search-words")
    words.press_sequentially("cuda out of mem", delay=10)
    expect(typing.locator("#found-said")).to_contain_text("cuda out of mem")
    expect(typing.locator(".results a").first).to_have_attribute("href", f"/{lang}/e/skyrl/cuda-oom-startup")
    typing.wait_for_url(f"**/{lang}/search?q=cuda+out+of+mem&project=skyrl")
    expect(words).to_be_focused()
    # the other language shows the same search
    typing.locator("a.switch").click()
    typing.wait_for_url(f"**/{other}/search?q=cuda+out+of+mem&project=skyrl")
    # and the filter is taken away without losing the words
    typing.locator(".chosen a").click()
    typing.wait_for_url(f"**/{other}/search?q=cuda+out+of+mem")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_keys_lead_to_the_search_through_what_was_found_and_back(typing: Page, address: str, lang: str) -> None:
    typing.goto(f"{address}/{lang}/search?q=cuda")
    words, found = typing.locator("#search-words"), typing.locator(".results > li > a:first-child")
    # the page begins in the box: out of it, a letter is no letter any more
    typing.locator("h1").click()
    typing.keyboard.press("/")
    expect(words).to_be_focused()
    expect(words).to_have_value("cuda")
    for number in (0, 1):
        typing.keyboard.press("ArrowDown")
        expect(found.nth(number)).to_be_focused()
    typing.keyboard.press("ArrowUp")
    expect(found.nth(0)).to_be_focused()
    typing.keyboard.press("ArrowUp")
    expect(words).to_be_focused()
    typing.keyboard.press("ArrowDown")
    typing.keyboard.press("Escape")
    expect(words).to_be_focused()
    typing.keyboard.press("ArrowDown")
    leads = found.nth(0).get_attribute("href")
    typing.keyboard.press("Enter")
    typing.wait_for_url(f"**{leads}")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_lists_of_browse_shrink_to_what_holds_the_words(typing: Page, address: str, lang: str) -> None:
    typing.goto(f"{address}/{lang}/browse")
    words = typing.locator("#browse-words")
    shown = typing.locator(".shelves li:not([hidden])")
    everything = shown.count()
    words.fill("FlashAtt")
    expect(shown.filter(has_not_text=re.compile("FlashAtt"))).to_have_count(0)
    assert 0 < shown.count() < everything
    # a list of which nothing is left has no heading either
    expect(typing.locator(".shelves section:not([hidden]):not(:has(li:not([hidden])))")).to_have_count(0)
    expect(typing.locator(".shelves section[hidden]").first).to_be_hidden()
    words.fill("qzxjvwkrp")
    expect(shown).to_have_count(0)
    words.fill("")
    expect(shown).to_have_count(everything)


def test_nothing_runs_that_the_policy_forbids(typing: Page, address: str) -> None:
    typing.goto(f"{address}/en/search")
    assert typing.evaluate("htmx.config.allowEval") is False
    assert typing.evaluate("document.querySelectorAll('style').length") == 0


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_list_of_suggestions_stays_inside_the_window(browser: Browser, address: str, width: int) -> None:
    with closing(browser.new_context(viewport={"width": width, "height": 700})) as context:
        page = context.new_page()
        for path in ("/en/browse", "/zh/changes", "/en/search?q=cuda&project=skyrl"):
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.goto(f"{address}/zh/browse")
        page.locator("#page-search").press_sequentially("cuda", delay=20)
        suggested(page, "cuda")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shown = page.locator("#page-suggestions").bounding_box()
        assert shown is not None
        assert shown["x"] >= 0
        assert shown["x"] + shown["width"] <= width


def test_without_javascript_no_empty_list_is_shown(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/en/browse")
    expect(page.locator("#page-suggestions")).to_be_hidden()
