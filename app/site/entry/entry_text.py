"""The text of an entry as it is read: headings with anchors, a contents list, and what one language has ahead."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from markupsafe import Markup

from app import i18n
from app.content.schema import EntryDocument
from app.content.translations import pairs
from app.i18n import Lang
from app.web.markdown import heading_id, laid_out, markdown, sections

_HEADING = re.compile(r'<(h[2-6]) id="([^"]+)">(.*?)</\1>', re.DOTALL)
_CODE_BLOCK = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
# A text with so many headings or characters gets a list of contents.
MANY_HEADINGS = 4
LONG_TEXT = 4000
DESCRIPTION = 200
# The description is taken from so many characters at the beginning of a text.
BEGINNING = 4000
# A description is cut after one of these, if one stands late enough in it.
_SENTENCE_ENDS = (". ", "。", "！", "？", "；", "; ")


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A line of the contents list: where it leads, what it says, and 2 to 6 for the level of the heading."""

    id: str
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class EntryText:
    """What is read of an entry: safe HTML, the contents list (empty when it would not help), a line about it."""

    html: Markup
    contents: tuple[ContentsLine, ...]
    description: str


Changed = Mapping[str, datetime | None]


def entry_text(document: EntryDocument, lang: Lang, behind: Changed) -> EntryText:
    """Return the text for a page in `lang`; `behind` names the headings that lag and when the other text changed."""
    text_lang, text = document.text(lang)
    body = markdown(text.body, lang)
    contents = tuple(_Heading.of(found).contents_line() for found in _HEADING.finditer(body))
    level = [pair for pair in pairs(document) if pair.lang == text_lang]
    aliases = {heading_id(pair.heading.text): heading_id(pair.other.text) for pair in level}
    lagging = {heading_id(heading): changed for heading, changed in behind.items()}
    notice = _lag_notice(document.slug, lang, aliases, lagging)
    # An id that another heading of the text has is not given to a second element.
    free = {name: other for name, other in aliases.items() if other not in {line.id for line in contents}}

    def dressed(found: re.Match[str]) -> str:
        heading = _Heading.of(found)
        return heading.dressed(text_lang, free.get(heading.id, "")) + notice(heading.id)

    long = len(contents) >= MANY_HEADINGS or len(text.body) >= LONG_TEXT
    # This is safe: what is put in is escaped, and the rest has been through the sanitiser.
    html = Markup(_HEADING.sub(dressed, body))  # noqa: S704
    return EntryText(html, contents if long else (), description(text.body, lang))


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading of a sanitised text: `id` as text, `inner` as HTML."""

    tag: Markup
    id: str
    inner: Markup

    @classmethod
    def of(cls, found: re.Match[str]) -> Self:
        tag, name, inner = (Markup(part) for part in found.groups())  # noqa: S704
        return cls(tag, name.unescape(), inner)

    def contents_line(self) -> ContentsLine:
        return ContentsLine(self.id, self.inner.striptags(), int(self.tag[1]))

    def dressed(self, lang: Lang, other: str) -> Markup:
        """Return the heading with a link to itself; it answers to `other` too, if that is not empty."""
        label = i18n.text(lang, "entry.anchor", heading=self.inner.striptags())
        anchor = Markup('<a class="anchor" href="#{}" aria-label="{}">#</a>').format(self.id, label)
        alias = Markup('<span class="alias" id="{}"></span>').format(other) if other else ""
        return Markup('{}<{} id="{}">{} {}</{}>').format(alias, self.tag, self.id, self.inner, anchor, self.tag)


def _lag_notice(
    slug: str, lang: Lang, aliases: Mapping[str, str], lagging: Mapping[str, datetime | None]
) -> Callable[[str], Markup]:
    other: Lang = "en" if lang == "zh" else "zh"

    def notice(name: str) -> Markup:
        if name not in lagging:
            return Markup()
        changed = lagging[name]
        said = (
            i18n.text(lang, "entry.behind-since", day=i18n.day(lang, changed))
            if changed
            else i18n.text(lang, "entry.behind")
        )
        there = Markup('<a href="/{}/e/{}#{}">{}</a>').format(
            other, slug, aliases.get(name, ""), i18n.text(lang, "entry.behind-see")
        )
        return Markup('<p class="notice behind">{} {}</p>').format(said, there)

    return notice


def description(body: str, lang: Lang) -> str:
    """Return a line about a text for previews: the beginning of its first section, without marks or code blocks."""
    first = next((below for heading, below in sections(body) if below), "")
    html = laid_out(first[:BEGINNING], lang)
    words = first[:BEGINNING] if html is None else Markup(_CODE_BLOCK.sub(" ", html)).striptags()  # noqa: S704
    line = " ".join(words.split())
    if len(line) <= DESCRIPTION:
        return line
    cut = line[: DESCRIPTION - 1]
    end = max(cut.rfind(mark) for mark in _SENTENCE_ENDS)
    return cut[: end + 1].rstrip() if end > DESCRIPTION // 4 else cut.rstrip() + "…"
