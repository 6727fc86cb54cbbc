"""A template uses what its context holds, all of it and nothing else."""

import re
from dataclasses import fields

import pytest
from jinja2 import meta

from app.config import ROOT
from app.site.contribute.review import AmendPage, QueuePage, ReviewPage
from app.site.contribute.submit import SubmissionPage, SubmitPage
from app.site.entry.entry_page import EntryPage
from app.site.entry.feedback import NotesPage
from app.site.entry.history import HistoryPage, RevisionPage
from app.site.find.browse import BrowsePage
from app.site.find.changes import ChangesPage
from app.site.find.project import ProjectPage
from app.site.find.search import FoundPart, SearchPage, SuggestionsPart
from app.site.frame.errors import ErrorPage
from app.site.frame.page import environment
from app.site.frame.sign_in import SignInPage
from app.site.paste.home import HomePage
from app.site.paste.most_wanted import WantedPage
from app.site.paste.result import ResultPage

PAGES = {
    "amend.html": AmendPage,
    "browse.html": BrowsePage,
    "changes.html": ChangesPage,
    "entry.html": EntryPage,
    "error.html": ErrorPage,
    "found.html": FoundPart,
    "history.html": HistoryPage,
    "home.html": HomePage,
    "project.html": ProjectPage,
    "result.html": ResultPage,
    "review.html": ReviewPage,
    "review_feedback.html": NotesPage,
    "review_queue.html": QueuePage,
    "revision.html": RevisionPage,
    "search.html": SearchPage,
    "sign_in.html": SignInPage,
    "submission.html": SubmissionPage,
    "submit.html": SubmitPage,
    "suggestions.html": SuggestionsPart,
    "wanted.html": WantedPage,
}
SHARED = {"page", "t", "day", "ago", "moment", "clock", "actor", "number", "name", "gap", "static", "markdown"}
OWN = re.compile(r"{% (?:import \"[^\"]+\" as|set) (\w+)")
# `next` and `range` are also names of Jinja, which does not count them as undeclared
BUILT_IN = {"next", "range"}


def undeclared(template: str) -> set[str]:
    source = (ROOT / "templates" / template).read_text(encoding="utf-8")
    return meta.find_undeclared_variables(environment().parse(source)) - set(OWN.findall(source))


def test_every_template_of_a_page_is_known_here() -> None:
    files = {file.name for file in (ROOT / "templates").glob("*.html")}
    assert {name for name in files if not name.startswith("_")} == {*PAGES, "base.html"}


@pytest.mark.parametrize("template", PAGES)
def test_a_template_uses_the_fields_of_its_context(template: str) -> None:
    named = {field.name for field in fields(PAGES[template])}
    assert undeclared(template) - SHARED - BUILT_IN == named - BUILT_IN


@pytest.mark.parametrize(
    "template",
    [
        "base.html",
        "_card.html",
        "_differences.html",
        "_entry_form.html",
        "_feedback.html",
        "_found.html",
        "_link.html",
        "_parts.html",
        "_plate.html",
    ],
)
def test_what_pages_share_needs_no_context(template: str) -> None:
    assert undeclared(template) <= SHARED


def test_contexts_cannot_be_changed() -> None:
    assert all(page.__dataclass_params__.frozen for page in PAGES.values())  # type: ignore[attr-defined]
