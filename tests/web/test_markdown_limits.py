"""What would take long to lay out is shown as it was typed."""

from html import unescape

import pytest

from app.i18n import text as interface_text
from app.web.first_steps import first_steps
from app.web.markdown import markdown, sections
from app.web.markdown_limits import MOST_CELLS, MOST_CHARACTERS

ROW = "|" + "a|" * 10
TABLE = f"{ROW}\n|{'-|' * 10}\n"


def is_as_typed(body: str) -> bool:
    html = markdown(body, "en")
    if '<pre class="as-typed">' not in html:
        return False
    assert interface_text("en", "entry.as-typed") in html
    assert unescape(html.partition('<pre class="as-typed">')[2]) == f"{body}</pre>"
    return True


@pytest.mark.parametrize(
    ("within", "over"),
    [
        ("word " * (MOST_CHARACTERS // 5), "word " * (MOST_CHARACTERS // 5) + "x"),
        ("a\n" * 500, "a\n" * 2000),
        ("a\r" * 500, "a\r" * 2000),
        ("- " * 8 + "a", "- " * 10 + "a"),
        (">" * 17 + "a", ">" * 20 + "a"),
        ("> - > - > - a & b\n\n" * 20, "> - > - > - a & b\n\n" * 2000),
        (TABLE + f"{ROW}\n" * (MOST_CELLS // 13 - 3), TABLE + f"{ROW}\n" * (MOST_CELLS // 10)),
        ("> " + TABLE.replace("\n", "\n> ") + "> |\n" * 200, "> " + TABLE.replace("\n", "\n> ") + "> |\n" * 500),
    ],
    ids=["characters", "lines", "other lines", "lists", "quotes", "marks", "cells", "cells of a quoted table"],
)
def test_a_text_over_a_limit_is_shown_as_it_was_typed_and_nothing_is_lost(within: str, over: str) -> None:
    assert not is_as_typed(within)
    assert is_as_typed(over)


@pytest.mark.parametrize(
    ("body", "tag"),
    [
        ("*a* " * 3000, "<em>"),
        ("[a](b) " * 1000, "<a "),
        ("*a " * 500 + "x" + " a*" * 500, "<em>"),
        ("[" * 300, "<a "),
        ("`a` " * 3000, "<code>"),
        ("<http://a> " * 1000, "<a "),
    ],
)
def test_a_paragraph_with_too_many_signs_is_plain_and_the_next_one_is_not(body: str, tag: str) -> None:
    html = markdown(f"{body.strip()}\n\n# Next", "en")
    assert tag not in html
    assert unescape(html.partition("<p>")[2].partition("</p>")[0]) == body.strip()
    assert '<h2 id="next">Next</h2>' in html


def test_the_first_paragraphs_keep_their_marks_when_later_ones_have_too_many() -> None:
    html = markdown("*first*\n\n" + "*a* " * 3000, "en")
    assert html.startswith("<p><em>first</em></p>")
    assert html.count("<em>") == 1


def test_a_text_that_is_not_laid_out_is_one_section_and_its_beginning_is_short() -> None:
    body = "## Fix\n" + "a\n" * 20_000
    assert sections(body) == (("", body.strip()),)
    assert len(first_steps(body, ("Fix",)).first) <= 2000
