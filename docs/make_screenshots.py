"""Takes the pictures in `docs/screenshots`: `python docs/make_screenshots.py`. Needs Chromium; no running server."""

import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from app import accounts, sync
from app.config import ROOT, Settings
from app.main import create_app
from app.store.migrate import migrate
from app.store.session import connect, writing

CHROMIUM = "/usr/bin/chromium"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
TARGET = ROOT / "docs" / "screenshots"
ENTRY = "e/roll/torch-compile-cache-race"
NAME, PASSWORD = "rita", "only for the pictures"
WIDE = ViewportSize(width=1160, height=840)
TALL = ViewportSize(width=1160, height=1040)
PHONE = ViewportSize(width=390, height=844)
LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
UNKNOWN = """\
(RewardWorker pid=5121) INFO loading verifier
(RewardWorker pid=5121) Traceback (most recent call last):
(RewardWorker pid=5121)   File "/workspace/verl/reward/verifier.py", line 88, in score
(RewardWorker pid=5121)     return self.table[answer.unit]
(RewardWorker pid=5121) VerifierUnitError: no conversion from 'furlong' to 'metre' in table v3
"""


@contextmanager
def served() -> Iterator[str]:
    """The application with the shipped corpus and one reviewer, on a free port."""
    with tempfile.TemporaryDirectory() as folder, closing(socket.socket()) as listening:
        settings = Settings(database_url=f"sqlite:///{Path(folder) / 'errdex.db'}")
        engine = connect(settings)
        migrate(settings, engine)
        with writing(engine) as session:
            accounts.add_person(session, NAME, PASSWORD)
        sync.ingest(engine, ROOT / "content")
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(create_app(settings), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.05)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def ask(page: Page, address: str, lang: str, text: str) -> None:
    """Paste `text` on the front page and send it."""
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", text)
    page.click("button.main")


def take(page: Page, name: str) -> None:
    """Save what the window shows."""
    page.screenshot(path=str(TARGET / f"{name}.png"))


def describe(page: Page) -> None:
    """Fill the form that a paste without an entry leads to."""
    page.click(".invite button")
    page.fill("#f-project", "verl")
    page.fill("#f-symptom", "The reward worker stops at the first answer with an old unit.")
    page.fill("#f-fix", "1. Add the unit to `reward/units.yaml`.\n2. Start the reward worker again.")


def wide(browser: Browser, address: str) -> None:
    """The pictures of a wide window."""
    with closing(browser.new_context(viewport=WIDE)) as context:
        page = context.new_page()
        page.goto(f"{address}/en/")
        take(page, "home")
        page.set_viewport_size(TALL)
        ask(page, address, "en", LOG)
        take(page, "result")
        page.set_viewport_size(WIDE)
        page.goto(f"{address}/zh/{ENTRY}")
        take(page, "entry")
        ask(page, address, "en", UNKNOWN)
        take(page, "no-entry")
        describe(page)
        page.evaluate("scrollTo(0, 0)")
        take(page, "submit")
        page.click("button.main")
        page.goto(f"{address}/en/review")
        page.fill("#f-name", NAME)
        page.fill("#f-password", PASSWORD)
        page.click("button.main")
        page.click(".queue a")
        take(page, "review")


def others(browser: Browser, address: str) -> None:
    """The pictures of a phone and of dark mode."""
    with closing(browser.new_context(viewport=PHONE)) as context:
        page = context.new_page()
        ask(page, address, "zh", LOG)
        take(page, "phone")
    with closing(browser.new_context(viewport=WIDE, color_scheme="dark")) as context:
        page = context.new_page()
        ask(page, address, "zh", LOG)
        take(page, "dark")


def main() -> None:
    """Take all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        wide(browser, address)
        others(browser, address)


if __name__ == "__main__":
    main()
