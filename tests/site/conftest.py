"""The site in a real browser: fixtures that the browser tests ask for by name, and how Chromium is started."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.store.engine import connect
from tests.conftest import create, drop, make, sign_in
from tests.servers import served
from tests.site.pages import Furnished, furnish

CHROMIUM = Path("/usr/bin/chromium")
# a browser that asks nobody anything, runs as root in a container, and writes no profile
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once a module."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)


@pytest.fixture
def address(client: TestClient) -> Iterator[str]:
    """The application of `client`, served on a free port."""
    with served(client.app) as address:
        yield address


@pytest.fixture(params=[True, False], ids=["with-javascript", "without-javascript"])
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A visitor, once with and once without JavaScript."""
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


@pytest.fixture(scope="session")
def furnished(shipped: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """The shipped corpus with something for every page to show; for tests that only look."""
    settings = make(tmp_path_factory.mktemp("furnished"))
    create(settings, shipped)
    engine = connect(settings)
    made = furnish(engine)
    engine.dispose()
    yield Furnished(settings, made)
    drop(settings)


@pytest.fixture(scope="module")
def visitors(furnished: Furnished) -> Iterator[dict[bool, TestClient]]:
    """Two people who look at the furnished guide: a stranger, and (`True`) a reviewer who is signed in."""
    app = create_app(furnished.settings)
    with TestClient(app, raise_server_exceptions=False) as stranger:
        yield {False: stranger, True: sign_in(TestClient(app, raise_server_exceptions=False))}
