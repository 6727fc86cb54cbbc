"""A template uses what its context holds, all of it and nothing else."""

import re
from dataclasses import fields

import pytest
from jinja2 import meta

from app.config import ROOT
from app.site import modules
from app.site.frame.page import environment

# a context says in its first words which template it is for
CONTEXT_OF = re.compile(r"Context of `([a-z_]+\.html)`")
PAGES = {
    found[1]: value
    for module in modules()
    for value in vars(module).values()
    if isinstance(value, type) and (found := CONTEXT_OF.match(value.__doc__ or ""))
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
        "_dead_links.html",
        "_differences.html",
        "_entry_form.html",
        "_feedback.html",
        "_found.html",
        "_link.html",
        "_new_name.html",
        "_parts.html",
        "_plate.html",
    ],
)
def test_what_pages_share_needs_no_context(template: str) -> None:
    assert undeclared(template) <= SHARED


def test_contexts_cannot_be_changed() -> None:
    assert all(page.__dataclass_params__.frozen for page in PAGES.values())  # type: ignore[attr-defined]
