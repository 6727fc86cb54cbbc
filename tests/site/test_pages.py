"""Every page: known to the list of all pages, answered as it should be, in its language, strict about itself."""

import re

import pytest
from starlette.testclient import TestClient

from app.i18n import LANGS
from tests.site.pages import NO_PAGE, PAGES, PARTS, Furnished, Known, routes

# the content security policy would have a browser ignore them
INLINE = re.compile(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=|javascript:", re.IGNORECASE)
HTML_LANG = {"en": "en", "zh": "zh-Hans"}


def test_every_route_of_the_site_is_a_known_page_or_known_to_be_none() -> None:
    known = {("GET" if page.form is None else "POST", page.route) for page in (*PAGES, *PARTS) if page.status != 405}
    assert not known & NO_PAGE.keys()
    assert known | NO_PAGE.keys() == routes()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_of_a_page_is_no_whole_page(
    visitors: dict[bool, TestClient], furnished: Furnished, part: Known, lang: str
) -> None:
    answer = furnished.ask(visitors[part.signed_in], part, lang)
    assert answer.status_code == part.status
    assert "<html" not in answer.text
    assert not INLINE.search(answer.text)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_there_in_its_language_and_holds_nothing_inline(
    visitors: dict[bool, TestClient], furnished: Furnished, page: Known, lang: str
) -> None:
    answer = furnished.ask(visitors[page.signed_in], page, lang)
    assert answer.status_code == page.status
    assert answer.headers["content-language"] == HTML_LANG[lang]
    assert f'<html lang="{HTML_LANG[lang]}">' in answer.text
    assert re.search(r"<title>[^<]+</title>", answer.text)
    assert not INLINE.search(re.sub(r"<(pre|textarea)\b.*?</\1>", "", answer.text, flags=re.DOTALL))
    assert not re.findall(r'(?:src|action)="https?://(?!testserver)[^"]+"', answer.text)
