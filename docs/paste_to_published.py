"""Walks from a pasted error that has no entry to its published entry, and counts: `python -m docs.paste_to_published`.

Somebody pastes, describes the error with one sentence and one step, and sends it; a reviewer signs in and publishes it.
Then a reviewer who is signed in already does both. Each walks in a window of a phone and of a desk, in both languages,
and does what the pages say and nothing else. Printed are presses, boxes that are typed into, pages, characters typed,
the pixels that the pages are pushed up and down to reach what is pressed, the words that stand on the pages, and the
boxes and words of the form that are seen before anything is opened. `--shots FOLDER` keeps a picture of each page.

`--of FOLDER` walks through another revision of Errdex that is checked out there, in a process of its own. Needs
Chromium; no running server.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright
from starlette.testclient import TestClient

from app.i18n import LANGS, Lang
from app.main import create_app
from docs.stage import stage
from tests.conftest import NAME, PASSWORD
from tests.servers import served
from tests.site.conftest import CHROMIUM, SWITCHES

WINDOWS = {"phone": ViewportSize(width=390, height=844), "desk": ViewportSize(width=1280, height=800)}
# each walk publishes an entry, so that the next one needs another error
ERRORS = (
    "VerifierUnitError: no conversion from 'furlong' to 'metre' in table v3",
    "GreenhouseValveError: valve 17 has frozen shut and the gardener is away",
    "LighthouseLampError: the lamp turns, and nobody wound the clockwork",
    "OrchardLadderError: rung 4 is missing below the ripest pear",
    "HarbourBuoyError: the bell of buoy 9 rings without any wave",
    "BakeryYeastError: the dough of shelf 2 rose through the ceiling",
    "TheatreCurtainError: the rope of the curtain holds the wrong act",
    "ObservatoryDomeError: the shutter follows the moon of last week",
)
LOG = """\
(RewardWorker pid=5121) INFO loading
(RewardWorker pid=5121) Traceback (most recent call last):
(RewardWorker pid=5121)   File "/workspace/verl/reward/worker.py", line 88, in score
(RewardWorker pid=5121)     return self.table[answer.unit]
(RewardWorker pid=5121) {error}
"""
TYPED = {
    "en": ("The reward worker stops at the first answer.", "1. Restart it.\n"),
    "zh": ("奖励 worker 遇到第一个回答就停了。", "1. 重启它。\n"),
}
TO_REVIEW = "header a[href$='/review']"
SEEN = """() => {
  const main = document.querySelector("main");
  const boxes = [...main.querySelectorAll("input:not([type=hidden]), textarea, select")];
  const words = main.innerText.match(/[\\p{Script=Han}]|[\\p{L}\\p{N}_'.:/-]+/gu) ?? [];
  return [boxes.filter((box) => box.checkVisibility()).length, words.length, document.documentElement.scrollHeight];
}"""


@dataclass
class Walk:
    """What somebody did so far in a window, and what was there to read."""

    page: Page
    folder: Path | None
    name: str
    presses: int = 0
    boxes: int = 0
    characters: int = 0
    pages: int = 0
    pushed: float = 0
    words: int = 0
    form: list[int] = field(default_factory=list)

    def arrive(self, where: str) -> None:
        """Look at a page that came up."""
        self.page.wait_for_load_state("networkidle")
        boxes, words, height = self.page.evaluate(SEEN)
        self.pages += 1
        self.words += words
        if where == "form":
            self.form = [boxes, words, height]
        if self.folder:
            self.page.screenshot(path=str(self.folder / f"{self.name}-{self.pages}-{where}.png"))

    def press(self, what: str | Locator) -> None:
        """Push the page to where something is, and press it."""
        self._reach(self._one(what)).click()
        self.presses += 1

    def write(self, what: str, text: str) -> None:
        """Type into a box; one that the page has put the cursor into is not pressed before."""
        box = self._reach(self._one(what))
        if not box.evaluate("(box) => box === document.activeElement"):
            box.click()
            self.presses += 1
        self.boxes += 1
        self.characters += len(text)
        box.press_sequentially(text)

    def paste(self, what: str, text: str) -> None:
        """Paste into a box."""
        self._reach(self._one(what)).fill(text)
        self.boxes += 1

    def _one(self, what: str | Locator) -> Locator:
        return self.page.locator(what).first if isinstance(what, str) else what

    def _reach(self, what: Locator) -> Locator:
        self.pushed += self.page.evaluate(
            """(found) => {
              const box = found.getBoundingClientRect(), before = scrollY;
              if (box.top < 0 || box.bottom > innerHeight) scrollBy(0, (box.top + box.bottom - innerHeight) / 2);
              return Math.abs(scrollY - before);
            }""",
            what.element_handle(),
        )
        return what

    def row(self) -> str:
        """Return the counts as a row of a table."""
        counts = (self.presses, self.boxes, self.pages, self.characters, round(self.pushed), self.words, *self.form)
        return f"| {self.name} | " + " | ".join(map(str, counts)) + " |"


def describe(walk: Walk, address: str, lang: str, error: str) -> None:
    """Paste an error and fill in the form that follows, as far as it asks for it."""
    walk.page.goto(f"{address}/{lang}/")
    walk.arrive("home")
    walk.paste("#paste", LOG.format(error=error))
    walk.press("main button.main")
    walk.page.wait_for_selector(".verdict")
    walk.arrive("no-entry")
    walk.press(".unknown button")
    walk.page.wait_for_selector("#entry-form")
    walk.arrive("form")
    happens, step = TYPED[lang]
    walk.write("#f-symptom", happens)
    walk.write("#f-fix", step)


def sign_in(walk: Walk) -> None:
    """Sign in from whatever page there is."""
    walk.press("footer a[href$='/sign-in']")
    walk.page.wait_for_selector("#f-password")
    walk.arrive("sign-in")
    walk.write("#f-name", NAME)
    walk.write("#f-password", PASSWORD)
    walk.press("main button.main")


def publish(walk: Walk) -> None:
    """Open the queue, read what was sent last, and publish it."""
    walk.press(TO_REVIEW)
    walk.page.wait_for_selector(".queue")
    walk.arrive("queue")
    walk.press(walk.page.locator(".queue a").last)
    walk.page.wait_for_selector(".decide")
    walk.arrive("review")
    walk.press(".decide button.main")
    arrived(walk)


def arrived(walk: Walk) -> None:
    """See that the entry is there."""
    walk.page.wait_for_url("**/e/**")
    walk.page.wait_for_selector("article.entry")
    walk.arrive("entry")


class Start(NamedTuple):
    """Where a walk begins: a window, a language, and an error that has no entry."""

    window: str
    lang: Lang
    error: str


def two_people(browser: Browser, address: str, start: Start, folder: Path | None = None) -> Walk:
    """Walk as a stranger who sends what they know, and then as the reviewer who signs in and publishes it."""
    window, lang, error = start
    size = WINDOWS[window]
    with closing(browser.new_context(viewport=size)) as stranger:
        page = stranger.new_page()
        walk = Walk(page, folder, f"{window}-{lang}-two-people")
        describe(walk, address, lang, error)
        walk.press("#entry-form > .send button.main")
        page.wait_for_url("**/s/*")
        walk.arrive("sent")
    with closing(browser.new_context(viewport=size)) as context:
        walk.page = context.new_page()
        walk.page.goto(f"{address}/{lang}/")
        sign_in(walk)
        walk.page.wait_for_selector(TO_REVIEW)
        walk.arrive("home-of-reviewer")
        publish(walk)
    return walk


def reviewer_alone(browser: Browser, address: str, start: Start, folder: Path | None = None) -> Walk:
    """Walk as a reviewer who is signed in already."""
    window, lang, error = start
    with closing(browser.new_context(viewport=WINDOWS[window])) as context:
        page = context.new_page()
        page.goto(f"{address}/{lang}/")
        sign_in(Walk(page, None, ""))
        page.wait_for_selector(TO_REVIEW)
        walk = Walk(page, folder, f"{window}-{lang}-reviewer")
        describe(walk, address, lang, error)
        walk.press("[name=publish]")
        arrived(walk)
    return walk


def walks(browser: Browser, address: str, folder: Path | None) -> Iterator[Walk]:
    """Yield each walk when it is done."""
    errors = iter(ERRORS)
    for window in WINDOWS:
        for lang in LANGS:
            yield two_people(browser, address, Start(window, lang, next(errors)), folder)
            yield reviewer_alone(browser, address, Start(window, lang, next(errors)), folder)


@contextmanager
def site(of: Path | None) -> Iterator[str]:
    """Serve this revision, or the one of a folder, and yield the address."""
    if of is None:
        with stage() as (settings, _), TestClient(create_app(settings)) as started, served(started.app) as address:
            yield address
        return
    command = [sys.executable, "-P", __file__, "--serve"]
    with subprocess.Popen(  # noqa: S603
        command,
        cwd=of,
        env=os.environ | {"PYTHONPATH": str(of)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        if process.stdout is None or process.stdin is None:
            raise RuntimeError("it has no pipes")
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    """Walk, and print a row for each walk."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--of", type=Path)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        with site(None) as address:
            print(address, flush=True)  # noqa: T201
            sys.stdin.read()
        return
    if asked.shots:
        asked.shots.mkdir(parents=True, exist_ok=True)
    print("| walk | presses | boxes | pages | typed | pushed | words | form: boxes | words | height |")  # noqa: T201
    print("|---|" + "--:|" * 9)  # noqa: T201
    with site(asked.of) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)
        for walk in walks(browser, address, asked.shots):
            print(walk.row(), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
