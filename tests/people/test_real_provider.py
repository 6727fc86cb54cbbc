"""Single sign-on at a real provider (oidc-provider, on loopback), as people and their browsers do it.

What a real one never does, such as signing with a foreign key, is in `test_sign_on.py`.
"""

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Route, expect
from pydantic import SecretStr
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app.config import Settings
from app.i18n import text as t
from app.store.session import reading
from tests.people.members import client_of, enrol, guide_for
from tests.servers import free_port, served
from tests.site.conftest import browser
from tests.site.npm import axe, provider_command

__all__ = ["browser"]
# they need npm, as the tests in a browser do
pytestmark = [pytest.mark.browser, pytest.mark.database]
CLIENT, SECRET = "errdex", "a secret that only these two know"
PEOPLE = {
    "otto": {"name": "Otto", "email": "otto@corp.lan", "email_verified": True, "groups": ["lab", "reviewers"]},
    "gast": {"name": "Gast", "email": "gast@elsewhere.lan", "email_verified": True, "groups": []},
    "neu": {"name": "Neu", "email": "neu@corp.lan", "email_verified": False, "groups": ["lab"]},
}
Guide = Callable[..., FastAPI]


class RealProvider:
    """The provider's process, which can go away and come back with other keys."""

    def __init__(self, port: int, redirects: tuple[str, ...]) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self._told = {"port": port, "client": CLIENT, "secret": SECRET, "redirects": redirects, "people": PEOPLE}
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            provider_command(self._told), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        assert "ready" in self._process.stdout.readline()

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


@contextmanager
def provider_for(*redirects: str) -> Iterator[RealProvider]:
    """A provider that is not started yet."""
    made = RealProvider(free_port(), redirects)
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def provider() -> Iterator[RealProvider]:
    """A running provider, for the test's client."""
    with provider_for("http://testserver/sign-on/back") as made:
        made.start()
        yield made


def settings_at(provider: RealProvider, settings: Settings, **more: Any) -> Settings:
    """Settings of a guide whose people sign in at a provider."""
    given = {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SecretStr(SECRET),
        "oidc_scopes": "openid email profile groups",
    }
    return settings.model_copy(update=given | more)


@pytest.fixture
def guide(settings: Settings, engine: Engine, provider: RealProvider) -> Iterator[Guide]:
    """Start a guide for members at the provider; keyword arguments are further settings."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(
            guide_for(settings_at(provider, settings, **more), ("members", "members"))
        )


def sign_in_there(address: str, name: str) -> str:
    """Sign in at the provider by its form; return the address at which it sends the browser back."""
    with httpx2.Client() as visitor:
        page = visitor.get(address, follow_redirects=True)
        form = re.search(r'action="([^"]+)"', page.text)
        assert form
        typed = {"prompt": "login", "login": name, "password": "any"}
        answer = visitor.post(urljoin(str(page.url), form.group(1)), data=typed)
        while not (led := answer.headers["location"]).startswith("http://testserver/"):
            answer = visitor.get(urljoin(str(answer.url), led))
    return led


def set_out(client: TestClient) -> str:
    """Begin to sign on; return the address of the provider."""
    return client.get("/en/sign-on?next=/en/browse").headers["location"]


def sign_on(app: FastAPI, name: str) -> str:
    """Sign on and come back; return where that leads: the page that was wanted, or the one that says what was wrong."""
    client = client_of(app)
    led = client.get(sign_in_there(set_out(client), name)).headers["location"]
    assert (client.get("/en/browse").status_code == 200) is (led == "/en/browse")
    return parse_qs(urlsplit(led).query).get("problem", [led])[0]


def people(engine: Engine) -> list[tuple[str, str]]:
    """Return everybody who came by the provider, with their roles."""
    with reading(engine) as session:
        query = "SELECT name, role FROM person JOIN person_identity ON person = person.id ORDER BY name"
        return [tuple(row) for row in session.execute(text(query))]


def test_groups_give_a_role_and_who_has_none_stays_out(guide: Guide, engine: Engine) -> None:
    app = guide(oidc_roles="lab=reader, reviewers=reviewer")
    assert sign_on(app, "otto") == "/en/browse"
    assert sign_on(app, "gast") == "sign-on-group"
    assert people(engine) == [("Otto", "reviewer")]


def test_the_last_admin_is_not_demoted(guide: Guide, engine: Engine, settings: Settings) -> None:
    assert sign_on(guide(oidc_roles="lab=admin"), "otto") == "/en/browse"
    app = guide(oidc_roles="lab=reader")
    assert sign_on(app, "otto") == "/en/browse"
    assert people(engine) == [("Otto", "admin")]
    enrol(engine, "admin")
    assert sign_on(app, "otto") == "/en/browse"
    assert people(engine) == [("Otto", "reader")]


def test_only_verified_addresses_of_the_domain_sign_on(guide: Guide, engine: Engine) -> None:
    app = guide(oidc_domains="corp.lan")
    assert [sign_on(app, name) for name in ("otto", "gast", "neu")] == [
        "/en/browse",
        "sign-on-domain",
        "sign-on-unverified",
    ]
    assert people(engine) == [("Otto", "writer")]


def test_another_state_nonce_or_challenge_lets_nobody_in(guide: Guide, engine: Engine) -> None:
    app = guide()
    for part, problem in (
        ("state", "sign-on-over"),
        ("nonce", "sign-on-untrusted"),
        ("code_challenge", "sign-on-over"),
    ):
        client = client_of(app)
        address = re.sub(rf"\b{part}=[^&]{{43}}", f"{part}={'A' * 43}", set_out(client))
        led = client.get(sign_in_there(address, "otto")).headers["location"]
        assert f"problem={problem}" in led, part
    assert people(engine) == []


def test_a_code_is_good_once(guide: Guide) -> None:
    client = client_of(guide())
    back = sign_in_there(set_out(client), "otto")
    kept = client.cookies["errdex_sign_on"]
    assert client.get(back).headers["location"] == "/en/browse"
    client.cookies.set("errdex_sign_on", kept, domain="testserver.local", path="/sign-on/back")
    assert "problem=sign-on-over" in client.get(back).headers["location"]


def test_a_secret_that_the_provider_does_not_know_lets_nobody_in(guide: Guide, engine: Engine) -> None:
    app = guide(oidc_client_secret=SecretStr("another secret that is as long as that"))
    assert sign_on(app, "otto") == "sign-on-untrusted"


def test_the_provider_may_be_away_at_the_start_and_in_between_and_come_back_with_other_keys(
    guide: Guide, provider: RealProvider
) -> None:
    provider.stop()
    app = guide()
    client = client_of(app)
    assert "problem=sign-on-away" in set_out(client)
    provider.start()
    assert sign_on(app, "otto") == "/en/browse"
    back = sign_in_there(set_out(client), "otto")
    provider.stop()
    assert "problem=sign-on-away" in client.get(back).headers["location"]
    provider.start()
    assert sign_on(app, "otto") == "/en/browse"


def only_here(route: Route) -> None:
    """Let a browser ask this machine alone: the provider's page would have a font from elsewhere."""
    if urlsplit(route.request.url).hostname == "127.0.0.1":
        route.continue_()
    else:
        route.abort()


@pytest.mark.parametrize("scripted", [True, False], ids=["with-javascript", "without-javascript"])
def test_a_person_signs_on_and_out_in_a_browser(
    settings: Settings, engine: Engine, browser: Browser, *, scripted: bool
) -> None:
    """From a page for members to the provider and back to it, then out of both; the policy of the pages holds."""
    with ExitStack() as stack:
        port = free_port()
        address_of = f"http://127.0.0.1:{port}"
        made = RealProvider(port, ())
        app = stack.enter_context(
            guide_for(settings_at(made, settings, oidc_label="Lab", local_passwords=False), ("members", "members"))
        )
        address = stack.enter_context(served(app))
        made = RealProvider(port, (f"{address}/sign-on/back",))
        stack.callback(made.stop)
        made.start()
        context = stack.enter_context(closing(browser.new_context(java_script_enabled=scripted)))
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.route("**/*", only_here)
        refused: list[str] = []
        page.on("console", lambda line: refused.append(line.text) if "Content Security" in line.text else None)

        page.goto(f"{address}/zh/browse")
        page.wait_for_url(f"{address}/zh/sign-in?next=*")
        if scripted:
            page.evaluate(axe())
            assert page.evaluate("axe.run().then(found => found.violations.map(one => one.id))") == []
        page.get_by_role("link", name=t("zh", "sign-in.at-provider", provider="Lab")).click()
        page.wait_for_url(f"{address_of}/interaction/*")
        page.fill("[name=login]", "otto")
        page.fill("[name=password]", "any")
        page.click("[type=submit]")
        page.wait_for_url(f"{address}/zh/browse")
        page.get_by_role("button", name=t("zh", "site.sign-out", who="Otto")).click()
        page.wait_for_url(f"{address}/zh/signed-out")
        if scripted:
            page.evaluate(axe())
            assert page.evaluate("axe.run().then(found => found.violations.map(one => one.id))") == []
        page.get_by_role("link", name=t("zh", "signed-out.at-provider", provider="Lab")).click()
        page.wait_for_url(f"{address_of}/session/end?*")
        page.goto(f"{address}/zh/browse")
        expect(page.locator("main h1")).to_have_text(t("zh", "sign-in.title"))
        assert refused == []
