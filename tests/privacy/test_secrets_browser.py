"""The page masks as the server does: the very function of the paste box, in a real browser."""

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from app.config import ROOT
from app.privacy.secrets import RULES, mask
from tests.privacy.corpus import CASES, JOINTS
from tests.site.conftest import CHROMIUM, SWITCHES

pytestmark = pytest.mark.browser

MASK = """([file, texts]) => {
    const rules = secrets.compile(file);
    return texts.map((text) => {
        const { text: masked, findings } = secrets.mask(rules, text);
        return [masked, findings.map(({ name, value, placeholder, count }) => [name, value, placeholder, count])];
    });
}"""


@pytest.fixture(scope="module")
def blank() -> Iterator[Page]:
    """An empty page with the script in it."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)
        page = browser.new_page()
        page.add_script_tag(path=ROOT / "static" / "secrets.js")
        yield page
        browser.close()


def in_the_page(page: Page, texts: list[str]) -> list[tuple[str, list[list[object]]]]:
    """What the page's function makes of texts: each masked, with its findings."""
    found = page.evaluate(MASK, [json.loads(RULES.read_text(encoding="utf-8")), texts])
    return [(masked, findings) for masked, findings in found]


def test_a_text_of_the_corpus_becomes_what_it_should_in_the_page(blank: Page) -> None:
    found = in_the_page(blank, [case.text for case in CASES])
    assert {case.name: masked for case, (masked, _) in zip(CASES, found, strict=True)} == {
        case.name: case.masked for case in CASES
    }


def test_page_and_server_find_the_same_in_two_thousand_mixed_texts(blank: Page) -> None:
    draw = random.Random(1)
    pieces = [*(case.text for case in CASES), *JOINTS, *"éſKıߣ\u2028\u0085\ufeff٣"]
    texts = ["".join(draw.choices(pieces, k=draw.randrange(1, 8))) for _ in range(2000)]
    for text, (masked, findings) in zip(texts, in_the_page(blank, texts), strict=True):
        here = mask(text)
        assert masked == here.text
        assert findings == [[one.name, one.value, one.placeholder, one.count] for one in here.findings]
