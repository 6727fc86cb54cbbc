"""What two people do to the same text at the same time: both languages, with and without JavaScript."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from app.wiki import feedback, proposals, publishing
from tests import askers
from tests.conftest import NAME, add_person
from tests.site.acts import IN_BOTH_LANGUAGES, enter, has_scripts, sign_in
from tests.site.pages import BEHIND, NEW

pytestmark = pytest.mark.browser

SAM, WORD = "sam", "another long password"
NOTE, REASON = "Checked on two <machines> & a laptop.", "It lacks\nthe <version>."


@pytest.fixture(scope="module")
def site(site: tuple[Settings, str]) -> tuple[Settings, str]:
    """A guide with two reviewers; each story writes under a name of its own."""
    add_person(connect(site[0]), SAM, WORD)
    return site


@pytest.fixture
def slug(request: pytest.FixtureRequest, lang: Lang) -> str:
    """An entry of this story alone."""
    story = request.node.originalname.removeprefix("test_").replace("_", "-")[:60].strip("-")
    return f"verl/{story}-{lang}-{'script' if has_scripts(request) else 'plain'}"


@pytest.fixture
def colleague(browser: Browser, page: Page) -> Iterator[Page]:
    """Somebody else's tab, at a browser of their own."""
    with closing(browser.new_context()) as context:
        context.set_default_timeout(15_000)
        yield context.new_page()


@pytest.fixture
def number(settings: Settings, slug: str, lang: Lang) -> int:
    """A new entry that waits for review."""
    document = EntryDocument.model_validate(
        NEW | {"slug": slug, "examples": [], "zh": {"title": "阀门冻住了", "body": "## 现象\n不动了。\n"}}
    )
    with writing(connect(settings)) as session:
        return proposals.submit(session, document, lang=lang)[0].id or 0


@pytest.fixture
def reviewed(page: Page, colleague: Page, address: str, lang: Lang, number: int) -> str:
    """Where two reviewers have opened a submission; both read it now."""
    enter(page, address, lang, f"/review/{number}")
    enter(colleague, address, lang, f"/review/{number}", name=SAM, password=WORD)
    return f"{address}/{lang}/review/{number}"


def button(page: Page, lang: Lang, word: str) -> Locator:
    return page.get_by_role("button", name=t(lang, word), exact=True)


def amend(page: Page, lang: Lang, title: str) -> None:
    """Change the title of the submission that is shown, and save."""
    page.get_by_role("link", name=t(lang, "review.amend")).click()
    page.fill("#f-title", title)
    button(page, lang, "submit.save").click()
    expect(page.locator("main h1")).to_have_text(title)


def told(page: Page, lang: Lang) -> None:
    """See that somebody was faster."""
    expect(page.get_by_role("alert")).to_contain_text(t(lang, "review.conflict"))


@IN_BOTH_LANGUAGES
def test_who_publishes_what_a_colleague_published_keeps_the_note(
    page: Page, colleague: Page, reviewed: str, lang: Lang, slug: str
) -> None:
    page.fill("#f-note", NOTE)
    colleague.fill("#f-note", "It was I.")
    button(colleague, lang, "review.approve").click()
    colleague.wait_for_url(f"**/e/{slug}")
    button(page, lang, "review.approve").click()
    told(page, lang)
    expect(page.locator("figure blockquote").first).to_have_text(NOTE)
    expect(page.get_by_text("It was I.")).to_be_visible()
    # nothing is left to decide, and nothing was written twice
    expect(page.locator(".decide")).to_have_count(0)
    page.goto(f"{reviewed.rpartition('/review')[0]}/e/{slug}/history")
    expect(page.locator(".revisions .note")).to_have_text(["It was I."])


@IN_BOTH_LANGUAGES
def test_who_declines_what_a_colleague_published_keeps_the_reason(
    page: Page, colleague: Page, reviewed: str, lang: Lang, slug: str
) -> None:
    page.fill("#f-reason", REASON)
    button(colleague, lang, "review.approve").click()
    colleague.wait_for_url(f"**/e/{slug}")
    button(page, lang, "review.reject").click()
    told(page, lang)
    expect(page.locator("figure blockquote").first).to_have_text(REASON)
    expect(page.locator(".decide")).to_have_count(0)
    page.goto(f"{reviewed.rpartition('/review')[0]}/e/{slug}")
    expect(page.locator("article.entry h1")).to_be_visible()


@IN_BOTH_LANGUAGES
def test_who_publishes_what_a_colleague_declined_publishes_nothing(
    page: Page, colleague: Page, reviewed: str, lang: Lang, slug: str
) -> None:
    page.fill("#f-note", NOTE)
    colleague.fill("#f-reason", "No room.")
    button(colleague, lang, "review.reject").click()
    colleague.wait_for_url("**/review")
    button(page, lang, "review.approve").click()
    told(page, lang)
    expect(page.locator("figure blockquote")).to_have_text([NOTE, "No room."])
    expect(page.locator(".decide")).to_have_count(0)
    answer = page.goto(f"{reviewed.rpartition('/review')[0]}/e/{slug}")
    assert answer is not None
    assert answer.status == 404


@IN_BOTH_LANGUAGES
def test_who_publishes_what_a_colleague_amended_reads_it_first_and_publishes_that(
    page: Page, colleague: Page, reviewed: str, lang: Lang, slug: str
) -> None:
    page.fill("#f-note", NOTE)
    amend(colleague, lang, "Another title")
    button(page, lang, "review.approve").click()
    told(page, lang)
    expect(page.locator("main h1")).to_have_text("Another title")
    expect(page.locator("#f-note")).to_have_value(NOTE)
    button(page, lang, "review.approve").click()
    page.wait_for_url(f"**/{lang}/e/{slug}")
    expect(page.locator("article.entry h1")).to_have_text("Another title")
    page.goto(f"{reviewed.rpartition('/review')[0]}/e/{slug}/history")
    expect(page.locator(".revisions .note")).to_have_text([NOTE])


@IN_BOTH_LANGUAGES
def test_who_declines_what_a_colleague_amended_reads_it_first_and_declines_that(
    page: Page, colleague: Page, reviewed: str, lang: Lang
) -> None:
    page.fill("#f-reason", REASON)
    amend(colleague, lang, "Another title")
    button(page, lang, "review.reject").click()
    told(page, lang)
    expect(page.locator("main h1")).to_have_text("Another title")
    expect(page.locator("#f-reason")).to_have_value(REASON)
    button(page, lang, "review.reject").click()
    page.wait_for_url(f"**/{lang}/review")
    page.goto(reviewed)
    expect(page.locator("figure blockquote")).to_have_text(REASON)


@IN_BOTH_LANGUAGES
def test_of_two_who_amend_the_second_compares_and_saves_again(
    page: Page, colleague: Page, reviewed: str, lang: Lang
) -> None:
    page.get_by_role("link", name=t(lang, "review.amend")).click()
    page.fill("#f-title", "Mine")
    page.fill("#f-cause", "The frost &\nthe wind.")
    amend(colleague, lang, "Another title")
    button(page, lang, "submit.save").click()
    told(page, lang)
    expect(page.locator("#f-title")).to_have_value("Mine")
    expect(page.locator("#f-cause")).to_have_value("The frost &\nthe wind.")
    # what it is compared with is one click away, and the way back keeps what was typed
    page.click(".crumbs a >> nth=1")
    page.wait_for_url(reviewed)
    expect(page.locator("main h1")).to_have_text("Another title")
    page.go_back()
    expect(page.locator("#f-title")).to_have_value("Mine")
    button(page, lang, "submit.save").click()
    page.wait_for_url(reviewed)
    expect(page.locator("main h1")).to_have_text("Mine")


@IN_BOTH_LANGUAGES
def test_who_amends_what_a_colleague_published_keeps_the_text(
    page: Page, colleague: Page, reviewed: str, lang: Lang, slug: str
) -> None:
    page.get_by_role("link", name=t(lang, "review.amend")).click()
    page.fill("#f-cause", "The frost &\nthe wind.")
    button(colleague, lang, "review.approve").click()
    colleague.wait_for_url(f"**/e/{slug}")
    for _ in range(2):
        # the second time, all that is looked for stands on the page already
        with page.expect_navigation():
            button(page, lang, "submit.save").click()
        told(page, lang)
        expect(page.locator("#f-cause")).to_have_value("The frost &\nthe wind.")
    page.click(".crumbs a >> nth=1")
    page.wait_for_url(reviewed)
    expect(page.locator(".decide")).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_of_two_new_entries_with_one_name_the_second_is_amended_into_a_change(
    page: Page, reviewed: str, settings: Settings, lang: Lang, slug: str
) -> None:
    page.fill("#f-note", NOTE)
    with writing(connect(settings)) as session:
        publishing.publish(session, EntryDocument.model_validate(BEHIND | {"slug": slug}), actor=SAM)
    button(page, lang, "review.approve").click()
    told(page, lang)
    expect(page.locator(".notice").first).to_contain_text(t(lang, "review.taken"))
    # publishing is not offered, and the note can be copied
    expect(button(page, lang, "review.approve")).to_have_count(0)
    expect(page.locator(".said blockquote")).to_have_text(NOTE)
    expect(page.locator(".diff ins").first).to_be_visible()
    amend(page, lang, "Both valves")
    button(page, lang, "review.approve").click()
    page.wait_for_url(f"**/{lang}/e/{slug}")
    expect(page.locator("article.entry h1")).to_have_text("Both valves")
    page.goto(reviewed)
    expect(page.locator(".decide")).to_have_count(0)


@pytest.fixture
def changed(settings: Settings, slug: str) -> str:
    """An entry with two revisions."""
    first = EntryDocument.model_validate(BEHIND | {"slug": slug})
    with writing(connect(settings)) as session:
        publishing.publish(session, first, actor="ann")
        publishing.publish(session, first.model_copy(update={"tags": ("install",)}), actor="ann")
    return slug


@IN_BOTH_LANGUAGES
def test_who_restores_after_a_colleague_published_looks_and_restores_again(
    page: Page, address: str, settings: Settings, lang: Lang, changed: str
) -> None:
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/e/{changed}/history/1")
    page.fill("#f-note", NOTE)
    with writing(connect(settings)) as session:
        third = EntryDocument.model_validate(BEHIND | {"slug": changed, "tags": ["hang"]})
        publishing.publish(session, third, actor=SAM)
    button(page, lang, "history.restore").click()
    expect(page.get_by_role("alert")).to_contain_text(t(lang, "history.conflict", number=3, who=SAM))
    expect(page.locator("#f-note")).to_have_value(NOTE)
    page.get_by_role("alert").get_by_role("link").click()
    page.wait_for_url(f"**/{lang}/e/{changed}/history/3")
    page.go_back()
    expect(page.locator("#f-note")).to_have_value(NOTE)
    button(page, lang, "history.restore").click()
    page.wait_for_url(f"**/{lang}/e/{changed}/history")
    expect(page.locator(".revisions .note").first).to_have_text(NOTE)


@IN_BOTH_LANGUAGES
def test_of_two_who_restore_the_same_the_second_keeps_the_note(
    page: Page, colleague: Page, address: str, lang: Lang, changed: str
) -> None:
    enter(page, address, lang)
    enter(colleague, address, lang, name=SAM, password=WORD)
    for one in (page, colleague):
        one.goto(f"{address}/{lang}/e/{changed}/history/1")
    page.fill("#f-note", NOTE)
    button(colleague, lang, "history.restore").click()
    colleague.wait_for_url(f"**/e/{changed}/history")
    button(page, lang, "history.restore").click()
    expect(page.get_by_role("alert")).to_contain_text(t(lang, "history.conflict", number=3, who=SAM))
    expect(page.locator("figure blockquote")).to_have_text(NOTE)
    # it is what is published now
    expect(page.locator(".decide")).to_have_count(0)
    expect(page.get_by_text(t(lang, "history.is-same"))).to_be_visible()


@IN_BOTH_LANGUAGES
def test_an_author_whose_entry_changed_meanwhile_compares_and_sends_again(
    page: Page, address: str, settings: Settings, lang: Lang, changed: str
) -> None:
    page.goto(f"{address}/{lang}/e/{changed}/edit")
    page.fill("#f-symptom", "It waits &\n<forever>.")
    page.fill("#f-submitter", "ann")
    page.fill("#f-note", NOTE)
    with writing(connect(settings)) as session:
        third = EntryDocument.model_validate(BEHIND | {"slug": changed, "tags": ["hang"]})
        publishing.publish(session, third, actor=SAM)
    button(page, lang, "submit.send").click()
    expect(page.get_by_role("alert")).to_contain_text(t(lang, "field.outdated"))
    expect(page.locator("#f-symptom")).to_have_value("It waits &\n<forever>.")
    expect(page.locator("#f-submitter")).to_have_value("ann")
    expect(page.locator("#f-note")).to_have_value(NOTE)
    page.get_by_role("link", name=t(lang, "submission.see-entry")).click()
    page.wait_for_url(f"**/{lang}/e/{changed}")
    page.go_back()
    button(page, lang, "submit.send").click()
    page.wait_for_url(f"**/{lang}/s/*")
    expect(page.locator("h1")).to_have_text(t(lang, "submission.state.open"))


@IN_BOTH_LANGUAGES
def test_a_note_that_was_written_anew_meanwhile_stays_unread(
    page: Page, address: str, settings: Settings, lang: Lang, changed: str
) -> None:
    def write(note: str) -> None:
        with writing(connect(settings)) as session:
            feedback.say(session, changed, "a reader", "outdated", note=note)

    write("It has another name.")
    enter(page, address, lang, "/review/feedback")
    note = page.locator(".notes li", has=page.locator(f"a[href$='/e/{changed}']"))
    write("It has another sign.")
    note.get_by_role("button").click()
    expect(note.locator(".note")).to_have_text("It has another sign.")
    note.get_by_role("button", name=t(lang, "feedback.see")).click()
    expect(note).to_have_class("seen")


@pytest.fixture
def missing(settings: Settings, slug: str) -> str:
    """A word in a wanted error."""
    word = "".join(letter for letter in slug if letter.isalpha())
    askers.ask(connect(settings), f"OrchardGateError: gate {word} is stuck")
    return word


@IN_BOTH_LANGUAGES
def test_what_two_take_off_the_list_is_gone_for_both(
    page: Page, colleague: Page, address: str, lang: Lang, missing: str
) -> None:
    enter(page, address, lang)
    enter(colleague, address, lang, name=SAM, password=WORD)
    for one in (page, colleague):
        one.goto(f"{address}/{lang}/wanted")
    for one in (colleague, page):
        row = one.locator(".wanted li", has_text=missing)
        row.get_by_role("button", name=t(lang, "wanted.dismiss")).click()
        one.wait_for_url(f"**/{lang}/wanted")
        expect(row).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_a_decision_written_after_the_session_ended_is_sent_after_signing_in(
    page: Page, reviewed: str, lang: Lang, address: str
) -> None:
    page.fill("#f-reason", REASON)
    other = page.context.new_page()
    other.goto(f"{address}/{lang}/browse")
    other.get_by_role("button", name=t(lang, "site.sign-out", who=NAME)).click()
    other.wait_for_url(f"{address}/{lang}/")
    button(page, lang, "review.reject").click()
    expect(page.locator(".kept textarea")).to_have_value(REASON)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=t(lang, "error-page.sign-in")).click()
    sign_in(opened.value)
    opened.value.wait_for_url(f"**/{lang}/review")
    expect(opened.value.get_by_role("button", name=NAME)).to_be_visible()
    button(page, lang, "error-page.again").click()
    page.wait_for_url(f"**/{lang}/review")
    page.goto(reviewed)
    expect(page.locator("figure blockquote")).to_have_text(REASON)
