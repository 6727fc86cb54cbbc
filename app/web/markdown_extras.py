"""What people write beyond CommonMark: notes that stand out, tasks, and addresses that are links without being marked.

Each works on the tokens of a parsed text, once over all of them: what is bounded before parsing bounds it too.

    > [!WARNING]                    a note, as on GitHub; also NOTE, TIP, IMPORTANT, CAUTION
    > It deletes the cache.
    - [ ] to be done                a task
    - [x] done
    https://example.org/page        a link
"""

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from app import i18n
from app.i18n import Lang
from app.web.link_targets import may_lead_to
from app.web.markdown_limits import PLAIN

_NOTE = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*\Z")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_BOXES = {" ": "☐ ", "x": "☑ ", "X": "☑ "}
# An address ends at a space, a quote or a Chinese character, and before the signs that end a sentence.
_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9/])https?://[^\s<>\"'`|\\^{}\u2018-\u201f\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+"
)
_SENTENCE_END = ".,;:!?*_~"


def set_notes(tokens: Sequence[Token], lang: Lang) -> None:
    """Make quotes that begin with `[!NOTE]` or its like notes with a heading in `lang`."""
    opened: list[Token | None] = []
    for place, token in enumerate(tokens):
        if token.type == "blockquote_open":
            kind = _kind(tokens[place + 1 : place + 3])
            opened.append(token if kind else None)
            if kind:
                _head(token, tokens[place + 2], kind, lang)
        elif token.type == "blockquote_close" and opened and opened.pop():
            token.tag = "div"


def _kind(following: Sequence[Token]) -> str:
    if [token.type for token in following] != ["paragraph_open", "inline"] or not following[1].children:
        return ""
    found = _NOTE.match(following[1].children[0].content)
    return found[1].lower() if found else ""


def _head(quote: Token, first: Token, kind: str, lang: Lang) -> None:
    quote.tag = "div"
    quote.attrSet("class", f"note note-{kind}")
    name = Token("text", "", 0, content=i18n.text(lang, f"note.{kind}"))
    rest = (first.children or [])[1:]
    if rest and rest[0].type == "softbreak":
        rest[0] = Token("hardbreak", "br", 0)
    first.children = [Token("strong_open", "strong", 1), name, Token("strong_close", "strong", -1), *rest]


def set_tasks(tokens: Sequence[Token]) -> None:
    """Give items that begin with `[ ]` or `[x]` a box instead."""
    for item, paragraph, words in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (item.type, paragraph.type, words.type) != ("list_item_open", "paragraph_open", "inline"):
            continue
        first = next(iter(words.children or ()), None)
        if first is not None and first.type == "text" and (found := _TASK.match(first.content)):
            item.attrSet("class", "task")
            first.content = _BOXES[found[1]] + first.content[found.end() :]


def set_bare_links(tokens: Sequence[Token]) -> None:
    """Make links of addresses that stand in the words of a text, where a link may lead there."""
    for token in tokens:
        if token.type == "inline" and "://" in token.content and token.children and PLAIN not in token.meta:
            token.children = list(_linked(token.children))


def _linked(children: Sequence[Token]) -> Iterator[Token]:
    within = 0
    for child in children:
        within += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type == "text" and not within and "://" in child.content:
            yield from _parts(child.content)
        else:
            yield child


def _parts(text: str) -> Iterator[Token]:
    past = 0
    for found in _ADDRESS.finditer(text):
        address = _whole(found.group())
        if not may_lead_to(address):
            continue
        yield Token("text", "", 0, content=text[past : found.start()])
        yield Token("link_open", "a", 1, attrs={"href": address})
        yield Token("text", "", 0, content=address)
        yield Token("link_close", "a", -1)
        past = found.start() + len(address)
    yield Token("text", "", 0, content=text[past:])


def _whole(address: str) -> str:
    """Return an address without what ends the sentence around it: signs, and a bracket that it does not open."""
    address = address.rstrip(_SENTENCE_END)
    while address.endswith(")") and address.count("(") < address.count(")"):
        address = address[:-1].rstrip(_SENTENCE_END)
    return address
