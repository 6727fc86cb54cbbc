"""How a team comes to names of its own: both languages, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from app.wiki import publishing
from tests.site.acts import IN_BOTH_LANGUAGES, ask, enter, fill_in
from tests.site.pages import BEHIND

pytestmark = pytest.mark.browser
OTHER: dict[Lang, Lang] = {"en": "zh", "zh": "en"}


def open_fold(page: Page, text: str) -> None:
    page.locator("summary", has_text=text).first.click()


@IN_BOTH_LANGUAGES
def test_a_project_and_a_tag_are_named_in_the_form_of_an_entry_and_shown_by_their_names(
    page: Page, address: str, lang: Lang, own: str
) -> None:
    names = {"en": f"Orchard {own}", "zh": f"果园 {own}"}
    tags = {"en": f"dry {own}", "zh": f"干旱 {own}"}
    enter(page, address, lang)
    page.goto(f"{address}/{lang}/submit")
    fill_in(page, lang, "Reservoir")
    page.fill("#f-project", "")
    page.fill("#f-name", f"reservoir-{own}")
    open_fold(page, t(lang, "names.new.projects"))
    page.fill("#f-new_project_en", names["en"])
    page.fill("#f-new_project_zh", names["zh"])
    open_fold(page, t(lang, "submit.shelves"))
    open_fold(page, t(lang, "names.new.tags"))
    page.fill("#f-new_tags_key", "Not A Key")
    page.fill("#f-new_tags_en", tags["en"])
    page.fill("#f-new_tags_zh", tags["zh"])
    page.click("form.fields button.main")
    # what is wrong stands beside the box, which is open, and nothing is lost
    expect(page.locator("#p-new_tags-1")).to_have_text(t(lang, "names.key-wrong"))
    expect(page.locator("#f-new_project_zh")).to_have_value(names["zh"])
    page.fill("#f-new_tags_key", "")
    page.get_by_role("button", name=t(lang, "submit.publish")).click()
    page.wait_for_url(f"**/{lang}/e/orchard-{own}/reservoir-{own}")
    for one in (lang, OTHER[lang]):
        page.goto(f"{address}/{one}/e/orchard-{own}/reservoir-{own}")
        expect(page.locator(".chip", has_text=names[one])).to_be_visible()
        expect(page.locator(".chip", has_text=tags[one])).to_be_visible()
        page.goto(f"{address}/{one}/browse")
        page.get_by_role("link", name=tags[one], exact=True).click()
        page.wait_for_url(re.compile(rf"/{one}/search\?tag=dry-{own}"))
        expect(page.locator("main")).to_contain_text(names[one])


@IN_BOTH_LANGUAGES
def test_a_reviewer_corrects_a_name_and_removes_it(page: Page, address: str, lang: Lang, own: str) -> None:
    enter(page, address, lang)
    page.get_by_role("link", name=t(lang, "names.title")).click()
    page.get_by_role("link", name=t(lang, "names.new.components")).click()
    page.fill("#f-key", f"pump-{own}")
    page.fill("#f-en", f"A pmup {own}")
    page.click("main button.main")
    page.wait_for_url(f"**/{lang}/names")
    page.get_by_role("link", name=f"A pmup {own}").click()
    page.fill("#f-en", f"A pump {own}")
    page.fill("#f-zh", f"水泵 {own}")
    page.press("#f-zh", "Enter")
    page.wait_for_url(f"**/{lang}/names")
    page.get_by_role("link", name=f"A pump {own} · 水泵 {own}").click()
    page.get_by_role("button", name=t(lang, "names.remove")).click()
    page.wait_for_url(f"**/{lang}/names")
    expect(page.get_by_text(f"pump-{own}")).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_a_family_is_made_and_asks_its_question(
    page: Page, address: str, settings: Settings, lang: Lang, own: str
) -> None:
    message = f"ReservoirError: the {own} reservoir is below its mark"
    slugs = [f"orchard/{own}-one", f"orchard/{own}-two"]
    with writing(connect(settings)) as session:
        for slug, other in zip(slugs, reversed(slugs), strict=True):
            plain = BEHIND | {"slug": slug, "also": [other], "signatures": [{"pattern": message}]}
            publishing.publish(session, EntryDocument.model_validate(plain), actor="ann")
    enter(page, address, lang, "/names")
    page.get_by_role("link", name=t(lang, "names.new.families")).click()
    page.fill("#f-key", f"reservoirs-{own}")
    page.fill("#f-en", f"Which {own} reservoir?")
    page.fill("#f-member-1", slugs[0])
    page.fill("#f-member_en-1", "The lower one.")
    page.get_by_role("button", name=t(lang, "names.add-member")).click()
    page.wait_for_url(f"**/{lang}/names/families/rows")
    expect(page.locator("#f-member-3")).to_be_visible()
    page.fill("#f-member-2", f"orchard/{own}-gone")
    page.fill("#f-member_en-2", "The upper one.")
    page.click("main button.main")
    expect(page.locator("#p-member-2")).to_have_text(t(lang, "names.member-unknown"))
    page.fill("#f-member-2", slugs[1])
    page.click("main button.main")
    page.wait_for_url(f"**/{lang}/names")
    ask(page, address, lang, message)
    expect(page.locator("#result-family")).to_have_text(f"Which {own} reservoir?")
    expect(page.get_by_text("The upper one.")).to_be_visible()
