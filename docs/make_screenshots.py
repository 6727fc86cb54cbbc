"""Takes the pictures in `docs/screenshots`: `python -m docs.make_screenshots`. Needs Chromium; no running server."""

import base64
import tempfile
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from starlette.testclient import TestClient

from app.config import ROOT
from app.i18n import LANGS, Lang
from app.i18n import text as t
from app.main import create_app
from docs.paste_to_published import Start, two_people
from docs.stage import stage
from tests.conftest import NAME, PASSWORD
from tests.servers import served
from tests.site.conftest import CHROMIUM, SWITCHES

TARGET = ROOT / "docs" / "screenshots"
ENTRY = "e/roll/torch-compile-cache-race"
WIDE = ViewportSize(width=1040, height=660)
PHONE = ViewportSize(width=390, height=844)
# A picture has at most so many bytes, since a page of the documentation loads several.
MOST = 150 * 1024
LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
FAMILY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
SOUGHT = {"en": "out of memory", "zh": "显存"}
UNKNOWN = """\
(RewardWorker pid=5121) INFO loading verifier
(RewardWorker pid=5121) Traceback (most recent call last):
(RewardWorker pid=5121)   File "/workspace/verl/reward/verifier.py", line 88, in score
(RewardWorker pid=5121)     return self.table[answer.unit]
(RewardWorker pid=5121) VerifierUnitError: no conversion from 'furlong' to 'metre' in table v3
"""
# what the picture of the way from a paste to an entry shows, with the text of what is pressed there
WAY = {
    "no-entry": "result.none-button",
    "form": "submit.send",
    "review": "review.approve",
    "entry": "submission.state.approved",
}
WAY_ERRORS = {
    "en": "GreenhouseValveError: valve 17 has frozen shut and the gardener is away",
    "zh": "LighthouseLampError: the lamp turns, and nobody wound the clockwork",
}
WAY_PAGE = """\
<style>
body { margin: 0; padding: 14px 16px; width: 828px; display: flex; gap: 16px }
body { background: #f2efe7; font: 600 13px sans-serif }
figure { margin: 0; flex: 1 } img { width: 100%; border: 1px solid #ddd7c9; border-radius: 8px; display: block }
figcaption { margin-top: 8px; text-align: center; color: #23201b }</style>
"""


def ask(page: Page, address: str, lang: str, text: str) -> None:
    """Paste `text` on the front page and send it."""
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", text)
    page.click("main button.main")
    page.wait_for_selector(".verdict")


def take(page: Page, name: str, lang: str) -> None:
    """Save what the window shows."""
    path = TARGET / f"{name}.{lang}.png"
    page.screenshot(path=str(path))
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)} {size / 1024:.0f} KB{' TOO LARGE' if size > MOST else ''}")  # noqa: T201


def describe(page: Page) -> None:
    """Fill the form that a paste without an entry leads to."""
    page.click(".unknown button")
    page.fill("#f-project", "verl")
    page.fill("#f-symptom", "The reward worker stops at the first answer with an old unit.")
    page.fill("#f-fix", "1. Add the unit to `reward/units.yaml`.\n2. Start the reward worker again.")


def read(page: Page, address: str, lang: str) -> None:
    """The pictures of whoever looks for an answer."""
    page.goto(f"{address}/{lang}/")
    take(page, "home", lang)
    for name, paste in (("result", LOG), ("family", FAMILY)):
        ask(page, address, lang, paste)
        take(page, name, lang)
    page.goto(f"{address}/{lang}/{ENTRY}")
    take(page, "entry", lang)
    page.goto(f"{address}/{lang}/search?q={SOUGHT[lang]}")
    take(page, "search", lang)


def write(page: Page, address: str, lang: str) -> None:
    """The pictures of whoever adds an entry, and of the reviewer."""
    ask(page, address, lang, UNKNOWN)
    take(page, "no-entry", lang)
    describe(page)
    page.evaluate("scrollTo(0, 0)")
    take(page, "submit", lang)
    page.click("main button.main")
    page.goto(f"{address}/{lang}/review")
    page.fill("#f-name", NAME)
    page.fill("#f-password", PASSWORD)
    page.click("main button.main")
    page.locator(".queue a").last.click()
    take(page, "review", lang)


def others(browser: Browser, address: str, lang: str) -> None:
    """The pictures of a phone and of dark mode."""
    for name, size, scheme in (("phone", PHONE, "light"), ("dark", WIDE, "dark")):
        with closing(browser.new_context(viewport=size, color_scheme=scheme)) as context:
            page = context.new_page()
            ask(page, address, lang, LOG)
            take(page, name, lang)


def way(browser: Browser, address: str, lang: Lang) -> None:
    """The picture of the way from a paste that nothing answers to a published entry."""
    with tempfile.TemporaryDirectory() as folder:
        two_people(browser, address, Start("phone", lang, WAY_ERRORS[lang]), Path(folder))
        figures = []
        for number, (place, key) in enumerate(WAY.items(), 1):
            shot = next(Path(folder).glob(f"*-[0-9]-{place}.png")).read_bytes()
            source = f"data:image/png;base64,{base64.b64encode(shot).decode()}"
            figures.append(f'<figure><img src="{source}"><figcaption>{number}. {t(lang, key)}</figcaption></figure>')
    with closing(browser.new_context(viewport=ViewportSize(width=860, height=490))) as context:
        page = context.new_page()
        page.set_content(f'<html lang="{lang}">{WAY_PAGE}{"".join(figures)}')
        take(page, "way", lang)


def main() -> None:
    """Take all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with (
        stage() as (settings, _),
        TestClient(create_app(settings)) as started,
        served(started.app) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)
        for lang in LANGS:
            with closing(browser.new_context(viewport=WIDE)) as context:
                page = context.new_page()
                read(page, address, lang)
                write(page, address, lang)
            others(browser, address, lang)
            way(browser, address, lang)


if __name__ == "__main__":
    main()
