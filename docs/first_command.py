"""Measures how far down the first command of an answer stands: `python -m docs.first_command CASES`.

CASES is a file of labelled pastes, one JSON object a line with `id` and `text`. Of those whose first answer holds a
code block in its fix, the first ten by id are pasted in a window of a phone and of a desk, in both languages. For each
the script prints the pixels from the top of the page to the first code block that can be seen without opening anything,
how far it reaches down, and the bytes of the page. Needs Chromium; no running server.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.asking.question_service import Questions
from app.content.headings import answer_headings
from app.i18n import LANGS
from app.main import create_app
from app.store.session import reading
from app.web.markdown import sections
from app.wiki import publishing
from docs.make_screenshots import PHONE, ask
from docs.stage import stage
from tests.servers import served
from tests.site.conftest import CHROMIUM, SWITCHES

CASES = 10
WINDOWS = {"phone": PHONE, "desk": ViewportSize(width=1280, height=800)}
PLACE = """() => {
  const shown = [...document.querySelectorAll("main .prose pre")].find((code) => code.checkVisibility());
  const box = shown?.getBoundingClientRect();
  return box ? [Math.round(box.top + scrollY), Math.round(box.bottom + scrollY)] : [-1, -1];
}"""


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled paste, and the entry that answers it."""

    id: str
    text: str
    slug: str


def cases(engine: Engine, file: Path) -> Iterator[Case]:
    """Yield the pastes of a file whose first answer has a code block in its fix, by id."""
    service = Questions(engine)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for row in sorted(rows, key=lambda row: row["id"]):
        answer = service.ask(row["text"])
        if answer.matches and _has_command(engine, answer.matches[0].slug):
            yield Case(row["id"], row["text"], answer.matches[0].slug)


def _has_command(engine: Engine, slug: str) -> bool:
    with reading(engine) as session:
        document = publishing.published(session, slug)[1]
    return any("```" in text for heading, text in sections(document.text("en")[1].body) if heading in answer_headings())


def measure(page: Page, address: str, lang: str, case: Case) -> tuple[int, int, int]:
    """Return where the first command begins and ends, in pixels from the top, and the bytes of the page."""
    with page.expect_response(lambda answer: answer.url.endswith("/match")) as answered:
        ask(page, address, lang, case.text)
    start, end = page.evaluate(PLACE)
    return start, end, len(answered.value.body())


def report(browser: Browser, address: str, window: str, chosen: list[Case]) -> None:
    """Print a line for each paste and language in one window."""
    starts = []
    for lang in LANGS:
        with closing(browser.new_context(viewport=WINDOWS[window])) as context:
            page = context.new_page()
            for case in chosen:
                start, end, size = measure(page, address, lang, case)
                starts.append(start)
                print(f"{window} {lang} {case.id} {start:5} to {end:5} px {size:6} bytes {case.slug}")  # noqa: T201
    seen = [start for start in starts if start >= 0]
    print(f"{window}: median {median(seen)}, most {max(seen)}, without one {starts.count(-1)}")  # noqa: T201


def main() -> None:
    """Measure the pastes of the file that is named."""
    with (
        stage() as (settings, engine),
        TestClient(create_app(settings)) as started,
        served(started.app) as address,
        sync_playwright() as playwright,
    ):
        found = cases(engine, Path(sys.argv[1]))
        chosen = [case for case, _ in zip(found, range(CASES), strict=False)]
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)
        for window in WINDOWS:
            report(browser, address, window, chosen)


if __name__ == "__main__":
    main()
