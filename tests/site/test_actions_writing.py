"""How a text gets into the guide and changes there: both languages, with and without JavaScript."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import text

from app import feedback, wanted, wiki
from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.i18n import text as t
from app.store.session import connect, writing
from tests.conftest import NAME
from tests.site.acts import IN_BOTH_LANGUAGES, RACE, WITH_JAVASCRIPT, enter, guide, has_scripts, sign_in
from tests.site.pages import BEHIND, LOG, NEW, UNKNOWN, Furnished

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(furnished: Furnished, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, str]]:
    """A guide that the stories of this file share; each writes under a name of its own."""
    with guide(furnished, tmp_path_factory.mktemp("writing")) as served:
        yield served


@pytest.fixture
def address(site: tuple[Settings, str]) -> str:
    """Where the guide is."""
    return site[1]


@pytest.fixture
def settings(site: tuple[Settings, str]) -> Settings:
    """What the guide runs with."""
    return site[0]


@pytest.fixture
def scripted(request: pytest.FixtureRequest) -> bool:
    """Whether the visitor has JavaScript."""
    return has_scripts(request)


@pytest.fixture
def own(request: pytest.FixtureRequest, lang: Lang) -> str:
    """A word that no other story writes."""
    return f"{lang}{'script' if has_scripts(request) else 'plain'}"


def proposed(settings: Settings, lang: Lang, name: str) -> tuple[int, str]:
    """Propose a new entry; its number and its author's token."""
    document = EntryDocument.model_validate(NEW | {"slug": f"verl/{name}", "examples": []})
    with writing(connect(settings)) as session:
        row, token = wiki.submit(session, document, lang=lang, submitter="ann")
        return row.id or 0, token


def fill_in(page: Page, lang: Lang, title: str) -> None:
    page.fill("#f-project", "verl")
    page.fill("#f-title", title)
    page.fill("#f-symptom", "It does not move.")
    page.get_by_label(t(lang, "entry.kind-question")).check()


@IN_BOTH_LANGUAGES
def test_a_form_with_faults_says_so_and_is_sent_when_they_are_mended(
    page: Page, address: str, lang: Lang, scripted: bool, own: str
) -> None:
    page.goto(f"{address}/{lang}/submit")
    page.fill("#f-name", "Not A Name")
    page.click("form.fields button.main")
    summary = page.locator(".problem.summary")
    expect(summary).to_contain_text(t(lang, "submit.problems"))
    if scripted:
        expect(summary).to_be_focused()
    else:
        expect(summary).not_to_be_focused()
    expect(page.locator("#p-title")).to_have_text(t(lang, "field.title.needed"))
    expect(page.locator("#f-name")).to_have_value("not a name")
    fill_in(page, lang, "Valve")
    page.fill("#f-name", f"faults-{own}")
    page.click("details.fieldset summary")
    page.fill("#f-other_title", f"The other title {own}")
    page.fill("#f-other_symptom", "The other symptom.")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    expect(page.locator("h1")).to_have_text(t(lang, "submission.state.open"))
    # the page shows what was written, in both languages
    expect(page.locator("article .title")).to_have_text(["Valve", f"The other title {own}"])
    page.click("a.switch")
    expect(page.locator("h1")).to_have_text(t("en" if lang == "zh" else "zh", "submission.state.open"))


@IN_BOTH_LANGUAGES
def test_what_was_typed_goes_along_into_the_other_language(page: Page, address: str, lang: Lang, own: str) -> None:
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Valve")
    page.fill("#f-name", f"along-{own}")
    page.click("button.switch")
    page.wait_for_url("**/submit/switch")
    expect(page.locator("h1")).to_have_text(t("en" if lang == "zh" else "zh", "submit.title"))
    # the text stays in the language that it was written in
    expect(page.locator("#f-other_title")).to_have_value("Valve")
    expect(page.locator("#f-other_symptom")).to_have_value("It does not move.")
    page.fill("#f-title", f"The second title {own}")
    page.fill("#f-symptom", "It stands still.")
    page.click("button.switch")
    page.wait_for_url(f"**/{lang}/submit/switch")
    expect(page.locator("#f-title")).to_have_value("Valve")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    expect(page.locator("article .title")).to_have_text(["Valve", f"The second title {own}"])


@IN_BOTH_LANGUAGES
def test_a_name_that_is_taken_leads_to_the_entry_that_has_it(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Valve")
    page.fill("#f-name", "behind")
    page.click("form.fields button.main")
    page.click("#p-name a")
    page.wait_for_url(f"**/{lang}/e/verl/behind/edit")
    page.click("form.fields button.main")
    expect(page.locator(".problem.summary")).to_contain_text(t(lang, "field.unchanged"))


@IN_BOTH_LANGUAGES
def test_a_submission_is_declined_with_a_reason_and_sent_again(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    number, token = proposed(settings, lang, f"declined-{own}")
    enter(page, address, lang)
    page.click(f".queue a[href='/{lang}/review/{number}']")
    decline = page.get_by_role("button", name=t(lang, "review.reject"), exact=True)
    decline.click()
    expect(page.locator("#p-reason")).to_have_text(t(lang, "field.reason.needed"))
    page.fill("#f-reason", "Which version?")
    decline.click()
    page.wait_for_url(f"**/{lang}/review")
    expect(page.locator(f".queue a[href='/{lang}/review/{number}']")).to_have_count(0)
    page.goto(f"{address}/{lang}/s/{token}")
    expect(page.locator("blockquote")).to_have_text("Which version?")
    page.get_by_role("link", name=t(lang, "submission.improve")).click()
    page.wait_for_url(f"**/{lang}/s/{token}/again")
    assert page.input_value("#f-name") == f"declined-{own}"
    page.click(".switch")
    page.wait_for_url("**/submit/switch")
    page.fill("#f-project", "verl")
    page.click("form.fields button.main")
    page.wait_for_url(re.compile(r"/s/(?!.*again)"))
    assert token not in page.url


@IN_BOTH_LANGUAGES
def test_a_submission_is_amended_published_and_told_to_its_author(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    number, token = proposed(settings, lang, f"amended-{own}")
    enter(page, address, lang, f"/review/{number}")
    page.get_by_role("link", name=t(lang, "review.amend")).click()
    # NEW has an English text only: on the Chinese page it is the other one
    title = "#f-title" if lang == "en" else "#f-other_title"
    page.fill(title, "")
    page.click("form.fields button.main")
    expect(page.locator(".problem.summary")).to_be_visible()
    for to in ("zh" if lang == "en" else "en", lang):
        page.click(".switch")
        page.wait_for_url(f"**/{to}/review/{number}/amend/switch")
    page.fill(title, "An amended valve")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/review/{number}")
    expect(page.locator("main h1")).to_have_text("An amended valve")
    page.fill("#f-note", "Read twice.")
    page.get_by_role("button", name=t(lang, "review.approve"), exact=True).click()
    page.wait_for_url(f"**/{lang}/e/verl/amended-{own}")
    page.goto(f"{address}/{lang}/s/{token}")
    expect(page.locator("h1")).to_have_text(t(lang, "submission.state.approved"))
    page.get_by_role("link", name=t(lang, "submission.see-entry")).click()
    expect(page.locator("article.entry h1")).to_have_text("An amended valve")


@IN_BOTH_LANGUAGES
def test_an_entry_is_changed_and_its_first_text_restored(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    path = f"/{lang}/e/verl/changed-{own}"
    with writing(connect(settings)) as session:
        wiki.publish(session, EntryDocument.model_validate(BEHIND | {"slug": f"verl/changed-{own}"}), actor="ann")
    page.goto(address + path)
    page.get_by_role("link", name=t(lang, "entry.edit")).click()
    page.fill("#f-title", "The changed title")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    enter(page, address, lang)
    page.locator(".queue a", has_text="The changed title").last.click()
    expect(page.locator(".diff .added", has_text="The changed title")).to_be_visible()
    page.get_by_role("button", name=t(lang, "review.approve"), exact=True).click()
    page.wait_for_url(f"**{path}")
    page.goto(f"{address}{path}/history/1")
    page.fill("#f-note", "Back to the first.")
    page.click(".decide button.main")
    page.wait_for_url(f"**{path}/history")
    expect(page.locator(".revisions .note").first).to_have_text("Back to the first.")
    page.locator(".revisions a").first.click()
    page.wait_for_url(f"**{path}/history/3")
    fold = page.locator(".diff details.fold").first
    fold.locator("summary").click()
    expect(fold.locator("pre")).to_be_visible()
    expect(page.locator(".decide")).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_a_text_with_headings_of_its_own_is_changed_as_a_whole(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    text = {"title": "Steps", "body": "## First look here\nAt the log.\n\n## Then there\nAt the node.\n"}
    examples = ["StepError: the first one is stuck", "StepError: the second one is stuck"]
    free = {"slug": f"verl/free-{own}", "updated": "2020-01-01", "en": text, "zh": text, "examples": examples}
    with writing(connect(settings)) as session:
        wiki.publish(session, EntryDocument.model_validate(free), actor="ann")
    page.goto(f"{address}/{lang}/e/verl/free-{own}/edit")
    expect(page.locator("#f-symptom")).to_have_count(0)
    page.fill("#f-body", page.input_value("#f-body").replace("At the node.", "At the other node."))
    # each example has a field
    page.get_by_label(f"{t(lang, 'submit.field.example')} 2").fill("StepError: the third one is stuck")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    enter(page, address, lang)
    page.locator(".queue tr", has_text=f"verl/free-{own}").get_by_role("link").click()
    written = (r"\+ *\"updated\": ", re.escape("+At the other node."), re.escape("+StepError: the third one is stuck"))
    expect(page.locator(".diff .added")).to_have_text([re.compile(line) for line in written])


@IN_BOTH_LANGUAGES
def test_a_withdrawn_entry_is_found_among_the_changes_and_brought_back(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    slug = f"verl/gone-{own}"
    document = EntryDocument.model_validate(BEHIND | {"slug": slug})
    with writing(connect(settings)) as session:
        wiki.publish(session, document, actor="ann")
        wiki.publish(session, document.model_copy(update={"status": "withdrawn"}), actor="ann")
    path = f"/{lang}/e/{slug}/history"
    page.goto(f"{address}/{lang}/changes")
    # to a reader it is a name and no more
    expect(page.get_by_text(slug).first).to_be_visible()
    expect(page.locator(f"a[href^='{path}']")).to_have_count(0)
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/changes")
    page.click(f"a.difference[href='{path}/2']")
    expect(page.locator(".notice")).to_contain_text(t(lang, "history.now-withdrawn"))
    page.click(".neighbours [rel=prev]")
    page.get_by_role("button", name=t(lang, "history.restore")).click()
    page.wait_for_url(f"**{path}")
    page.get_by_role("link", name=slug).click()
    expect(page.locator("article.entry h1")).to_be_visible()
    # and the other way round
    page.goto(f"{address}{path}/2")
    expect(page.locator(".decide")).to_contain_text(t(lang, "history.restore-withdrawn"))
    page.get_by_role("button", name=t(lang, "history.restore")).click()
    page.wait_for_url(f"**{path}")
    expect(page.locator(".notice")).to_have_text(t(lang, "history.now-withdrawn"))


@IN_BOTH_LANGUAGES
def test_a_reviewer_looks_at_what_answers_the_example_and_at_the_marks(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    weak = [{"pattern": "GateError: <*> is stuck"}, {"pattern": "Retrying <*> once more", "weak": True}]
    new = NEW | {"slug": f"verl/answered-{own}", "examples": [LOG], "signatures": weak}
    with writing(connect(settings)) as session:
        number = wiki.submit(session, EntryDocument.model_validate(new), lang=lang)[0].id
    enter(page, address, lang, f"/review/{number}")
    more = page.locator("details.more")
    more.locator("summary").click()
    expect(more.locator(".marks")).to_be_visible()
    page.locator("section[aria-labelledby=review-examples] .heads a").first.click()
    page.wait_for_url(f"**/{lang}{RACE}")


@IN_BOTH_LANGUAGES
def test_a_reviewer_reads_on_an_entry_what_was_said_of_it(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    slug = f"verl/said-{own}"
    with writing(connect(settings)) as session:
        wiki.publish(session, EntryDocument.model_validate(BEHIND | {"slug": slug}), actor="ann")
        feedback.say(session, slug, "a reader", "outdated", note=f"Said of {own}.")
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/e/{slug}")
    expect(page.locator(".helped")).to_contain_text(t(lang, "feedback.all", solved=0, other=0, old=1))
    page.locator(".helped").get_by_role("link", name=t(lang, "feedback.notes-title")).click()
    page.locator(".notes li", has_text=f"Said of {own}.").get_by_role("link").click()
    page.wait_for_url(f"**/{lang}/e/{slug}")


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_a_word_that_does_not_get_through_is_said_again(
    page: Page, context: BrowserContext, address: str, lang: Lang
) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.get_by_role("button", name=t(lang, "feedback.not-this")).click()
    page.fill("#feedback-note", "Mine says more.")
    context.set_offline(True)
    send = page.get_by_role("button", name=t(lang, "feedback.send"))
    send.click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.failed"))
    expect(page.locator("#feedback-note")).to_have_value("Mine says more.")
    context.set_offline(False)
    send.click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.noted"))


@IN_BOTH_LANGUAGES
def test_a_reader_says_what_is_wrong_and_a_reviewer_marks_the_note_as_read(
    page: Page, address: str, lang: Lang, scripted: bool, own: str
) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.get_by_role("button", name=t(lang, "feedback.solved")).click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.thanks.solved"))
    expect(page.locator("#feedback-note")).to_have_count(0)
    # a second thought takes the place of the first
    page.get_by_role("button", name=t(lang, "feedback.not-this")).click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.thanks.not-this"))
    page.fill("#feedback-note", f"Mine is {own}.")
    page.get_by_role("button", name=t(lang, "feedback.send")).click()
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.noted"))
    assert page.url.endswith(RACE) is scripted
    enter(page, address, lang)
    page.get_by_role("link", name=t(lang, "feedback.notes-title")).click()
    note = page.locator(".notes li", has_text=f"Mine is {own}.")
    note.get_by_role("button", name=t(lang, "feedback.see")).click()
    expect(note).to_have_class("seen")
    expect(note.get_by_role("button")).to_have_count(0)


BY_EITHER_KEY = pytest.mark.parametrize("keys", ["Control+Enter", "Meta+Enter"])


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_send_a_note(page: Page, address: str, lang: Lang, keys: str) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.get_by_role("button", name=t(lang, "feedback.outdated")).click()
    page.fill("#feedback-note", "The flag is gone.")
    page.press("#feedback-note", keys)
    expect(page.locator(".thanks")).to_have_text(t(lang, "feedback.noted"))


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_send_a_proposal(page: Page, address: str, lang: Lang, keys: str) -> None:
    page.goto(f"{address}/{lang}/submit")
    # faults are told as if the button was pressed
    page.press("#f-fix", keys)
    expect(page.locator(".problem.summary")).to_be_focused()
    fill_in(page, lang, "Sent by keys")
    page.fill("#f-name", f"keys-{lang}-{keys[:4].lower()}")
    page.press("#f-symptom", keys)
    page.wait_for_url(f"**/{lang}/s/*")
    expect(page.locator("article .title")).to_have_text(["Sent by keys"])


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_in_the_reason_decline(page: Page, address: str, settings: Settings, lang: Lang, keys: str) -> None:
    number, token = proposed(settings, lang, f"by-{keys[:4].lower()}-{lang}")
    enter(page, address, lang, f"/review/{number}")
    page.press("#f-reason", keys)
    expect(page.locator("#p-reason")).to_have_text(t(lang, "field.reason.needed"))
    page.fill("#f-reason", "Which version?")
    page.press("#f-reason", keys)
    page.wait_for_url(f"**/{lang}/review")
    page.goto(f"{address}/{lang}/s/{token}")
    expect(page.locator("blockquote")).to_have_text("Which version?")


@WITH_JAVASCRIPT
@BY_EITHER_KEY
@IN_BOTH_LANGUAGES
def test_the_keys_save_an_amendment(page: Page, address: str, settings: Settings, lang: Lang, keys: str) -> None:
    number, _ = proposed(settings, lang, f"saved-{keys[:4].lower()}-{lang}")
    enter(page, address, lang, f"/review/{number}/amend")
    # NEW has an English text only: on the Chinese page it is the other one
    cause = "#f-cause" if lang == "en" else "#f-other_cause"
    page.fill(cause, "The frost.")
    page.press(cause, keys)
    page.wait_for_url(f"**/{lang}/review/{number}")
    expect(page.locator("article .prose")).to_contain_text("The frost.")


@IN_BOTH_LANGUAGES
def test_enter_in_the_note_publishes(page: Page, address: str, settings: Settings, lang: Lang, own: str) -> None:
    number, _ = proposed(settings, lang, f"enter-{own}")
    enter(page, address, lang, f"/review/{number}")
    page.fill("#f-note", "Read twice.")
    page.press("#f-note", "Enter")
    page.wait_for_url(f"**/{lang}/e/verl/enter-{own}")


@IN_BOTH_LANGUAGES
def test_a_wanted_error_is_described_or_taken_off_the_list(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    wanted.count(connect(settings), {f"OrchardGateError: the {own} gate is stuck": wanted.ENOUGH_ASKED})
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/wanted")
    row = page.locator(".wanted li", has_text=f"the {own} gate")
    row.get_by_role("button", name=t(lang, "wanted.describe")).click()
    page.wait_for_url(f"**/{lang}/submit/draft")
    assert own in page.input_value("#f-patterns")
    page.go_back()
    row.get_by_role("button", name=t(lang, "wanted.dismiss")).click()
    page.wait_for_url(f"**/{lang}/wanted")
    expect(row).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_a_reviewer_signs_in_at_the_second_try_and_out(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/review/feedback")
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "sign-in.wrong"))
    assert page.input_value("#f-name") == NAME
    sign_in(page)
    # to where they wanted to go
    page.wait_for_url(f"**/{lang}/review/feedback")
    page.get_by_role("link", name=t(lang, "site.review"), exact=True).click()
    page.get_by_role("button", name=t(lang, "site.sign-out", who=NAME)).click()
    page.wait_for_url(f"{address}/{lang}/")
    page.goto(f"{address}/{lang}/review")
    assert "/sign-in" in page.url


@IN_BOTH_LANGUAGES
def test_a_reviewer_who_changes_the_language_signs_in_to_the_page_they_wanted(
    page: Page, address: str, lang: Lang
) -> None:
    page.goto(f"{address}/{lang}/review/feedback")
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_be_visible()
    page.click("a.switch")
    page.wait_for_url(f"**/{'en' if lang == 'zh' else 'zh'}/sign-in**")
    sign_in(page)
    page.wait_for_url(f"**/{'en' if lang == 'zh' else 'zh'}/review/feedback")


@IN_BOTH_LANGUAGES
def test_a_form_that_could_not_be_taken_is_sent_again(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    scripted = own.endswith("script")
    engine = connect(settings)
    # the answer to what another story asked is remembered, and needs no entries
    paste = f"{UNKNOWN} {own}"
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", paste)
    with writing(engine) as session:
        session.execute(text("ALTER TABLE entry RENAME TO away"))
    try:
        page.click("form.paste button.main")
        expect(page.locator(".kept textarea")).to_have_value(paste)
        expect(page.locator("[data-retry]")).to_have_text(t(lang, "error-page.tells") if scripted else "")
    finally:
        with writing(engine) as session:
            session.execute(text("ALTER TABLE away RENAME TO entry"))
    page.get_by_role("button", name=t(lang, "error-page.again")).click()
    expect(page.locator(".invite")).to_be_visible()
