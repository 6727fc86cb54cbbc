"""Markdown becomes safe HTML."""

import pytest

from app.web.markdown import inline, markdown, sections

BODY = """Before.

## Symptom
It stops.

```text
## not a heading
```

## Fix
1. Look at this:

```bash
rm -rf cache
```

2. Wait.
3. Ask.

## Check
Done.
"""


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>1</script>)",
        "[x](JaVaScRiPt:alert(1))",
        "![x](http://elsewhere.example/pixel.png)",
        "<javascript:alert(1)>",
        "| a |\n|:-:|\n| <b onclick=x>1</b> |",
        '```"><script>\nx\n```',
    ],
)
def test_nothing_that_runs_or_loads_comes_out(text: str) -> None:
    html = markdown(text, "en").lower()
    for bad in ("<script", "<img", 'href="javascript', 'href="data', "<b ", " style=", "<iframe"):
        assert bad not in html


def test_a_heading_has_an_id_in_either_language() -> None:
    assert '<h2 id="torch-是什么">' in markdown("## torch 是什么？", "zh")


def test_the_same_heading_twice_has_two_ids() -> None:
    html = markdown("## Fix\n\n## Fix", "en")
    assert 'id="fix"' in html
    assert 'id="fix-2"' in html


def test_a_first_level_heading_is_lowered() -> None:
    assert markdown("# Title", "en").startswith('<h2 id="title">Title</h2>')


def test_code_is_highlighted_without_styles() -> None:
    html = markdown("```yaml\nkey: 1\n```", "en")
    assert '<span class="nt">key</span>' in html
    assert "style=" not in html


def test_code_in_an_unknown_language_is_shown_as_it_is() -> None:
    assert "a &lt; b" in markdown("```klingon\na < b\n```", "en")


def test_a_link_to_an_entry_leads_to_its_page_in_the_same_language() -> None:
    assert 'href="/zh/e/verl/ray-timeline"' in markdown("[x](errdex:verl/ray-timeline)", "zh")


def test_a_link_to_something_that_is_no_slug_is_no_link() -> None:
    assert "<a " not in markdown("[x](errdex:../../etc)", "en")


def test_a_table_keeps_its_alignment() -> None:
    assert '<td class="to-right">1</td>' in markdown("| a |\n|--:|\n| 1 |", "en")


def test_a_line_end_between_chinese_characters_is_no_space() -> None:
    assert "第一行。第二行" in markdown("第一行。\n第二行", "zh")
    assert "one\ntwo" in markdown("one\ntwo", "en")


def test_sections_are_split_at_headings_outside_of_code() -> None:
    assert [heading for heading, _ in sections(BODY)] == ["", "Symptom", "Fix", "Check"]
    assert "## not a heading" in dict(sections(BODY))["Symptom"]


def test_backticks_in_a_title_are_code() -> None:
    assert inline("the `in` keyword <b>") == "the <code>in</code> keyword &lt;b&gt;"
    assert inline("an odd ` one") == "an odd ` one"
