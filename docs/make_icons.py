"""Makes `static/mark-*.png` from `static/mark.svg`: `python -m docs.make_icons`. Needs Chromium."""

from playwright.sync_api import sync_playwright

from app.config import ROOT
from tests.site.conftest import CHROMIUM, SWITCHES

SIZES = (32, 180, 192)
STATIC = ROOT / "static"


def main() -> None:
    """Make all sizes."""
    mark = (STATIC / "mark.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{mark}")
            page.screenshot(path=str(STATIC / f"mark-{size}.png"), omit_background=True)


if __name__ == "__main__":
    main()
