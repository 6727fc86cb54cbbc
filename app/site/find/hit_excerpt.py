"""Where the words of a search stand in an entry: the field that has most of them, and a piece of it in which they are
marked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.content.outline import sections
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.matching.ranking.holes import readable
from app.site.paste.excerpt import Piece
from app.store.search_box import Hit

LENGTH = 180
# An excerpt begins so many characters before the first word that was sought, which is looked for in so many characters
# of a text.
BEFORE = 50
MOST_READ = 20_000
MOST_WORDS = 12
_LATIN = re.compile(r"[a-z0-9][a-z0-9_.-]*[a-z0-9]|[a-z0-9]")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
# These are marks of markdown, which an excerpt leaves out. The words of a link stay.
_LINK = re.compile(r"\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)")
_MARKS = re.compile(r"[`*#>|]+|^\s*(?:[-+]|\d+[.)])\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HitShown:
    """A hit with the piece of its text that shows why; `field` is "title", "titles" or "signature", else the heading of
    a section. Without any word in the text `pieces` is its beginning."""

    hit: Hit
    field: str
    pieces: tuple[Piece, ...]


def words_of(q: str) -> tuple[str, ...]:
    """Return the words of a search as a text may have them: Latin words in lower case, Chinese words as pairs of
    characters.
    """
    lowered = q.lower()
    found = [word.removesuffix("s") if len(word) > 4 else word for word in _LATIN.findall(lowered)]
    for run in _CHINESE.findall(lowered):
        found += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
    return tuple(dict.fromkeys(found))[:MOST_WORDS]


def shown_hit(hit: Hit, document: EntryDocument | None, words: Sequence[str], lang: Lang) -> HitShown:
    """Return what to show of a hit: only its title if its document was withdrawn a moment ago."""
    if document is None:
        return HitShown(hit, "", ())
    fields = [(field, _plain(text)) for field, text in _fields(document, lang)]
    body = [(field, text) for field, text in fields if field != "title" and text]
    field, text = max(body, key=lambda pair: _held(pair[1], words), default=("", ""))
    if words and not _held(text, words):
        field, text = next((pair for pair in body if pair[0] not in ("titles", "signature")), (field, text))
    return HitShown(hit, field, tuple(_pieces(text, words)))


def left_out(hits: Sequence[EntryDocument], words: Sequence[str], q: str) -> tuple[str, ...]:
    """Return the words of a search that none of the entries on a page has, as they were typed."""
    texts = " ".join(_plain(text) for document in hits for lang in ("en", "zh") for _, text in _fields(document, lang))
    missing = [word for word in words if not _pattern((word,)).search(texts)]
    typed = dict.fromkeys((*_LATIN.findall(q.lower()), *_CHINESE.findall(q)))
    return tuple(one for one in typed if any(word in one for word in missing) and one not in texts.lower())


def _fields(document: EntryDocument, lang: str) -> Iterator[tuple[str, str]]:
    _, text = document.text(lang)
    yield "title", text.title
    body = text.body[:MOST_READ]
    yield "", body.partition("\n## ")[0] if not body.startswith("## ") else ""
    for heading, words in sections(body):
        yield heading.text, words
    for other in document.titles.get("zh" if lang == "zh" else "en", ()):
        yield "titles", other
    for signature in document.signatures:
        yield "signature", readable(signature.pattern or signature.frame or "")


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", _LINK.sub(r"\1", text)).split())


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    parts = [re.escape(word) if _CHINESE.match(word) else rf"(?<![a-z0-9]){re.escape(word)}" for word in words]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _held(text: str, words: Sequence[str]) -> int:
    """Return how many of the words a text has."""
    return sum(_pattern((word,)).search(text) is not None for word in words)


def _pieces(text: str, words: Sequence[str]) -> Iterator[Piece]:
    pattern = _pattern(words)
    first = pattern.search(text) if words else None
    start = max(0, first.start() - BEFORE) if first else 0
    start = text.rfind(" ", 0, start) + 1 if start and " " in text[max(0, start - 30) : start] else start
    piece = text[start : start + LENGTH]
    past = 0
    if start:
        yield Piece("…", False)
    for found in pattern.finditer(piece):
        if found.start() > past:
            yield Piece(piece[past : found.start()], False)
        yield Piece(found.group(), True)
        past = found.end()
    yield Piece(piece[past:] + ("…" if start + LENGTH < len(text) else ""), False)
