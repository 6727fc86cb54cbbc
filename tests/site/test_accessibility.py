"""Every page in a browser: both languages, light and dark, narrow and wide. One load a page and language."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request
from starlette.testclient import TestClient

from app.i18n import LANGS
from tests.conftest import NAME, PASSWORD
from tests.servers import served
from tests.site.npm import axe
from tests.site.pages import PAGES, Furnished, Known

pytestmark = pytest.mark.browser

WIDTHS = (320, 390, 768, 1280)
JUDGED_AT = (390, 1280)
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
JUDGE = """async (options) => {
  const found = await axe.run(document, options);
  return found.violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id} at ${node.target}: ${node.failureSummary.split("\\n").slice(1, 2)} ${node.html.slice(0, 160)}`));
}"""
SEND = """([action, fields]) => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}"""
BROKEN_RULE = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`));"""


class Visit:
    """A tab, and what the browser found fault with in it."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.faults: list[str] = []
        self.page = context.new_page()
        self.page.add_init_script(BROKEN_RULE)
        self.page.on("request", self._asked)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda told: self._told(told.type, told.text))

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.faults.append(f"asked another host: {request.url}")

    def _told(self, kind: str, text: str) -> None:
        # the browser reports the status of the page itself as an error, too
        if kind in ("error", "warning") and "the server responded with a status of" not in text:
            self.faults.append(f"{kind}: {text}")

    def open(self, page: Known, address: str, lang: str) -> None:
        """Open a page of the list, from another one of the site where it answers a form."""
        if page.form is None:
            answer = self.page.goto(address)
            assert answer is not None
            assert answer.status == page.status
            return
        self.page.goto(f"{self.address}/{lang}/sign-in")
        with self.page.expect_navigation(wait_until="load") as navigation:
            self.page.evaluate(SEND, [address, page.form])
        assert navigation.value is not None
        assert navigation.value.status == page.status


@pytest.fixture(scope="module")
def site(visitors: dict[bool, TestClient]) -> Iterator[str]:
    """The furnished guide on a free port."""
    with served(visitors[False].app) as address:
        yield address


@pytest.fixture(scope="module")
def visits(browser: Browser, site: str) -> Iterator[dict[bool, Visit]]:
    """A stranger's tab, and a signed-in reviewer's."""
    with closing(_context(browser)) as stranger, closing(_context(browser)) as reviewer:
        found = {False: Visit(stranger, site), True: Visit(reviewer, site)}
        page = found[True].page
        page.goto(f"{site}/en/sign-in")
        page.fill("#f-name", NAME)
        page.fill("#f-password", PASSWORD)
        page.click("main button.main")
        page.wait_for_url("**/review")
        yield found


def _context(browser: Browser) -> BrowserContext:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(20_000)
    return context


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_fit_for_everybody_in_every_light_and_width(
    visits: dict[bool, Visit], furnished: Furnished, page: Known, lang: str
) -> None:
    judge = axe()
    visit = visits[page.signed_in]
    visit.faults.clear()
    visit.open(page, visit.address + furnished.address(page, lang), lang)
    visit.page.evaluate(judge)
    found = [*_too_wide(visit.page), *_judged(visit.page), *visit.faults]
    assert found == []


PLANTED = """() => {
  document.body.insertAdjacentHTML("beforeend", `<main><img src="/static/mark.svg"><input><p></p></main>`);
  const faint = document.querySelector("body > main > p");
  faint.textContent = "faint";
  faint.style.color = matchMedia("(prefers-color-scheme: dark)").matches ? "#444" : "#ccc";
  faint.style.width = "1500px";
}"""


def test_the_judges_see_what_is_wrong(visits: dict[bool, Visit]) -> None:
    """A picture and a field without a name, two mains, faint text, something wide, a script from elsewhere."""
    visit = visits[False]
    visit.faults.clear()
    visit.page.goto(f"{visit.address}/en/sign-in")
    visit.page.evaluate(axe())
    visit.page.evaluate(PLANTED)
    with visit.page.expect_console_message(lambda told: told.text.startswith("content security policy: script-src")):
        visit.page.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), {src: '//127.0.0.9/x'}))"
        )
    found = " ".join([*_too_wide(visit.page), *_judged(visit.page)])
    for rule in ("image-alt", "label", "landmark-no-duplicate-main", "color-contrast", "in a window of 1280"):
        assert rule in found
    assert "content security policy: script-src" in " ".join(visit.faults)


def _too_wide(page: Page) -> Iterator[str]:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        taken = page.evaluate("document.documentElement.scrollWidth")
        if taken > width:
            yield f"{taken} wide in a window of {width}"


def _judged(page: Page) -> Iterator[str]:
    options: dict[str, Any] = {"runOnly": STANDARDS, "resultTypes": ["violations"]}
    for width in JUDGED_AT:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            yield from (f"{width} {scheme}: {fault}" for fault in page.evaluate(JUDGE, options))
    page.emulate_media(color_scheme="light")
