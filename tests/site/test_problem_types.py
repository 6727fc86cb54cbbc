"""The type of a problem is an address, and who follows it reads what it means, in either language."""

import re

import pytest
from starlette.testclient import TestClient

from app import i18n
from app.api.problems import ANYWHERE, BODY_ERRORS, GUARD_ERRORS
from app.config import ROOT
from app.errors import TokenRefused
from app.web.problem_types import problem_types

MANUAL = ROOT / "docs" / "api.md"


def test_the_type_of_an_answer_leads_to_its_page(empty_client: TestClient) -> None:
    for address, headers in (
        ("/api/v1/entries/a/b", {}),
        ("/api/v1/entries?x=1", {}),
        ("/api/v1/nothing", {}),
        ("/api/v2/", {}),
        ("/api/v1/entries", {"authorization": "Bearer errdex_nobody"}),
    ):
        told = empty_client.get(address, headers=headers).json()
        for accept, lang in (("zh-CN", "zh"), ("en", "en")):
            page = empty_client.get(told["type"], headers={"accept-language": accept})
            assert page.status_code == 200
            assert page.url.path == f"/{lang}{told['type']}"
            assert told["type"] in page.text
            assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("lang", i18n.LANGS)
def test_every_type_has_a_page_with_its_title_and_what_to_do(empty_client: TestClient, lang: i18n.Lang) -> None:
    listed = empty_client.get(f"/{lang}/problems").text
    for kind in problem_types():
        page = empty_client.get(f"/{lang}{kind.address}").text
        title = i18n.text(lang, f"error.{kind.key}.title")
        assert title in page
        assert title in listed
        assert str(kind.status) in page
        assert f'href="/{lang}{kind.address}"' in listed


def test_what_is_no_type_has_no_page(empty_client: TestClient) -> None:
    for path in ("/problems/none", "/en/problems/none", "/zh/problems/conflict", "/fr/problems/too-many"):
        assert empty_client.get(path).status_code == 404


def test_every_error_that_any_route_may_raise_is_a_type() -> None:
    keys = {kind.key for kind in problem_types()}
    assert {kind.key for kind in (*BODY_ERRORS, *GUARD_ERRORS, *ANYWHERE, *TokenRefused.__subclasses__())} <= keys


def test_whatever_is_wrong_with_a_token_is_told_of_every_route() -> None:
    assert {TokenRefused, *TokenRefused.__subclasses__()} <= set(ANYWHERE)


def test_the_manual_has_the_table_of_the_types() -> None:
    rows = [
        f"| {kind.status} | `{kind.address}` | {i18n.text('en', f'problem.{kind.key}')} |" for kind in problem_types()
    ]
    assert re.findall(r"^\| \d{3} \|.*$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE) == rows
