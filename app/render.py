"""Markdown to safe HTML: heading ids, highlighted code, links between entries.

No raw HTML passes, links go to http, https, other entries (`errdex:project/name`) or places on this site only, and
what comes out has been through a sanitiser.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from app.content.schema import SLUG
from app.i18n import Lang

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_ENTRY_LINK = "errdex:"
_LONGEST_HIGHLIGHTED = 20_000
# characters, four times the longest text of the shipped entries: many of any length would take much memory
REMEMBERED_LENGTH = 16 * 1024
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_TAGS = {
    "a", "blockquote", "br", "code", "del", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "title"},
    "div": {"class"},
    "ol": {"start"},
    "span": {"class"},
    "td": {"class"},
    "th": {"class"},
} | {heading: {"id"} for heading in ("h2", "h3", "h4", "h5", "h6")}


def markdown(text: str, lang: Lang) -> Markup:
    """Return `text` (CommonMark and tables) as safe HTML; links to entries point to their pages in `lang`.

    What it makes of a text of ordinary length is remembered.
    """
    return _remembered(text, lang) if len(text) <= REMEMBERED_LENGTH else _rendered(text, lang)


def _rendered(text: str, lang: Lang) -> Markup:
    parser = _parser()
    tokens = parser.parse(text)
    _set_headings(tokens)
    _set_cells(tokens)
    _set_links(tokens, lang)
    _join_chinese_lines(tokens)
    html = parser.renderer.render(tokens, parser.options, {})
    return Markup(nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https"}))  # noqa: S704


_remembered = lru_cache(maxsize=1024)(_rendered)


def sections(body: str) -> tuple[tuple[str, str], ...]:
    """Split a body at its `##` headings into (heading, markdown below it); what stands before the first has no heading.

    A `##` inside a code block is not a heading.
    """
    lines = body.split("\n")
    tokens = _parser().parse(body)
    starts: list[tuple[int, int, str]] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0 and token.map:
            starts.append((token.map[0], token.map[1], tokens[place + 1].content))
    found: list[tuple[str, str]] = []
    before = "\n".join(lines[: starts[0][0]] if starts else lines).strip()
    if before:
        found.append(("", before))
    ends = [*(start for start, _, _ in starts), len(lines)][1:]
    for (_, below, heading), end in zip(starts, ends, strict=True):
        found.append((heading, "\n".join(lines[below:end]).strip("\n")))
    return tuple(found)


def first_blocks(body: str, headings: Collection[str], count: int) -> str:
    """Return the markdown of the first `count` blocks below the first heading named in `headings`.

    A list item counts as a block. Without such a heading the first blocks of the body are taken.
    """
    parts = sections(body)
    chosen = next((text for heading, text in parts if heading in headings), None)
    if chosen is None:
        chosen = parts[0][1] if parts else ""
    lines = chosen.split("\n")
    ends = [end for token in _parser().parse(chosen) if (end := _block_end(token)) is not None]
    for place, end in enumerate(ends, 1):
        beginning = "\n".join(lines[:end]).rstrip()
        # what is announced with a colon belongs to it
        if place >= count and not beginning.endswith((":", "：")):
            return beginning
    return chosen.rstrip()


def inline(line: str) -> Markup:
    """Return a title as HTML: what stands between backticks is code."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return escape(line)
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _block_end(token: Token) -> int | None:
    is_item = token.type == "list_item_open" and token.level == 1
    is_block = token.level == 0 and token.nesting >= 0 and not token.type.endswith("_list_open")
    return token.map[1] if token.map and (is_item or is_block) else None


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
    parser.validateLink = _is_allowed  # type: ignore[method-assign]
    parser.disable("image")
    return parser


def _is_allowed(url: str) -> bool:
    scheme = _SCHEME.match(url.strip())
    if scheme is None:
        return True
    if scheme.group().lower() == _ENTRY_LINK:
        return bool(SLUG.fullmatch(url.strip()[len(_ENTRY_LINK) :]))
    return scheme.group().lower() in ("http:", "https:")


def _highlighted(code: str, language: str, _attributes: str) -> str:
    # a string that starts with <pre is taken as it is by markdown-it, so the frame for code is written here
    return f'<pre><code><span class="hl">{_spans(code, language)}</span></code></pre>'


def _spans(code: str, language: str) -> str:
    if not language or len(code) > _LONGEST_HIGHLIGHTED:
        return str(escape(code))
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return str(escape(code))
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def _set_headings(tokens: Sequence[Token]) -> None:
    seen: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type in ("heading_open", "heading_close") and token.tag == "h1":
            token.tag = "h2"
        if token.type == "heading_open":
            name = heading_id(inline.content)
            seen[name] = seen.get(name, 0) + 1
            token.attrSet("id", name if seen[name] == 1 else f"{name}-{seen[name]}")
    if tokens and tokens[-1].type == "heading_close" and tokens[-1].tag == "h1":
        tokens[-1].tag = "h2"


def heading_id(heading: str) -> str:
    """Return the id of a heading: its letters and digits (Chinese too) in lower case, joined by hyphens."""
    return "-".join(re.findall(r"\w+", heading.lower())) or "section"


def _set_cells(tokens: Sequence[Token]) -> None:
    # the content security policy forbids style attributes, and tables come with them
    for token in tokens:
        if token.type in ("th_open", "td_open") and "style" in token.attrs:
            side = str(token.attrs.pop("style")).partition(":")[2]
            token.attrSet("class", f"to-{side}")


def _set_links(tokens: Sequence[Token], lang: Lang) -> None:
    for token in tokens:
        for child in token.children or ():
            target = str(child.attrs.get("href", ""))
            if child.type == "link_open" and target.lower().startswith(_ENTRY_LINK):
                child.attrSet("href", f"/{lang}/e/{target[len(_ENTRY_LINK) :]}")


def _join_chinese_lines(tokens: Sequence[Token]) -> None:
    # a line end is a space between Latin words and nothing between Chinese ones
    for token in tokens:
        children = token.children or []
        for before, child, after in zip(children, children[1:], children[2:], strict=False):
            if child.type == "softbreak" and _CHINESE.match(before.content[-1:]) and _CHINESE.match(after.content[:1]):
                child.type = "text"
