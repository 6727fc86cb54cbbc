"""Markdown to safe HTML: heading ids, highlighted code, links between entries.

No raw HTML passes, links go to http, https, other entries (`errdex:project/name`) or places on this site only, and
what comes out has been through a sanitiser.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import cast

import nh3
from markdown_it import MarkdownIt
from markdown_it.common import normalize_url
from markdown_it.common.utils import unescapeAll
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from app import i18n
from app.i18n import Lang
from app.web.code_lines import with_whole_words
from app.web.highlighting import Palette
from app.web.link_targets import ENTRY, is_short, may_lead_to
from app.web.markdown_cache import Rendered
from app.web.markdown_extras import set_bare_links, set_notes, set_tasks
from app.web.markdown_limits import DEEPEST, is_parsed, is_whole, parse_words

# A process keeps so many bytes of rendered HTML.
_MOST_KEPT = 32 * 1024 * 1024
_kept: Rendered[str] = Rendered(_MOST_KEPT)
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_TAGS = {
    "a", "blockquote", "br", "code", "del", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
# In these languages the beginning of a line has a meaning, so lines are not broken and the reader scrolls.
_KEPT_LINES = frozenset(
    (
        "python",
        "py",
        "python3",
        "yaml",
        "yml",
        "toml",
        "json",
        "diff",
        "patch",
        "c",
        "cpp",
        "c++",
        "cuda",
        "cu",
        "rust",
        "rs",
    )
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "code": {"tabindex"},
    "div": {"class"},
    "li": {"class"},
    "ol": {"start"},
    "pre": {"class"},
    "span": {"class"},
    "td": {"class"},
    "th": {"class"},
} | {heading: {"id"} for heading in ("h2", "h3", "h4", "h5", "h6")}


def markdown(text: str, lang: Lang) -> Markup:
    """Return `text` as safe HTML; links to entries point to their pages in `lang`.

    It is CommonMark with tables, `~~struck out~~` words, and what `app.web.markdown_extras` adds.

    A text over the limits of `app.web.markdown_limits` is shown as it was typed, with a line that says so.
    """
    made = _kept.get(("markdown", lang, text), lambda: _laid_out_or_typed(text, lang))
    return cast(Markup, made)


def laid_out(text: str, lang: Lang) -> Markup | None:
    """Return `text` as safe HTML, or None when it is over the limits of `app.web.markdown_limits`."""
    if not is_parsed(text):
        return None
    parser = _parser()
    tokens = parser.parse(text)
    if not is_whole(tokens):
        return None
    _set_headings(tokens)
    _set_cells(tokens)
    _set_links(tokens, lang)
    set_notes(tokens, lang)
    set_tasks(tokens)
    set_bare_links(tokens)
    _join_chinese_lines(tokens)
    html = parser.renderer.render(tokens, parser.options, {"palette": Palette(len(text))})
    return Markup(nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https"}))  # noqa: S704


def _laid_out_or_typed(text: str, lang: Lang) -> Markup:
    html = laid_out(text, lang)
    return _as_typed(text, lang) if html is None else html


def _as_typed(text: str, lang: Lang) -> Markup:
    said = i18n.text(lang, "entry.as-typed")
    return Markup('<p class="notice calm">{}</p><pre class="as-typed">{}</pre>').format(said, text)


def sections(body: str) -> tuple[tuple[str, str], ...]:
    """Split a body at its `##` headings into (heading, markdown below it); what stands before the first has no heading.

    A `##` inside a code block is not a heading. A body over the limits of `app.web.markdown_limits` is one section.
    """
    lines = body.split("\n")
    tokens = blocks(body)
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


def inline(line: str) -> Markup:
    """Return a title as HTML: what stands between backticks is code."""
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return escape(line)
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    parser.validateLink = may_lead_to  # type: ignore[method-assign]
    parser.normalizeLink = _normalized  # type: ignore[method-assign]
    parser.disable("image")
    parser.core.ruler.at("inline", parse_words)
    parser.add_render_rule("fence", _fence)
    return parser


@cache
def _block_parser() -> MarkdownIt:
    # Parsing the words of paragraphs takes most of the time, and is of no use where only the places of blocks are
    # wanted.
    return (
        MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST})
        .enable("table")
        .disable(["inline", "text_join"])
    )


def blocks(text: str) -> Sequence[Token]:
    """Return the blocks of a text with their lines; none of one over the limits of `app.web.markdown_limits`."""
    return _block_parser().parse(text) if is_parsed(text) else ()


def _normalized(url: str) -> str:
    # An address that is too long is refused later anyway, so its host is not encoded for the name service.
    return normalize_url.normalizeLink(url) if is_short(url) else url


def _fence(_renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: OptionsDict, env: EnvType) -> str:
    token = tokens[place]
    language = (unescapeAll(token.info).split() or [""])[0]
    html = env["palette"].spans(token.content, language)
    if language.lower() in _KEPT_LINES:
        return f'<pre><code tabindex="0"><span class="hl">{html}</span></code></pre>\n'
    return f'<pre class="wraps"><code><span class="hl">{with_whole_words(html)}</span></code></pre>\n'


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
    # The parser writes the alignment of table cells as style attributes, which the content security policy forbids.
    for token in tokens:
        if token.type in ("th_open", "td_open") and "style" in token.attrs:
            side = str(token.attrs.pop("style")).partition(":")[2]
            token.attrSet("class", f"to-{side}")


def _set_links(tokens: Sequence[Token], lang: Lang) -> None:
    for token in tokens:
        for child in token.children or ():
            target = str(child.attrs.get("href", ""))
            if child.type == "link_open" and target.lower().startswith(ENTRY):
                child.attrSet("href", f"/{lang}/e/{target[len(ENTRY) :]}")


def _join_chinese_lines(tokens: Sequence[Token]) -> None:
    # A line end stands for a space between Latin words and for nothing between Chinese ones.
    for token in tokens:
        children = token.children or []
        for before, child, after in zip(children, children[1:], children[2:], strict=False):
            if child.type == "softbreak" and _CHINESE.match(before.content[-1:]) and _CHINESE.match(after.content[:1]):
                child.type = "text"
