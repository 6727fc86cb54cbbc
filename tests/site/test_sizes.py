"""How much a page weighs on its way to a phone with a bad connection."""

import pytest
from starlette.testclient import TestClient

from app.config import ROOT
from app.i18n import LANGS
from docs.page_sizes import LIMIT, weigh
from tests.site.pages import PAGES, Furnished, Known


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_with_its_styles_and_scripts_stays_small(
    visitors: dict[bool, TestClient], furnished: Furnished, page: Known, lang: str
) -> None:
    weight = weigh(visitors[page.signed_in], furnished, page, lang)
    assert weight.page > 0
    assert weight.styles > 0
    assert weight.total <= LIMIT


def test_pages_styles_and_scripts_are_compressed_and_answers_for_programs_are_not(
    visitors: dict[bool, TestClient],
) -> None:
    client = visitors[False]
    page = client.get("/en/p/skyrl")
    assert page.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in page.headers["vary"]
    assert client.get("/static/errdex.css").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in client.get("/api/v1/entries").headers
    assert "content-encoding" not in client.get("/en/p/skyrl", headers={"accept-encoding": "identity"}).headers


def test_a_static_file_is_kept_by_the_browser_as_long_as_its_address_marks_its_content(
    visitors: dict[bool, TestClient],
) -> None:
    client = visitors[False]
    marked = client.get("/en/").text.partition("/static/errdex.css")[2].partition('"')[0]
    assert "immutable" in client.get(f"/static/errdex.css{marked}").headers["cache-control"]
    assert client.get("/static/errdex.css").headers["cache-control"] == "no-cache"


def test_the_table_of_sizes_has_every_page() -> None:
    rows = (ROOT / "docs" / "page-sizes.md").read_text(encoding="utf-8").splitlines()
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows if row.startswith("| ")][1:] == [
        page.name for page in PAGES
    ]
