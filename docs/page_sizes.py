"""Weighs every page and writes `docs/page-sizes.md`: `python -m docs.page_sizes`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.testclient import TestClient

from app.config import ROOT
from app.i18n import LANGS
from app.main import create_app
from docs.stage import stage
from tests.conftest import sign_in
from tests.site.pages import PAGES, Furnished, Known, furnish

LIMIT = 60 * 1024
TARGET = ROOT / "docs" / "page-sizes.md"
_LINKED = re.compile(r'"(/static/[^"]+\.(css|json|js)\?[^"]*)"')
HEAD = """\
# Page sizes

What a browser fetches for a page at a first visit, compressed with gzip by Errdex itself, in KB of 1,024 bytes, without
pictures (the mark is 1 KB). Styles and scripts (with what they read) are kept by the browser after that. No page may
weigh more than {limit} KB; `tests/site/test_sizes.py` holds that. Written by `python -m docs.page_sizes`.

| page | page, en | page, zh | styles | scripts | together |
|---|--:|--:|--:|--:|--:|
"""


@dataclass(frozen=True, slots=True)
class Weight:
    """Bytes as they travel."""

    page: int
    styles: int
    scripts: int

    @property
    def total(self) -> int:
        """All together."""
        return self.page + self.styles + self.scripts


def weigh(client: TestClient, furnished: Furnished, page: Known, lang: str) -> Weight:
    """Return what a page and the styles and scripts that it asks for weigh."""
    method, sent = ("GET", None) if page.form is None else ("POST", page.form)
    body, size = _travelled(client, method, furnished.address(page, lang), sent)
    sizes = {"css": 0, "js": 0, "json": 0}
    for address, kind in set(_LINKED.findall(body)):
        sizes[kind] += _travelled(client, "GET", address.replace("&amp;", "&"), None)[1]
    return Weight(size, sizes["css"], sizes["js"] + sizes["json"])


def _travelled(client: TestClient, method: str, address: str, sent: dict[str, str] | None) -> tuple[str, int]:
    answer = client.request(method, address, data=sent)
    return answer.text, answer.num_bytes_downloaded


@contextmanager
def _visitors() -> Iterator[tuple[Furnished, dict[bool, TestClient]]]:
    with stage() as (settings, engine):
        made = furnish(engine)
        app = create_app(settings)
        with TestClient(app, raise_server_exceptions=False) as stranger:
            reviewer = sign_in(TestClient(app, raise_server_exceptions=False))
            yield Furnished(settings, made), {False: stranger, True: reviewer}


def main() -> None:
    """Write the table."""
    rows = []
    with _visitors() as (furnished, visitors):
        for page in PAGES:
            en, zh = (weigh(visitors[page.signed_in], furnished, page, lang) for lang in LANGS)
            heavier = max((en, zh), key=lambda one: one.total)
            cells = (en.page, zh.page, heavier.styles, heavier.scripts, heavier.total)
            rows.append(f"| {page.name} | " + " | ".join(f"{size / 1024:.1f}" for size in cells) + " |\n")
    TARGET.write_text(HEAD.format(limit=LIMIT // 1024) + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
