"""Whether the two languages of an entry are level: each section remembers the hash of its counterpart in the other
language.
"""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from app.content.outline import Heading, markdown, sections
from app.content.schema import EntryDocument
from app.i18n import Lang


class Pair(NamedTuple):
    """A section and the hash that its counterpart in the other language has now."""

    lang: Lang
    heading: Heading
    other: Heading
    hash: str


def pairs(document: EntryDocument) -> Iterator[Pair]:
    """Yield each section of each language with its counterpart; nothing when the numbers of sections differ."""
    en, zh = markdown(document, "en"), markdown(document, "zh")
    if en is None or zh is None:
        return
    ours, theirs = list(sections(en)), list(sections(zh))
    if len(ours) != len(theirs):
        return
    for (en_head, en_text), (zh_head, zh_text) in zip(ours, theirs, strict=True):
        yield Pair("en", en_head, zh_head, _hash(zh_text))
        yield Pair("zh", zh_head, en_head, _hash(en_text))


def section_texts(document: EntryDocument, lang: Lang) -> dict[str, str]:
    """Return {heading: what stands below it} for the text of a language; empty where there is none."""
    return {heading.text: text for heading, text in sections(markdown(document, lang) or "")}


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=6).hexdigest()


def recorded(document: EntryDocument, *, anew: bool = False) -> EntryDocument:
    """Return the document with every section recorded as level.

    What is recorded already stays as it is, unless `anew`: then both languages count as saying the same now.
    """
    table: dict[Lang, dict[str, str]] = {}
    for pair in pairs(document):
        known = {} if anew else document.level.get(pair.lang, {})
        table.setdefault(pair.lang, {})[pair.heading.text] = known.get(pair.heading.text, pair.hash)
    return document.model_copy(update={"level": table}) if table else document


def brought_along(document: EntryDocument, before: EntryDocument | None) -> EntryDocument:
    """Return a document that somebody wrote in the browser, with what is known of how level its languages are.

    Who writes a section has the other language beside it, so that what was written is level with that. The other one is
    behind from then on, unless it was written as well, or what was written only caught up with it. Without a `before`,
    and where a language is new, both say the same.
    """
    if before is not None and (document.en, document.zh) == (before.en, before.zh):
        return document
    rows = list(pairs(document))
    if not rows:
        return document
    known = recorded(before).level if before else {}
    own_before = _own_hashes(list(pairs(before))) if before else {}
    own, table = _own_hashes(rows), dict[Lang, dict[str, str]]()
    behind_before = {(pair.lang, pair.heading.text) for pair in (stale(before) if before else ())}
    for pair in rows:
        here = (pair.lang, pair.heading.text)
        there: tuple[Lang, str] = ("zh" if pair.lang == "en" else "en", pair.other.text)
        kept = known.get(pair.lang, {}).get(pair.heading.text)
        is_written, is_other_written = own[here] != own_before.get(here), own[there] != own_before.get(there)
        is_caught_up = is_other_written and there in behind_before
        is_level = kept is None or is_written or is_caught_up
        table.setdefault(pair.lang, {})[pair.heading.text] = pair.hash if is_level else kept or ""
    return document.model_copy(update={"level": table})


def _own_hashes(rows: list[Pair]) -> dict[tuple[Lang, str], str]:
    """Return the hash of each section's own text: what its counterpart has of it."""
    return {("zh" if pair.lang == "en" else "en", pair.other.text): pair.hash for pair in rows}


def stale(document: EntryDocument) -> Iterator[Pair]:
    """Yield the sections whose counterpart has changed since they were brought level with it."""
    for pair in pairs(document):
        known = document.level.get(pair.lang, {}).get(pair.heading.text)
        if known is not None and known != pair.hash:
            yield pair
