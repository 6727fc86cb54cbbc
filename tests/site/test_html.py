"""Every page is valid HTML, by the judgement of a program that knows the standard."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.i18n import LANGS
from tests.site.npm import WEB, html_faults
from tests.site.pages import PAGES, PARTS, Furnished, Known


@pytest.mark.browser
def test_every_page_is_valid_html(visitors: dict[bool, TestClient], furnished: Furnished, tmp_path: Path) -> None:
    _save(PAGES, visitors, furnished, tmp_path)
    assert html_faults(tmp_path, "htmlvalidate.mjs") == []


@pytest.mark.browser
def test_every_part_that_is_fetched_alone_is_valid_html(
    visitors: dict[bool, TestClient], furnished: Furnished, tmp_path: Path
) -> None:
    _save(PARTS, visitors, furnished, tmp_path)
    assert html_faults(tmp_path, "htmlvalidate.parts.mjs") == []


def _save(pages: Iterable[Known], visitors: dict[bool, TestClient], furnished: Furnished, folder: Path) -> None:
    for page in pages:
        for lang in LANGS:
            name = re.sub(r"\W+", "-", page.name)
            answer = furnished.ask(visitors[page.signed_in], page, lang)
            (folder / f"{name}.{lang}.html").write_text(answer.text, encoding="utf-8")


def test_the_lock_of_the_tools_names_exact_versions_and_no_host_to_fetch_them_from() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    assert all(one["version"] and one["integrity"] and "resolved" not in one for one in packages.values())
    asked = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert all(packages[f"node_modules/{name}"]["version"] == version for name, version in asked.items())
