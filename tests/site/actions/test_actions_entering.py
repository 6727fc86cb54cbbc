"""How a reviewer gets in and out: both languages, with and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from app.i18n import Lang
from app.i18n import text as t
from tests.conftest import NAME
from tests.site.acts import IN_BOTH_LANGUAGES, sign_in

pytestmark = pytest.mark.browser


@IN_BOTH_LANGUAGES
def test_a_reviewer_signs_in_at_the_second_try_and_out(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/review/feedback")
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_have_text(t(lang, "sign-in.wrong"))
    assert page.input_value("#f-name") == NAME
    sign_in(page)
    # to where they wanted to go
    page.wait_for_url(f"**/{lang}/review/feedback")
    page.click(f'nav a[href="/{lang}/review"], header a[href="/{lang}/review"]')
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
