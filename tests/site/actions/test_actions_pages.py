"""How people turn the pages of what is long: both languages, with and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import Engine

from app.asking import unanswered
from app.config import Settings
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.i18n import text as t
from app.store.engine import connect
from app.store.session import writing
from app.wiki import feedback, proposals, publishing
from tests import askers
from tests.site.acts import IN_BOTH_LANGUAGES, RACE, enter, turn
from tests.site.pages import NEW

pytestmark = pytest.mark.browser

REVISED = "verl/revised"


def lengthen(engine: Engine) -> None:
    """Put so much into a guide that every list of it has two pages or more."""
    new = EntryDocument.model_validate(NEW | {"examples": []})
    with writing(engine) as session:
        for number in range(feedback.PAGE + 2):
            proposals.submit(session, new.model_copy(update={"slug": f"verl/waits-{number}"}), lang="en")
            feedback.say(session, RACE.removeprefix("/e/"), f"reader {number}", "outdated", note=f"Note {number}.")
            revised = NEW | {"slug": REVISED, "en": {"title": "Revised", "body": f"## Symptom\nRevision {number}.\n"}}
            publishing.publish(session, EntryDocument.model_validate(revised), actor="ann", expected=number)
        for number in range(101):
            publishing.publish(session, new.model_copy(update={"slug": f"verl/many-{number:03}"}), actor="ann")
    gates = [first + second for first in "abcdef" for second in "abcdef"][: unanswered.PAGE + 2]
    for at, gate in enumerate(gates):
        pattern = f"OrchardGateError: gate {gate}gate is stuck"
        askers.ask(engine, pattern, times=10 + at)
        askers.release(engine, pattern)


@pytest.fixture(scope="module")
def site(site: tuple[Settings, str]) -> tuple[Settings, str]:
    """A long guide, which the stories of this file only look at."""
    engine = connect(site[0])
    lengthen(engine)
    engine.dispose()
    return site


@IN_BOTH_LANGUAGES
def test_the_queue_is_turned_over(page: Page, address: str, lang: Lang) -> None:
    enter(page, address, lang)
    found = turn(page, lang, "review.next", ".queue td a", "/review?*after=*")
    numbers = [int(row.rpartition("/")[2]) for row in found]
    assert numbers == sorted(numbers)
    assert len(numbers) == int(page.inner_text("h1 .count"))
    # what stands on the second page can be opened there
    page.get_by_role("link", name=t(lang, "review.next")).click()
    page.wait_for_url(f"**/{lang}/review?*after=*")
    page.locator(".queue td a").last.click()
    page.wait_for_url(f"**{found[-1]}")
    expect(page.locator(".decide")).to_be_visible()


@IN_BOTH_LANGUAGES
def test_the_notes_of_readers_are_turned_over(page: Page, address: str, lang: Lang) -> None:
    enter(page, address, lang, "/review/feedback")
    found = turn(page, lang, "review.next", ".notes .note", "/review/feedback?page=1")
    assert {f"Note {number}." for number in range(feedback.PAGE + 2)} <= {*found}


@IN_BOTH_LANGUAGES
def test_what_is_wanted_is_turned_over(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/wanted")
    found = turn(page, lang, "project.next", ".wanted .pattern", "/wanted?page=1")
    assert len([row for row in found if row.startswith("OrchardGateError")]) == unanswered.PAGE + 2
    page.get_by_role("link", name=t(lang, "project.next")).click()
    page.wait_for_url(f"**/{lang}/wanted?page=1")
    page.get_by_role("button", name=t(lang, "wanted.describe")).last.click()
    page.wait_for_url(f"**/{lang}/submit/draft")


@IN_BOTH_LANGUAGES
def test_the_entries_of_a_project_are_turned_over(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/p/verl")
    found = turn(page, lang, "project.next", "main .heads a", "/p/verl?after=**")
    assert found == sorted(found)
    assert {f"/e/verl/many-{number:03}" for number in range(101)} <= {*found}


@IN_BOTH_LANGUAGES
def test_a_long_history_is_turned_over(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/e/{REVISED}/history")
    found = turn(page, lang, "history.older", ".revisions a", f"/e/{REVISED}/history?before=*")
    assert found == [f"/e/{REVISED}/history/{number}" for number in range(feedback.PAGE + 2, 0, -1)]


@IN_BOTH_LANGUAGES
def test_the_changes_are_turned_over(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/changes")
    found = turn(page, lang, "find.older", ".revisions a.difference", "/changes?before=*")
    assert {f"/e/{REVISED}/history/{number}" for number in range(1, feedback.PAGE + 3)} <= {*found}


@IN_BOTH_LANGUAGES
def test_what_a_search_found_is_turned_over(page: Page, address: str, lang: Lang) -> None:
    page.goto(f"{address}/{lang}/search?project=skyrl")
    turn(page, lang, "project.next", ".results a", "/search?project=skyrl&after=*")
    page.goto(f"{address}/{lang}/search?q=memory")
    turn(page, lang, "project.next", ".results a", "/search?q=memory&after=*")
