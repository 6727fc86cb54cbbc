"""The usual install: people reach the site by a host name over plain http, where browsers can do less."""

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import NAME, PASSWORD
from tests.site.conftest import CHROMIUM, SWITCHES
from tests.site.pages import UNKNOWN

pytestmark = pytest.mark.browser
HOST = "errdex.lan"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium in an office whose name server knows the host."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        known = [*SWITCHES, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        yield playwright.chromium.launch(executable_path=str(CHROMIUM), args=known)


@pytest.fixture
def colleague(browser: Browser, address: str) -> Iterator[tuple[Page, str]]:
    """A colleague's tab, and the address that they know the site by."""
    with closing(browser.new_context(locale="en-GB")) as context:
        context.set_default_timeout(15_000)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        yield page, f"http://{HOST}:{urlsplit(address).port}"
        assert faults == []


def test_the_browser_knows_less_there(colleague: tuple[Page, str]) -> None:
    """Otherwise the tests below would show nothing."""
    page, site = colleague
    page.goto(f"{site}/en/")
    assert page.evaluate("[isSecureContext, typeof navigator.clipboard, typeof crypto.subtle]") == [
        False,
        "undefined",
        "undefined",
    ]


def test_forms_are_taken_and_a_submission_is_published(colleague: tuple[Page, str]) -> None:
    page, site = colleague
    page.goto(f"{site}/en/")
    page.fill("#paste", UNKNOWN)
    page.click("main button.main")
    page.click(".unknown button")
    page.fill("#f-project", "verl")
    page.fill("#f-fix", "1. Wait for spring.")
    page.click("main button.main")
    page.wait_for_url(f"{site}/en/s/*")

    page.goto(f"{site}/en/review")
    page.fill("#f-name", NAME)
    page.fill("#f-password", PASSWORD)
    page.click("main button.main")
    page.wait_for_url(f"{site}/en/review")
    page.click(".queue a")
    page.click(".decide button.main")
    page.wait_for_url(f"{site}/en/e/verl/*")
    expect(page.locator("article.entry")).to_contain_text("Wait for spring.")


def test_cookies_keep_a_reviewer_signed_in_and_the_language_chosen(colleague: tuple[Page, str]) -> None:
    page, site = colleague
    page.goto(f"{site}/zh/sign-in")
    page.fill("#f-name", NAME)
    page.fill("#f-password", PASSWORD)
    page.click("main button.main")
    page.wait_for_url(f"{site}/zh/review")
    page.goto(f"{site}/")
    assert page.url == f"{site}/zh/"
    page.goto(f"{site}/zh/review")
    assert page.url == f"{site}/zh/review"
    page.click("footer button.plain")
    page.wait_for_url(f"{site}/zh/")
    page.goto(f"{site}/zh/review")
    assert "/sign-in" in page.url


def test_code_that_cannot_be_copied_is_selected(colleague: tuple[Page, str]) -> None:
    page, site = colleague
    page.goto(f"{site}/en/e/roll/torch-compile-cache-race")
    page.locator(".prose pre").first.hover()
    page.locator(".copy").first.click()
    expect(page.locator(".copy").first).to_contain_text("Selected")
    assert page.evaluate("getSelection().toString()").startswith("OSError: [Errno 16]")


def test_addresses_that_the_page_names_lead_back_to_that_host(colleague: tuple[Page, str]) -> None:
    page, site = colleague
    page.goto(f"{site}/en/e/roll/torch-compile-cache-race")
    named = "(all) => all.map((one) => one.href ?? one.content)"
    found = page.eval_on_selector_all("head link[href^=http], head meta[content^=http]", named)
    assert found
    assert all(one.startswith(f"{site}/") for one in found)
