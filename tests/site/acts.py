"""What people do on the site, as steps that several stories share; each takes the language of its pages."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import LANGS, Lang
from app.i18n import text as t
from app.main import create_app
from app.store.engine import connect
from app.store.session import writing
from app.wiki import proposals
from tests.conftest import NAME, PASSWORD, POSTGRESQL, create, drop, make
from tests.servers import served
from tests.site.pages import NEW, Furnished

IN_BOTH_LANGUAGES = pytest.mark.parametrize("lang", LANGS)
WITH_JAVASCRIPT = pytest.mark.parametrize("context", [True], ids=["with-javascript"], indirect=True)
RACE = "/e/roll/torch-compile-cache-race"
# a link is known by where it leads, in whichever language; anything else by what it says
ROWS = "(all) => all.map((one) => one.tagName === 'A' ? one.pathname.slice(3) : one.textContent.trim())"


@contextmanager
def guide(furnished: Furnished, folder: Path) -> Iterator[tuple[Settings, str]]:
    """Serve a copy of the furnished guide that may be changed; yields its settings and its address."""
    settings = make(folder)
    if POSTGRESQL:
        url = settings.url.set(database=f"errdex_test_{os.getpid()}_{folder.name}")
        settings = Settings(database_url=url.render_as_string(hide_password=False))
    create(settings, furnished.settings)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client, served(client.app) as address:
        yield settings, address
    drop(settings)


def has_scripts(request: pytest.FixtureRequest) -> bool:
    """Return whether the visitor of a test has JavaScript."""
    return bool(request.node.callspec.params["context"])


def ask(page: Page, address: str, lang: str, text: str) -> None:
    """Paste a text on the front page and press the button."""
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", text)
    page.click("form.paste button.main")
    page.wait_for_url(re.compile(f"/{lang}/match$"))


def suggested(page: Page, words: str) -> None:
    """Wait for the suggestions to all that was typed: until then the list is that of the first letters."""
    expect(page.locator("#page-option-whole")).to_have_attribute("href", re.compile(rf"\?q={words}$"))
    # a new list lets go of what was chosen, but only when htmx has settled it
    expect(page.locator("#page-suggestions:not(.htmx-settling)")).to_be_visible()


def sign_in(page: Page, password: str = PASSWORD, name: str = NAME) -> None:
    """Fill in the sign-in form that is shown, and send it."""
    page.fill("#f-name", name)
    page.fill("#f-password", password)
    page.click("main button.main")


def enter(
    page: Page, address: str, lang: str, path: str = "/review", *, name: str = NAME, password: str = PASSWORD
) -> None:
    """Open a page for reviewers and sign in on the way."""
    page.goto(f"{address}/{lang}{path}")
    sign_in(page, password, name)
    page.wait_for_url(f"**/{lang}{path}")


def proposed(settings: Settings, lang: Lang, name: str) -> tuple[int, str]:
    """Propose a new entry; its number and its author's token."""
    document = EntryDocument.model_validate(NEW | {"slug": f"verl/{name}", "examples": []})
    with writing(connect(settings)) as session:
        row, token = proposals.submit(session, document, lang=lang, submitter="ann")
        return row.id or 0, token


def fill_in(page: Page, lang: Lang, title: str) -> None:
    """Fill in what a proposal cannot do without, but for its name."""
    page.fill("#f-project", "verl")
    page.fill("#f-title", title)
    page.fill("#f-symptom", "It does not move.")
    page.get_by_label(t(lang, "entry.fact.kind-question")).check()


def rows(page: Page, selector: str) -> list[str]:
    """Return what the rows of a list say or lead to."""
    found: list[str] = page.locator(selector).evaluate_all(ROWS)
    return found


def turn(page: Page, lang: Lang, word: str, selector: str, to: str) -> list[str]:
    """Turn all pages, see the last one in the other language too, and come back; return the rows of all pages."""
    pages = [rows(page, selector)]
    more = page.get_by_role("link", name=t(lang, word), exact=True)
    while more.count():
        # the page before may have such an address, too
        with page.expect_navigation():
            more.click()
        page.wait_for_url(f"**/{lang}{to}")
        pages.append(rows(page, selector))
        # a row stands on one page
        assert pages[-1]
        assert not {*pages[-1]} & {row for earlier in pages[:-1] for row in earlier}
    page.click("a.switch")
    page.wait_for_url(f"**/{'en' if lang == 'zh' else 'zh'}{to}")
    assert rows(page, selector) == pages[-1]
    for earlier in reversed(pages):
        page.go_back()
        page.wait_for_url(f"**/{lang}/**")
        assert rows(page, selector) == earlier
    assert len(pages) > 1
    return [row for part in pages for row in part]
