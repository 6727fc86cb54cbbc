"""How a text gets into the guide and changes there: both languages, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from app.wiki import proposals, publishing
from tests.site.acts import (
    IN_BOTH_LANGUAGES,
    RACE,
    WITH_JAVASCRIPT,
    enter,
    fill_in,
    proposed,
)
from tests.site.pages import BEHIND, LOG, NEW

pytestmark = pytest.mark.browser


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
    page.click("details.fieldset:has(#f-other_title) summary")
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
def test_a_form_is_given_rows_and_holds_every_fact(page: Page, address: str, lang: Lang, own: str) -> None:
    """Also where Enter is pressed in a line: that sends the form, and neither adds a row nor switches the language."""
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Valve")
    page.fill("#f-signature", "ValveError: it is stuck")
    page.get_by_role("button", name=t(lang, "submit.add.signature")).click()
    page.wait_for_url(re.compile(f"/{lang}/submit/rows#f-signature-2$"))
    assert page.input_value("#f-title") == "Valve"
    page.fill("#f-signature-2", "pump/valve.py:close")
    page.locator(".row .more-fields summary").last.click()
    page.select_option("#f-signature_is-2", "frame")
    page.locator("summary", has_text=t(lang, "submit.shelves")).click()
    page.fill("#f-tags", "oom")
    page.fill("#f-name", f"rows-{own}")
    page.press("#f-name", "Enter")
    page.wait_for_url(f"**/{lang}/s/*")
    page.goto(f"{page.url}/again")
    assert page.input_value("#f-signature-2") == "pump/valve.py:close"
    assert page.input_value("#f-tags") == "oom"


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_what_is_typed_is_kept_by_the_browser_until_it_is_sent(page: Page, address: str, lang: Lang, own: str) -> None:
    """Masked like a paste; meanwhile what answers it already is named."""
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Valve")
    page.fill("#f-name", f"kept-{own}")
    page.fill("#f-fix", "Send password=hunter2secret to nobody.")
    page.fill("#f-example", LOG)
    expect(page.locator("#answered a").first).to_have_attribute("href", f"/{lang}{RACE}")
    kept = page.locator("#entry-form[data-kept]")
    expect(kept).to_be_visible()
    assert "hunter2secret" not in page.evaluate("Object.values(localStorage).join()")
    page.goto(f"{address}/{lang}/browse")
    page.goto(f"{address}/{lang}/submit")
    assert page.input_value("#f-title") == ""
    page.get_by_role("button", name=t(lang, "submit.kept-back")).click()
    page.wait_for_url(f"**/{lang}/submit/rows")
    expect(page.locator("#f-title")).to_have_value("Valve")
    expect(page.locator("#f-example")).to_have_value(LOG)
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    page.goto(f"{address}/{lang}/submit")
    expect(page.locator("#kept-draft")).to_be_hidden()
    page.fill("#f-title", "Another")
    expect(kept).to_be_visible()
    page.reload()
    page.get_by_role("button", name=t(lang, "submit.kept-away")).click()
    assert page.evaluate("Object.keys(localStorage).length") == 0


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
def test_a_submitter_is_asked_for_changes_and_answers(
    page: Page, address: str, settings: Settings, lang: Lang, *, own: str, scripted: bool
) -> None:
    number, token = proposed(settings, lang, f"returned-{own}")
    enter(page, address, lang, f"/review/{number}")
    if scripted:
        # without a script there is a link
        expect(page.locator("#found-by-rules")).to_be_visible()
    else:
        page.get_by_role("link", name=t(lang, "rules.hold")).click()
        expect(page.locator("#found-by-rules")).to_be_visible()
        page.go_back()
    page.fill("#f-reason", "Which version?")
    page.get_by_role("button", name=t(lang, "review.return"), exact=True).click()
    page.wait_for_url(f"**/{lang}/review")
    page.get_by_role("link", name=t(lang, "review.list.returned"), exact=True).click()
    page.select_option("#f-project", "verl")
    page.get_by_role("button", name=t(lang, "review.narrow"), exact=True).click()
    expect(page.locator(f".queue a[href='/{lang}/review/{number}']")).to_be_visible()
    page.goto(f"{address}/{lang}/s/{token}")
    expect(page.locator("blockquote")).to_have_text("Which version?")
    page.get_by_role("link", name=t(lang, "submission.answer")).click()
    page.fill("#f-note", "It was 2.1.")
    page.fill("#f-title" if lang == "en" else "#f-other_title", "A valve of 2.1")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/{token}")
    expect(page.locator("h1")).to_have_text(t(lang, "submission.state.open"))
    page.goto(f"{address}/{lang}/review/{number}")
    expect(page.locator("main h1")).to_have_text("A valve of 2.1")


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
        publishing.publish(session, EntryDocument.model_validate(BEHIND | {"slug": f"verl/changed-{own}"}), actor="ann")
    page.goto(address + path)
    page.get_by_role("link", name=t(lang, "entry.edit")).click()
    page.fill("#f-title", "The changed title")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    enter(page, address, lang)
    page.locator(".queue a", has_text="The changed title").last.click()
    expect(page.locator(".diff ins", has_text="The changed title")).to_be_visible()
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
        publishing.publish(session, EntryDocument.model_validate(free), actor="ann")
    page.goto(f"{address}/{lang}/e/verl/free-{own}/edit")
    expect(page.locator("#f-symptom")).to_have_count(0)
    page.fill("#f-body", page.input_value("#f-body").replace("At the node.", "At the other node."))
    # each example has a field
    page.get_by_text(t(lang, "submit.examples"), exact=False).first.click()
    page.get_by_label(f"{t(lang, 'submit.field.example')} 2").fill("StepError: the third one is stuck")
    page.click("form.fields button.main")
    page.wait_for_url(f"**/{lang}/s/*")
    enter(page, address, lang)
    page.locator(".queue tr", has_text=f"verl/free-{own}").get_by_role("link").click()
    written = (re.escape("+At the other node."), re.escape("+StepError: the third one is stuck"))
    expect(page.locator(".diff ins")).to_have_text([re.compile(line) for line in written])


@IN_BOTH_LANGUAGES
def test_a_withdrawn_entry_is_found_among_the_changes_and_brought_back(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    slug = f"verl/gone-{own}"
    document = EntryDocument.model_validate(BEHIND | {"slug": slug})
    with writing(connect(settings)) as session:
        publishing.publish(session, document, actor="ann")
        publishing.publish(session, document.model_copy(update={"status": "withdrawn"}), actor="ann")
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
        number = proposals.submit(session, EntryDocument.model_validate(new), lang=lang)[0].id
    enter(page, address, lang, f"/review/{number}")
    more = page.locator("details.more")
    more.locator("summary").click()
    expect(more.locator(".marks")).to_be_visible()
    page.locator("section[aria-labelledby=review-examples] .heads a").first.click()
    page.wait_for_url(f"**/{lang}{RACE}")
