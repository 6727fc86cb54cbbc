"""How people find their way about the guide: both languages, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.i18n import Lang
from app.i18n import text as t
from tests.site.acts import IN_BOTH_LANGUAGES, RACE, WITH_JAVASCRIPT, suggested

pytestmark = pytest.mark.browser


@IN_BOTH_LANGUAGES
def test_the_frame_of_a_page_leads_everywhere(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/sign-in")
    for key, path in (
        ("find.browse-short", "/browse"),
        ("site.add", "/submit"),
        ("find.changes", "/changes"),
        ("wanted.title", "/wanted"),
        ("site.sign-in", "/sign-in"),
    ):
        page.get_by_role("link", name=t(lang, key), exact=True).click()
        page.wait_for_url(f"{address}/{lang}{path}")
    page.click("a.brand")
    page.wait_for_url(f"{address}/{lang}/")


@IN_BOTH_LANGUAGES
def test_the_keyboard_skips_the_frame_and_follows_the_contents(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name=t(lang, "site.skip"))
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**#page-content")
    expect(page.locator("main")).to_be_focused()
    page.locator(".contents.beside a").last.press("Enter")
    expect(page.locator("h2:target")).to_have_count(1)
    page.locator(":target a").press("Enter")
    page.set_viewport_size({"width": 390, "height": 800})
    page.click(".contents.folded summary")
    first = page.locator(".contents.folded a").first
    first.click()
    expect(page.locator(":target")).to_contain_text(first.inner_text())
    expect(page.locator(":target")).to_be_in_viewport()


@IN_BOTH_LANGUAGES
def test_an_entry_leads_to_what_is_near_it(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}{RACE}")
    marks = page.locator("aside .more")
    marks.locator("summary").click()
    expect(marks.locator(".marks")).to_be_visible()
    for name, chip in (("component", ".chip[href*='component=']"), ("tag", ".chip[href*='tag=']")):
        page.locator(chip).first.click()
        page.wait_for_url(re.compile(rf"/{lang}/search\?{name}="))
        expect(page.locator(".chosen a")).to_have_count(1)
        page.go_back()
    page.click("article .chip.strong")
    page.wait_for_url(f"**/{lang}/p/roll")
    page.go_back()
    related = page.locator("aside .heads a").first
    leads_to = related.get_attribute("href")
    related.click()
    page.wait_for_url(f"{address}{leads_to}")
    page.go_back()
    page.get_by_role("link", name=t(lang, "entry.markdown")).click()
    page.wait_for_url(f"**/{lang}{RACE}.md")
    # it is shown, not saved
    expect(page.locator("body")).to_have_text(re.compile(r"^# "))
    page.go_back()
    page.click(".crumbs a >> nth=0")
    page.wait_for_url(f"{address}/{lang}/")


@IN_BOTH_LANGUAGES
def test_an_entry_in_one_language_says_so_and_takes_the_other(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/en/e/verl/english-only")
    page.click("a.switch")
    expect(page.locator("article .notice")).to_contain_text(t("zh", "entry.missing"))
    page.click("article .notice a")
    page.wait_for_url("**/zh/e/verl/english-only/edit")
    page.goto(f"{address}/{lang}/e/verl/behind")
    behind = page.get_by_role("link", name=t(lang, "entry.behind-see"))
    if lang == "zh":
        behind.click()
        page.wait_for_url("**/en/e/verl/behind**")
    else:
        expect(behind).to_have_count(0)


@IN_BOTH_LANGUAGES
def test_the_history_of_an_entry_is_walked_through(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/e/verl/behind")
    page.get_by_role("link", name=t(lang, "history.link")).click()
    page.wait_for_url(f"**/{lang}/e/verl/behind/history")
    page.get_by_role("link", name=t(lang, "history.revision", number=2)).click()
    expect(page.locator(".diff ins").first).to_be_visible()
    page.click(".neighbours [rel=prev]")
    page.wait_for_url(f"**/{lang}/e/verl/behind/history/1")
    page.click(".neighbours [rel=next]")
    page.wait_for_url(f"**/{lang}/e/verl/behind/history/2")
    page.click("a.switch")
    page.wait_for_url(f"**/{'en' if lang == 'zh' else 'zh'}/e/verl/behind/history/2")
    page.click(".notice a")
    page.wait_for_url("**/e/verl/behind")


@IN_BOTH_LANGUAGES
def test_the_shelves_and_the_changes_lead_to_entries(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/browse")
    page.locator("section[aria-labelledby=shelf-tag] a").first.click()
    page.wait_for_url(re.compile(r"/search\?tag="))
    page.goto(f"{address}/{lang}/p/skyrl")
    expect(page.locator("main .heads a").first).to_be_visible()
    page.get_by_role("link", name=t(lang, "find.narrow")).click()
    page.wait_for_url(f"**/{lang}/search?project=skyrl")
    page.goto(f"{address}/{lang}/changes")
    page.click("a[rel=next]")
    page.wait_for_url("**/changes?before=*")
    page.locator("a.difference").first.click()
    page.wait_for_url(re.compile(r"/history/\d+$"))


@IN_BOTH_LANGUAGES
def test_the_front_page_leads_to_projects_and_new_entries(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/")
    page.locator(".columns .projects a").first.click()
    page.wait_for_url(f"**/{lang}/p/*")
    page.locator("main .heads a").first.click()
    expect(page.locator("article.entry h1")).to_be_visible()
    page.goto(f"{address}/{lang}/")
    newest = page.locator("section[aria-labelledby=home-newest] a").first
    title = newest.inner_text()
    newest.click()
    expect(page.locator("article.entry h1")).to_have_text(title)


@IN_BOTH_LANGUAGES
def test_every_shelf_leads_to_what_stands_on_it(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/browse")
    for kind in ("project", "component"):
        shelf = page.locator(f"section[aria-labelledby=shelf-{kind}] li").first
        count = int(shelf.locator(".count").inner_text())
        shelf.locator("a").click()
        page.wait_for_url(re.compile(rf"/{lang}/search\?{kind}="))
        expect(page.locator("#found-said")).to_have_text(t(lang, "home.total", n=count))
        page.go_back()
    page.get_by_role("link", name=t(lang, "find.newest")).click()
    page.wait_for_url(f"**/{lang}/search")
    expect(page.locator(".results a").first).to_be_visible()


@IN_BOTH_LANGUAGES
def test_the_crumbs_lead_up_from_an_old_version(page: Page, address: str, lang: Lang) -> None:
    crumbs = page.locator(".crumbs a")
    for place, path in enumerate(("/", "/p/verl", "/e/verl/behind", "/e/verl/behind/history")):
        page.goto(f"{address}/{lang}/e/verl/behind/history/1")
        expect(crumbs).to_have_count(4)
        crumbs.nth(place).click()
        page.wait_for_url(f"{address}/{lang}{path}")


@IN_BOTH_LANGUAGES
def test_a_change_leads_to_its_entry_and_the_feed_is_opened(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/changes")
    change = page.locator(".revisions li p:first-child a").first
    title = change.inner_text()
    change.click()
    expect(page.locator("article.entry h1")).to_have_text(title)
    page.go_back()
    page.get_by_role("link", name=t(lang, "find.feed")).click()
    page.wait_for_url(f"**/{lang}/changes.atom")
    assert title in page.content()


@IN_BOTH_LANGUAGES
def test_a_source_is_opened_and_not_told_where_from(context: BrowserContext, address: str, lang: Lang) -> None:
    # all that is outside answers here
    context.route(re.compile("^https:"), lambda route: route.fulfill(body="elsewhere"))
    page = context.new_page()
    page.goto(f"{address}/{lang}/e/verl/behind")
    with page.expect_request(re.compile("^https:")) as asked:
        page.click(".sources a")
    page.wait_for_url("https://example.org/issue/1")
    assert "referer" not in asked.value.all_headers()


@IN_BOTH_LANGUAGES
def test_an_entry_that_was_found_is_opened_and_the_way_back_leads_to_the_search(
    page: Page, address: str, lang: Lang, scripted: bool
) -> None:
    page.goto(f"{address}/{lang}/search?project=skyrl")
    page.locator("#search-words").press_sequentially("cuda memory")
    if not scripted:
        page.press("#search-words", "Enter")
    page.wait_for_url(f"**/{lang}/search?q=cuda+memory&project=skyrl")
    # the address is that of what is typed even where the results are still those of the first letters
    expect(page.locator("#found-said")).to_contain_text("cuda memory")
    found = page.locator(".results a")
    titles = found.all_inner_texts()
    found.first.click()
    expect(page.locator("article.entry h1")).to_have_text(titles[0])
    page.go_back()
    expect(found).to_have_text(titles)
    expect(page.locator("#search-words")).to_have_value("cuda memory")


@IN_BOTH_LANGUAGES
def test_on_a_phone_a_link_leads_past_the_results_to_the_filters(page: Page, address: str, lang: Lang) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{address}/{lang}/search")
    filters = page.locator("#narrow-down")
    expect(filters).not_to_be_in_viewport()
    page.locator(".to-filters a").click()
    expect(filters).to_be_in_viewport()
    page.locator(".choices a").first.click()
    expect(page.locator(".chosen a")).to_have_count(1)


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_the_keyboard_walks_through_the_suggestions(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/browse")
    box, options = page.locator("#page-search"), page.locator("#page-suggestions [role=option]")
    box.press_sequentially("wandb")
    suggested(page, "wandb")
    expect(page.locator("#page-search-said")).to_have_text(t(lang, "find.suggested", n=options.count() - 1))
    # from the box up to the last one, and Escape lets go of all
    box.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    box.press("Escape")
    expect(page.locator("#page-suggestions")).to_be_hidden()
    expect(box).to_have_value("wandb")
    # an arrow opens the list again
    box.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    box.press("Enter")
    page.wait_for_url(f"**/{lang}/e/**")


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_the_tab_key_leaves_the_box_and_its_list(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/browse")
    box, options = page.locator("#page-search"), page.locator("#page-suggestions")
    box.press_sequentially("wandb")
    suggested(page, "wandb")
    box.press("Tab")
    expect(page.get_by_role("button", name=t(lang, "site.search"), exact=True)).to_be_focused()
    # a list that is long enough to be scrolled is no stop between them
    page.keyboard.press("Tab")
    expect(options).to_be_hidden()


@WITH_JAVASCRIPT
@IN_BOTH_LANGUAGES
def test_a_search_without_suggestions_says_so_and_is_made_all_the_same(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/browse")
    box = page.locator("#page-search")
    box.press_sequentially("qzxjvwkrp")
    expect(page.locator("#page-search-said")).to_have_text(t(lang, "find.none-yet"))
    expect(page.locator("#page-suggestions")).to_be_hidden()
    box.press("Enter")
    page.wait_for_url(f"**/{lang}/search?q=qzxjvwkrp")
    expect(page.locator("#found .lede")).to_contain_text(t(lang, "search.none"))


@IN_BOTH_LANGUAGES
def test_a_fault_of_ours_has_a_way_on(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/e/verl/damaged")
    page.click("a.switch")
    page.wait_for_url(f"**/{'en' if lang == 'zh' else 'zh'}/e/verl/damaged")
    page.go_back()
    page.get_by_role("link", name=t(lang, "error-page.home")).click()
    page.wait_for_url(f"{address}/{lang}/")


@IN_BOTH_LANGUAGES
def test_the_box_of_every_page_suggests_or_searches(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    page.goto(f"{address}/{lang}/browse")
    box, options = page.locator("#page-search"), page.locator("#page-suggestions [role=option]")
    box.press_sequentially("wandb")
    if scripted:
        # the one below all suggestions leads to the whole search
        suggested(page, "wandb")
        options.last.click()
        page.wait_for_url(f"**/{lang}/search?q=wandb")
        page.go_back()
        box.fill("wandb")
    else:
        expect(page.locator("#page-suggestions")).to_be_hidden()
    page.click(".seek-now")
    page.wait_for_url(f"**/{lang}/search?q=wandb")
    expect(page.locator(".results a").first).to_be_visible()


@IN_BOTH_LANGUAGES
def test_a_search_is_made_narrowed_down_and_turned_over(page: Page, address: str, lang: Lang, scripted: bool) -> None:
    page.goto(f"{address}/{lang}/search")
    more = page.locator("details.more").first
    more.locator("summary").click()
    expect(more.locator(".choices a").first).to_be_visible()
    page.click("a[rel=next]")
    page.wait_for_url("**/search?after=*")
    page.locator(".choices a[href*='project=skyrl']").click()
    page.wait_for_url("**/search?project=skyrl")
    page.fill("#search-words", "cuda")
    if not scripted:
        page.click(".seek-form button")
    page.wait_for_url("**/search?q=cuda&project=skyrl")
    expect(page.locator("#found-said")).to_contain_text("cuda")
    page.click(".chosen a")
    page.wait_for_url("**/search?q=cuda")
    page.fill("#search-words", "qzxjvwkrp")
    page.press("#search-words", "Enter")
    page.wait_for_url("**/search?q=qzxjvwkrp")
    page.click("#found .lede a")
    page.wait_for_url(f"{address}/{lang}/")


@IN_BOTH_LANGUAGES
def test_an_address_that_leads_nowhere_has_ways_on(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/e/roll/torch-compile-cache-rac")
    page.locator("main .heads a").first.click()
    page.wait_for_url(f"**/{lang}{RACE}")
    page.go_back()
    page.fill("#error-search", "tensordict")
    page.click("form.seek button")
    page.wait_for_url(f"**/{lang}/search?q=tensordict")
    page.go_back()
    page.get_by_role("link", name=t(lang, "error-page.home")).click()
    page.wait_for_url(f"{address}/{lang}/")
