"""How people come, keep their accounts and go, and who did what: both languages, with and without JavaScript."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from app.config import Settings
from app.i18n import LANGS, Lang
from app.i18n import text as t
from app.people import audit
from app.site.people.audit_log import PAGE
from app.store.columns import now
from app.store.engine import connect
from app.store.session import writing
from tests.conftest import NAME, PASSWORD, add_person
from tests.site.acts import IN_BOTH_LANGUAGES, enter, rows, sign_in, turn
from tests.site.pages import Furnished

pytestmark = pytest.mark.browser

FIRST, SECOND = "meadow lantern copper eleven", "violet anchor sixty breadcrumbs"
CHANGES = "tbody td code"


@pytest.fixture(scope="module")
def site(site: tuple[Settings, str], furnished: Furnished) -> tuple[Settings, str]:
    """A guide where somebody did more of one thing than a page of the audit log shows."""
    with writing(connect(site[0])) as session:
        for number in range(PAGE + 2):
            audit.record(session, "submitted", int(furnished.made["otto"]), ("submission", 1), after=f"{number}.")
    return site


@pytest.fixture
def member(request: pytest.FixtureRequest, settings: Settings, own: str) -> str:
    """Somebody of this story alone, who may review; their password is that of everybody."""
    verb = request.node.originalname.removeprefix("test_a_person_").partition("_")[0]
    name = f"ben who {verb} {own}"
    add_person(connect(settings), name, PASSWORD)
    return name


@pytest.fixture
def elsewhere(browser: Browser, page: Page, scripted: bool) -> Iterator[Page]:
    """A tab of another browser, which has JavaScript where that of `page` has."""
    with closing(browser.new_context(java_script_enabled=scripted)) as context:
        context.set_default_timeout(15_000)
        yield context.new_page()


def press(page: Page, lang: Lang, word: str) -> None:
    page.get_by_role("button", name=t(lang, word), exact=True).click()


def take(page: Page, lang: Lang, beginning: str) -> str:
    """Copy the secret that is shown, and go on to the page that it was made on."""
    expect(page.locator("main .notice")).to_have_text(t(lang, "secret.once"))
    secret = page.input_value("#f-secret")
    assert secret.startswith(beginning)
    page.get_by_role("link", name=t(lang, "secret.back"), exact=True).click()
    return secret


def signed_out(page: Page, address: str, lang: Lang) -> None:
    """See that a browser is asked for a password before it shows the account."""
    page.goto(f"{address}/{lang}/account")
    page.wait_for_url(f"**/{lang}/sign-in?next=*")


def signed_in(page: Page, lang: Lang, name: str) -> None:
    expect(page.get_by_role("button", name=t(lang, "site.sign-out", who=name))).to_be_visible()


def join(page: Page, lang: Lang, name: str) -> None:
    """Use the link that is shown: with a name of somebody else, an easy password, and then as it should be."""
    page.fill("#f-name", NAME)
    page.fill("#f-password", FIRST)
    press(page, lang, "join.send")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "join.name-taken"))
    assert page.input_value("#f-name") == NAME
    page.fill("#f-name", name)
    page.fill("#f-password", "password12")
    press(page, lang, "join.send")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "join.password-wrong"))
    assert page.input_value("#f-name") == name
    page.fill("#f-password", FIRST)
    press(page, lang, "join.send")
    page.wait_for_url(f"**/{lang}/")
    signed_in(page, lang, name)


def remove(page: Page, lang: Lang, name: str) -> None:
    """Remove the person who is shown, at the second try: another name removes nobody."""
    page.fill("#f-name", NAME)
    press(page, lang, "people.remove-now")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "people.remove-unsure"))
    page.fill("#f-name", name)
    press(page, lang, "people.remove-now")
    page.wait_for_url(f"**/{lang}/people?left=*")


@IN_BOTH_LANGUAGES
def test_an_admin_invites_somebody_and_looks_after_them_until_they_leave(
    page: Page, elsewhere: Page, address: str, lang: Lang, own: str
) -> None:
    name, joining = f"nora {own}", f"{address}/{lang}/join/"
    enter(page, address, lang, "/people")
    page.select_option("#f-role", "reader")
    press(page, lang, "people.make-invite")
    link = take(page, lang, joining)
    page.wait_for_url(f"**/{lang}/people")

    elsewhere.goto(link)
    join(elsewhere, lang, name)
    elsewhere.goto(link)
    expect(elsewhere.locator("main h1")).to_have_text(t(lang, "error.link-over.title"))

    page.reload()
    page.get_by_role("link", name=name, exact=True).click()
    facts = page.locator("main p.quiet")
    expect(facts).to_contain_text(t(lang, "people.role.reader"))
    person = page.url
    page.select_option("#f-role", "reviewer")
    press(page, lang, "people.change-role")
    expect(facts).to_contain_text(t(lang, "people.role.reviewer"))
    elsewhere.goto(f"{address}/{lang}/review")
    expect(elsewhere.locator("main h1 .count")).to_be_visible()

    ways_in = page.locator("main p", has_text=t(lang, "people.tokens", n=0))
    expect(ways_in).to_contain_text(t(lang, "people.sessions", n=1))
    press(page, lang, "people.end-sessions")
    expect(ways_in).to_contain_text(t(lang, "people.sessions", n=0))
    signed_out(elsewhere, address, lang)

    press(page, lang, "people.make-reset")
    reset = take(page, lang, joining)
    page.wait_for_url(person)
    elsewhere.goto(reset)
    expect(elsewhere.locator("main .lede")).to_have_text(t(lang, "join.lede-reset", name=name))
    elsewhere.fill("#f-password", SECOND)
    press(elsewhere, lang, "join.send")
    elsewhere.wait_for_url(f"{address}/{lang}/")
    signed_in(elsewhere, lang, name)

    press(page, lang, "people.deactivate")
    expect(facts).to_contain_text(t(lang, "people.deactivated"))
    signed_out(elsewhere, address, lang)
    sign_in(elsewhere, SECOND, name)
    expect(elsewhere.get_by_role("alert")).to_have_text(t(lang, "sign-in.wrong"))
    press(page, lang, "people.activate")
    expect(facts).not_to_contain_text(t(lang, "people.deactivated"))
    sign_in(elsewhere, SECOND, name)
    elsewhere.wait_for_url(f"**/{lang}/account")

    remove(page, lang, name)
    expect(page.locator("main .notice")).to_have_text(t(lang, "people.left", number=person.rpartition("/")[2]))
    expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    signed_out(elsewhere, address, lang)


@IN_BOTH_LANGUAGES
def test_a_person_changes_password_and_language_and_ends_sessions(
    page: Page, elsewhere: Page, address: str, lang: Lang, member: str
) -> None:
    other = LANGS[1 - LANGS.index(lang)]
    done = page.locator("main .notice")
    enter(elsewhere, address, lang, "/account", name=member)
    enter(page, address, lang, "/account", name=member)

    page.fill("#f-old", SECOND)
    page.fill("#f-new", FIRST)
    press(page, lang, "account.change-password")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "account.old-wrong"))
    page.fill("#f-old", PASSWORD)
    page.fill("#f-new", FIRST)
    press(page, lang, "account.change-password")
    expect(done).to_have_text(t(lang, "account.done-password"))
    signed_out(elsewhere, address, lang)

    page.select_option("#f-language", other)
    press(page, lang, "account.change-language")
    page.wait_for_url(f"**/{other}/account?done=language")
    expect(done).to_have_text(t(other, "account.done-language"))
    elsewhere.goto(f"{address}/{lang}/sign-in")
    sign_in(elsewhere, FIRST, member)
    elsewhere.wait_for_url(f"{address}/{other}/review")

    page.goto(f"{address}/{lang}/account")
    expect(page.locator("#sessions li")).to_have_count(2)
    press(page, lang, "account.end-one")
    expect(done).to_have_text(t(lang, "account.done-sessions"))
    expect(page.locator("#sessions li")).to_have_count(1)
    signed_out(elsewhere, address, lang)
    sign_in(elsewhere, FIRST, member)
    elsewhere.wait_for_url(f"**/{lang}/account")
    page.reload()
    press(page, lang, "account.end-others")
    expect(page.locator("#sessions li")).to_have_count(1)
    signed_out(elsewhere, address, lang)


@IN_BOTH_LANGUAGES
def test_a_person_makes_a_token_and_revokes_it(page: Page, address: str, lang: Lang, member: str) -> None:
    enter(page, address, lang, "/account", name=member)
    page.fill("#f-token", "nightly run")
    page.select_option("#f-scope", "submit")
    page.fill("#f-days", "0")
    press(page, lang, "account.make-token")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "account.token-days-wrong"))
    assert page.input_value("#f-token") == "nightly run"
    assert page.input_value("#f-scope") == "submit"
    page.fill("#f-days", "7")
    press(page, lang, "account.make-token")
    bearer = {"authorization": f"Bearer {take(page, lang, 'errdex_')}"}
    page.wait_for_url(f"**/{lang}/account#tokens")
    assert page.request.get(f"{address}/api/v1/search?q=memory", headers=bearer).status == 200
    token = page.locator("#tokens li", has_text="nightly run")
    expect(token).to_contain_text(t(lang, "account.scope.submit"))
    token.get_by_role("button", name=t(lang, "account.revoke")).click()
    expect(token).to_contain_text(t(lang, "account.revoked"))
    assert page.request.get(f"{address}/api/v1/search?q=memory", headers=bearer).status == 401
    token.get_by_role("button", name=t(lang, "account.forget")).click()
    expect(token).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_who_did_what_is_filtered_and_turned_over(page: Page, address: str, lang: Lang) -> None:
    enter(page, address, lang, "/people")
    page.get_by_role("link", name=t(lang, "audit.title"), exact=True).click()
    # that of this story is the newest
    expect(page.locator("tbody tr").first).to_contain_text(t(lang, "audit.act.sign-in"))
    page.select_option("#f-act", "submitted")
    page.select_option("#f-actor", label="otto")
    page.fill("#f-since", (now() - timedelta(days=1)).date().isoformat())
    press(page, lang, "audit.filter")
    page.wait_for_url("**/audit?act=submitted&**")
    found = turn(page, lang, "audit.older", CHANGES, "/audit?before=*")
    assert found == [f"{number}." for number in reversed(range(PAGE + 2))]
    # what was chosen is still so, and is what a later day is asked for with
    assert page.input_value("#f-act") == "submitted"
    page.fill("#f-since", (now() + timedelta(days=2)).date().isoformat())
    press(page, lang, "audit.filter")
    expect(page.get_by_text(t(lang, "audit.none"), exact=True)).to_be_visible()
    assert rows(page, CHANGES) == []
