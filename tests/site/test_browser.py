"""What people do, in a real browser, with and without JavaScript."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from starlette.testclient import TestClient

from app.config import ROOT
from tests.conftest import NAME, PASSWORD

pytestmark = pytest.mark.browser

CHROMIUM = Path("/usr/bin/chromium")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
CHAIN = """\
OSError: [Errno 16] Device or resource busy: \
'/home/user/.cache/vllm/torch_compile_cache/9a41c07d1e/rank_0_0/triton_cache/Q7LMBD/tmp.pid_30118_5d2e'

The above exception was the direct cause of the following exception:

torch._dynamo.exc.BackendCompilerFailed: \
backend='<vllm.compilation.backends.VllmBackend object at 0x7f1b2c60d3f0>' raised:
ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)


@pytest.fixture
def address(client: TestClient) -> Iterator[str]:
    """The application of `client`, served on a free port."""
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(client.app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(params=[True, False], ids=["with-javascript", "without-javascript"])
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    with closing(browser.new_context(java_script_enabled=request.param)) as context:
        context.set_default_timeout(15_000)
        yield context


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    """A page that fails the test when anything is asked of another host, or the browser finds fault."""
    page = context.new_page()
    page.on("request", lambda request: pytest.fail(request.url) if not request.url.startswith(address) else None)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return page


@pytest.mark.parametrize(("lang", "cause"), [("en", "First cause"), ("zh", "首个原因")])
def test_a_pasted_chain_names_its_cause_and_its_entry(page: Page, address: str, lang: str, cause: str) -> None:
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", CHAIN)
    page.click("button.main")
    first = page.locator(".first-cause")
    assert cause.lower() in first.locator("dt").inner_text().lower()
    assert first.locator("dd").inner_text().startswith("OSError: [Errno 16] Device or resource busy")
    link = page.locator(".answer.first h2 a")
    assert link.get_attribute("href") == f"/{lang}/e/roll/torch-compile-cache-race"
    assert page.locator(".answer.first mark").count() > 0
    link.click()
    assert page.locator("article.entry h1").is_visible()


def test_the_result_is_seen_in_the_other_language_by_one_click(page: Page, address: str) -> None:
    page.goto(f"{address}/en/")
    page.fill("#paste", LOG)
    page.click("button.main")
    page.click("button.switch")
    assert page.url == f"{address}/zh/match"
    assert page.locator(".answer.first h2 a").get_attribute("href") == "/zh/e/roll/torch-compile-cache-race"


def test_a_new_error_is_described_reviewed_published_and_found(page: Page, address: str) -> None:
    error = "GreenhouseValveError: valve 17 has frozen shut and the gardener is away"
    page.goto(f"{address}/en/")
    page.fill("#paste", error)
    page.click("button.main")
    page.click(".invite button")
    page.fill("#f-project", "verl")
    page.fill("#f-fix", "1. Wait for spring.")
    page.click("button.main")
    submitted = page.url
    assert "Waiting for a reviewer" in page.inner_text("h1")

    page.goto(f"{address}/en/review")
    page.fill("#f-name", NAME)
    page.fill("#f-password", PASSWORD)
    page.click("button.main")
    page.click(".queue a")
    page.click(".decide button.main")
    assert "Wait for spring." in page.inner_text("article.entry")

    page.goto(f"{address}/zh/")
    page.fill("#paste", error.replace("17", "23"))
    page.click("button.main")
    assert "GreenhouseValveError" in page.inner_text(".answer.first h2")
    page.goto(submitted)
    assert "Published" in page.inner_text("h1")


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
        page.wait_for_selector(".answer")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_code_is_copied_or_at_least_selected(browser: Browser, address: str) -> None:
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        page.goto(f"{address}/en/e/roll/torch-compile-cache-race")
        page.locator(".prose pre").first.hover()
        page.locator(".copy").first.click()
        assert page.evaluate("getSelection().toString()").startswith("OSError: [Errno 16]")
        assert "Selected" in page.locator(".copy").first.inner_text()


def test_the_keyboard_leads_past_the_header_to_the_content(browser: Browser, address: str) -> None:
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(f"{address}/en/e/roll/torch-compile-cache-race")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "page-content"
