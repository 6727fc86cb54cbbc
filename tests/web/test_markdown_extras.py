"""Notes, tasks, struck out words and bare links: a table of what becomes what, and of what must stay as it is."""

import pytest

from app.web.markdown import markdown

A = '<a href="{0}" rel="noopener noreferrer">{0}</a>'
END = "</div>\n"
MADE = {
    "> [!WARNING]\n> It is gone.": '<div class="note note-warning">\n<p><strong>Warning</strong><br>\nIt is gone.</p>\n'
    + END,
    "> [!TIP]\n>\n> - a": '<div class="note note-tip">\n<p><strong>Tip</strong></p>\n<ul>\n<li>a</li>\n</ul>\n' + END,
    "- [ ] a\n- [x] b": '<ul>\n<li class="task">☐ a</li>\n<li class="task">☑ b</li>\n</ul>\n',
    "~~old~~ new": "<p><s>old</s> new</p>\n",
    "see https://example.org/a_(b)?c=1. Then": ("<p>see " + A.format("https://example.org/a_(b)?c=1") + ". Then</p>\n"),
    "(https://example.org)": "<p>(" + A.format("https://example.org") + ")</p>\n",
    "见https://example.org/页。完": ("<p>见" + A.format("https://example.org/") + "页。完</p>\n"),
}
LEFT = {
    "> [!OTHER]\n> a": "<blockquote>\n<p>[!OTHER]\na</p>\n</blockquote>\n",
    "> [!NOTE] a": "<blockquote>\n<p>[!NOTE] a</p>\n</blockquote>\n",
    "> a\n> [!NOTE]": "<blockquote>\n<p>a\n[!NOTE]</p>\n</blockquote>\n",
    "[!NOTE]\na": "<p>[!NOTE]\na</p>\n",
    "- [y] a\n- [x]b": "<ul>\n<li>[y] a</li>\n<li>[x]b</li>\n</ul>\n",
    "[ ] a": "<p>[ ] a</p>\n",
    "`https://example.org`": "<p><code>https://example.org</code></p>\n",
    "ftp://example.org and https:// and xhttps://a": "<p>ftp://example.org and https:// and xhttps://a</p>\n",
    "https://a.example/%2f%2fb <b>": None,
}


@pytest.mark.parametrize(("text", "html"), MADE.items())
def test_what_people_write_is_laid_out(text: str, html: str) -> None:
    assert markdown(text, "en") == html


@pytest.mark.parametrize(("text", "html"), LEFT.items())
def test_what_only_looks_like_it_is_left(text: str, html: str | None) -> None:
    made = markdown(text, "en")
    assert "<b>" not in made
    assert html is None or made == html


def test_the_heading_of_a_note_is_in_the_language_of_the_page() -> None:
    assert "<strong>注意</strong>" in markdown("> [!WARNING]\n> 会删掉缓存。", "zh")


def test_a_link_that_is_marked_is_not_linked_twice() -> None:
    assert markdown("[https://a.example](https://b.example)", "en").count("<a ") == 1
    assert markdown("<https://a.example>", "en").count("<a ") == 1
