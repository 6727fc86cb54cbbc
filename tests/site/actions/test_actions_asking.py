"""What people do with the paste box and with what it answers: both languages, with and without JavaScript."""

import re
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import text

from app.config import Settings
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from tests.site.acts import IN_BOTH_LANGUAGES, RACE, WITH_JAVASCRIPT, ask
from tests.site.pages import FAMILY, LOG, LONG, UNKNOWN
from tests.site.test_paste_box import PASTE, TOKEN

pytestmark = pytest.mark.browser


def other(lang: Lang) -> Lang:
    return "en" if lang == "zh" else "zh"


@IN_BOTH_LANGUAGES
def test_a_paste_is_identified_and_seen_in_the_other_language(page: Page, address: str, lang: Lang) -> None:
    ask(page, address, lang, LOG)
    page.click(".second summary")
    expect(page.locator(".second .reasons").first).to_be_visible()
    page.click("button.switch")
    page.wait_for_url(f"**/{other(lang)}/match")
    expect(page.locator(".answer.first h2 a")).to_have_attribute("href", f"/{other(lang)}{RACE}")
    page.click(".answer.first a.go")
    page.wait_for_url(f"**/{other(lang)}{RACE}")
    page.go_back()
    page.click(".after a.button")
    page.wait_for_url(f"{address}/{other(lang)}/")


@IN_BOTH_LANGUAGES
def test_each_of_several_answers_shows_its_lines_and_is_opened(page: Page, address: str, lang: Lang) -> None:
    ask(page, address, lang, FAMILY)
    answers = page.locator(".answer")
    expect(answers).to_have_count(3)
    expect(answers.first.locator(".fix").first).to_be_visible()
    answers.nth(1).locator("summary").first.click()
    # one of them is open at a time
    expect(answers.first.locator(".fix").first).to_be_hidden()
    marks = answers.nth(1).locator("details.more", has=page.locator(".specimen"))
    expect(marks.locator(".specimen")).to_be_hidden()
    marks.locator("summary").click()
    expect(marks.locator("mark").first).to_be_visible()
    page.locator(".answer .trust a").nth(1).click()
    page.wait_for_url(f"**/{lang}/p/skyrl")
    page.go_back()
    page.locator(".answer[open] a.go").click()
    page.wait_for_url(f"**/{lang}/e/**")
    page.go_back()
    expect(answers).to_have_count(3)


@IN_BOTH_LANGUAGES
def test_what_came_near_is_opened(page: Page, address: str, lang: Lang) -> None:
    ask(page, address, lang, LOG)
    near = page.locator(".related a").first
    title = near.inner_text()
    near.click()
    expect(page.locator("article.entry h1")).to_have_text(title)
    page.go_back()
    second = page.locator(".second a")
    page.click(".second summary")
    title = second.inner_text()
    second.click()
    expect(page.locator("article.entry h1")).to_have_text(title)


@IN_BOTH_LANGUAGES
def test_every_sample_is_answered(page: Page, address: str, lang: Lang) -> None:
    for place in range(3):
        page.goto(f"{address}/{lang}/")
        page.locator(".try button").nth(place).click()
        page.wait_for_url("**/match")
        expect(page.locator(".answer.first")).to_be_visible()


@IN_BOTH_LANGUAGES
def test_an_empty_box_is_told_so(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/")
    page.click("form.paste button.main")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "home.empty"))
    # what the message asks for can be done where it stands
    page.fill("#paste", FAMILY)
    page.click("form.paste button.main")
    page.click(".ask details[open] a.go >> nth=0")
    expect(page.locator("article.entry h1")).to_be_visible()


@IN_BOTH_LANGUAGES
def test_the_keys_send_a_paste_and_are_named_to_those_who_have_them(
    page: Page, address: str, lang: Lang, scripted: bool
) -> None:
    page.goto(f"{address}/{lang}/")
    expect(page.locator("#paste")).to_be_focused()
    expect(page.locator(".keys")).to_be_visible(visible=scripted)
    page.fill("#paste", LOG)
    page.press("#paste", "Control+Enter")
    if scripted:
        page.wait_for_url("**/match")
        expect(page.locator(".answer.first")).to_be_visible()


@IN_BOTH_LANGUAGES
def test_what_looks_secret_is_masked_as_its_author_wants(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", PASTE)
    summary = page.locator(".secrets summary")
    expect(summary).to_have_count(int(scripted))
    if scripted:
        expect(summary).to_be_visible()
        summary.click()
        single, whole = page.get_by_label("otto@kestrel.io"), page.get_by_label(t(lang, "paste.page.mask"))
        whole.uncheck()
        expect(summary).to_have_text(t(lang, "paste.page.off"))
        expect(single).to_be_hidden()
        whole.check()
        single.uncheck()
    with page.expect_request(lambda request: request.method == "POST") as posted:
        page.click("form.paste button.main")
    page.wait_for_url("**/match")
    sent = unquote_plus((posted.value.post_data_buffer or b"").decode())
    assert (TOKEN in sent, "otto@kestrel.io" in sent) == (not scripted, True)
    # without a script the server masks, and says so
    expect(page.get_by_text(t(lang, "paste.notice", n=4))).to_have_count(int(not scripted))
    shown = page.inner_text("main")
    assert (TOKEN in shown, "otto@kestrel.io" in shown) == (False, scripted)


@IN_BOTH_LANGUAGES
def test_a_log_file_is_sent(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    page.goto(f"{address}/{lang}/")
    page.get_by_label(t(lang, "paste.file" if scripted else "paste.file-without-script")).set_input_files(
        {"name": "train.log", "mimeType": "text/plain", "buffer": LOG.encode()}
    )
    if scripted:
        said = t(lang, "paste.page.whole", name="train.log", n=len(LOG.splitlines()))
        expect(page.locator(".reading")).to_have_text(said)
        assert page.input_value("#paste") == LOG
    page.click("form.paste button.main")
    page.wait_for_url("**/match")
    expect(page.locator(".answer.first h2 a")).to_have_attribute("href", f"/{lang}{RACE}")


DROP = """(box, text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "dropped.log"));
  for (const what of ["dragenter", "dragover", "drop"]) {
    box.dispatchEvent(new DragEvent(what, { dataTransfer: carried, bubbles: true, cancelable: true }));
  }
}"""


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_a_file_that_is_carried_away_again_leaves_the_box_as_it_was(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", "mine")
    carried = page.evaluate_handle(
        "() => { const all = new DataTransfer(); all.items.add(new File(['x'], 'a')); return all; }"
    )
    page.dispatch_event("#paste", "dragenter", {"dataTransfer": carried})
    expect(page.locator("form.paste")).to_have_class(re.compile(r"\bover\b"))
    page.dispatch_event("#paste", "dragleave", {"dataTransfer": carried})
    expect(page.locator("form.paste")).not_to_have_class(re.compile(r"\bover\b"))
    assert page.input_value("#paste") == "mine"


@IN_BOTH_LANGUAGES
def test_who_goes_back_finds_the_paste_as_it_was(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    ask(page, address, lang, PASTE)
    page.go_back()
    expect(page.locator("#paste")).to_have_value(PASTE)
    # and what would be masked is told again
    expect(page.locator(".secrets summary")).to_have_count(int(scripted))
    if scripted:
        expect(page.locator(".secrets summary")).to_be_visible()


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_a_file_that_is_no_log_is_refused_and_the_next_one_dropped(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/")
    page.set_input_files("#paste-file", {"name": "a.log.gz", "mimeType": "", "buffer": b"\x1f\x8b\x08packed"})
    expect(page.locator(".reading")).to_have_text(t(lang, "paste.packed"))
    page.locator("#paste").evaluate(DROP, LOG)
    said = t(lang, "paste.page.whole", name="dropped.log", n=len(LOG.splitlines()))
    expect(page.locator(".reading")).to_have_text(said)
    assert page.input_value("#paste") == LOG


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_the_reading_of_a_file_is_stopped(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/")
    page.fill("#paste", "mine")
    # a disk that never answers: reading is under way until somebody stops it
    page.evaluate("""() => {
        const read = Blob.prototype.arrayBuffer;
        Blob.prototype.arrayBuffer = function () {
            return new Promise((go) => { window.answer = () => go(read.call(this)); });
        };
    }""")
    page.set_input_files("#paste-file", {"name": "train.log", "mimeType": "text/plain", "buffer": LOG.encode()})
    page.get_by_role("button", name=t(lang, "paste.page.stop")).click()
    page.evaluate("window.answer()")
    expect(page.locator(".reading")).to_have_text(t(lang, "paste.page.stopped"))
    assert page.input_value("#paste") == "mine"


@IN_BOTH_LANGUAGES
def test_an_unknown_error_is_described(page: Page, address: str, lang: Lang) -> None:
    ask(page, address, lang, UNKNOWN)
    page.click(".unknown a[href$=wanted]")
    page.wait_for_url(f"**/{lang}/wanted")
    page.go_back()
    page.click(".unknown button")
    page.wait_for_url(f"**/{lang}/submit/draft")
    assert "GreenhouseValveError" in page.input_value("#f-title")
    assert page.input_value("[name=example]") == UNKNOWN


@IN_BOTH_LANGUAGES
def test_an_answer_that_is_none_leads_to_the_form_too(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    page.goto(f"{address}/{lang}/")
    page.set_input_files("#paste-file", {"name": "a.log", "mimeType": "", "buffer": (LONG + LOG).encode()})
    said = t(lang, "paste.page.whole", name="a.log", n=len((LONG + LOG).splitlines()))
    expect(page.locator(".reading")).to_have_text(said if scripted else "")
    page.click("form.paste button.main")
    page.wait_for_url("**/match")
    # the paste is too long to be sent along: the switch begins anew
    expect(page.locator("a.switch")).to_have_attribute("href", f"/{other(lang)}/")
    page.get_by_role("button", name=t(lang, "result.wrong")).click()
    page.wait_for_url(f"**/{lang}/submit/draft")
    assert "OSError: [Errno 16]" in page.input_value("[name=example]")


@IN_BOTH_LANGUAGES
def test_a_link_is_copied_and_opened_by_a_colleague(
    page: Page, context: BrowserContext, address: str, lang: Lang, scripted: bool
) -> None:
    ask(page, address, lang, UNKNOWN)
    page.click("#link summary")
    expect(page.locator("#link-address")).to_have_js_property("readOnly", True)
    button = page.locator("#link-address + button")
    expect(button).to_have_count(int(scripted))
    if scripted:
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        button.click()
        expect(page.locator("#link-status")).to_have_text(t(lang, "code.copied"))
        assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#link-address")
    page.goto(page.input_value("#link-address"))
    expect(page.get_by_text(t(lang, "link.opened"))).to_be_visible()
    page.click("a.switch")
    page.wait_for_url(re.compile(rf"/{other(lang)}/match\?s="))
    page.click(".unknown button")
    assert "GreenhouseValveError" in page.input_value("#f-title")


NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_a_link_that_cannot_be_copied_is_selected(page: Page, address: str, lang: Lang) -> None:
    # as over plain http
    page.add_init_script(NO_CLIPBOARD)
    ask(page, address, lang, UNKNOWN)
    page.click("#link summary")
    page.click("#link-address + button")
    expect(page.locator("#link-status")).to_have_text(t(lang, "code.selected"))
    chosen = (
        "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    assert page.evaluate(chosen) == page.input_value("#link-address")


@IN_BOTH_LANGUAGES
def test_a_link_is_opened_by_its_author(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    ask(page, address, lang, UNKNOWN)
    page.click("#link summary")
    page.focus("#link-address")
    if scripted:
        # one key press copies it
        expect(page.locator("#link-address")).to_have_js_property(
            "selectionEnd", len(page.input_value("#link-address"))
        )
    page.get_by_role("link", name=t(lang, "link.open")).click()
    page.wait_for_url(re.compile(rf"/{lang}/match\?s="))
    expect(page.locator(".specimen mark")).to_contain_text("has frozen shut")


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_code_that_cannot_be_copied_is_selected(page: Page, address: str, lang: Lang) -> None:
    page.add_init_script(NO_CLIPBOARD)
    page.goto(f"{address}/{lang}{RACE}")
    button = page.locator(".copy").first
    expect(button).to_have_text(t(lang, "code.copy"))
    button.click()
    expect(button).to_have_text(t(lang, "code.selected"))
    assert page.evaluate("getSelection().toString()").startswith("OSError: [Errno 16]")


@IN_BOTH_LANGUAGES
def test_code_is_copied_where_a_script_can(
    page: Page, context: BrowserContext, address: str, lang: Lang, scripted: bool
) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    buttons = page.locator(".copy")
    if not scripted:
        expect(buttons).to_have_count(0)
        return
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    buttons.first.focus()
    page.keyboard.press("Enter")
    expect(buttons.first).to_have_text(t(lang, "code.copied"))
    assert page.evaluate("navigator.clipboard.readText()").startswith("OSError: [Errno 16]")


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
    expect(page.locator(".unknown")).to_be_visible()
