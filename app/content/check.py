"""What is wrong with entries. Pure: over documents, their files, and a function that asks."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from packaging.specifiers import SpecifierSet

from app.content import translations
from app.content.bundle import EXAMPLES, FACTS, Finding
from app.content.headings import sections_of
from app.content.outline import Outline, markdown, outline
from app.content.schema import SLUG, EntryDocument
from app.i18n import LANGS, Lang
from app.matching.ranking.holes import broken_holes
from app.privacy.published_text import private

LONGEST_TITLE = 120
FEWEST_EXAMPLES = 2
_NAMES = {"en": "English", "zh": "Chinese"}
_LINK = re.compile(r"\berrdex:([^\s)>\]]*)")

# It takes the text of an example, and returns the slug that answers it first, or None, and a remark on it.
AskExample = Callable[[str], tuple[str | None, str]]


@dataclass(frozen=True, slots=True)
class Bundle:
    """A document with the texts of its files as they are on disk, {path within the bundle: text}; may be empty."""

    document: EntryDocument
    files: Mapping[str, str] = field(default_factory=dict)

    def text(self, lang: Lang) -> str | None:
        """The markdown file of a language, as on disk or else canonical."""
        return self.files.get(f"{lang}.md") or markdown(self.document, lang)

    def finding(self, kind: str, name: str, line: int, text: str) -> Finding:
        """A finding in one of the files."""
        return Finding(f"{self.document.slug}/{name}", line, text, self.document.slug, kind)

    def fact(self, kind: str, word: str, text: str) -> Finding:
        """A finding in `entry.toml`, on the first line that holds `word`."""
        lines = self.files.get(FACTS, "").split("\n")
        return self.finding(kind, FACTS, next((at for at, line in enumerate(lines, 1) if word in line), 1), text)

    def example_name(self, number: int) -> str:
        """The name of an example, from 0."""
        names = sorted(name for name in self.files if name.startswith(f"{EXAMPLES}/"))
        return names[number] if number < len(names) else f"{EXAMPLES}/{number + 1:02d}.txt"


@dataclass(frozen=True, slots=True)
class Known:
    """What entries may refer to; None where nobody says what there is."""

    slugs: Collection[str]
    former: Mapping[str, str] = field(default_factory=dict)
    tags: Collection[str] | None = None
    components: Collection[str] | None = None


def alone(entry: Bundle) -> Iterator[Finding]:
    """Yield the findings that an entry has by itself."""
    yield from _languages(entry)
    for lang in LANGS:
        if (text := entry.text(lang)) is not None:
            yield from _one_language(entry, lang, outline(text))
    yield from _both_languages(entry)
    yield from _stale(entry)
    yield from _examples(entry)
    yield from _secrets(entry)
    yield from _repeated(entry)
    yield from _holes(entry)
    yield from _fixed_but_affected(entry)


def _languages(entry: Bundle) -> Iterator[Finding]:
    for lang in LANGS:
        if entry.text(lang) is None:
            yield entry.finding("language", f"{lang}.md", 1, f"there is no {_NAMES[lang]} text")


def _one_language(entry: Bundle, lang: Lang, found: Outline) -> Iterator[Finding]:
    name = f"{lang}.md"
    title = next((heading.text for heading in found.headings if heading.level == 1), "")
    if len(title) > LONGEST_TITLE:
        yield entry.finding("title", name, 1, f"the title has {len(title)} characters; {LONGEST_TITLE} are the most")
    for block in found.blocks:
        if not block.language:
            yield entry.finding("code-language", name, block.line, "name the language of this code block, or text")
    if entry.document.kind == "error":
        yield from _sections(entry, lang, found)


def _sections(entry: Bundle, lang: Lang, found: Outline) -> Iterator[Finding]:
    name, usual = f"{lang}.md", sections_of(entry.document.kind)
    order = [section.heading(lang) for section in usual]
    heads = [heading for heading in found.headings if heading.level == 2]
    there = [heading.text for heading in heads]
    for wanted in usual:
        if wanted.needed and wanted.heading(lang) not in there:
            yield entry.finding("sections", name, 1, f"the section '## {wanted.heading(lang)}' is missing")
    for heading in heads:
        if heading.text not in order:
            yield entry.finding("sections", name, heading.line, f"'{heading.text}' is not one of {', '.join(order)}")
        elif there.count(heading.text) > 1 and there.index(heading.text) != heads.index(heading):
            yield entry.finding("sections", name, heading.line, f"there are two sections '{heading.text}'")
    known = [heading for heading in heads if heading.text in order]
    places = [order.index(heading.text) for heading in known]
    for at in range(1, len(known)):
        if places[at] < places[at - 1]:
            told = f"'{known[at].text}' belongs before '{known[at - 1].text}'"
            yield entry.finding("sections", name, known[at].line, told)


def _both_languages(entry: Bundle) -> Iterator[Finding]:
    en, zh = entry.text("en"), entry.text("zh")
    if en is None or zh is None:
        return
    ours, theirs = outline(en), outline(zh)
    levels, other = ([h.level for h in side.headings if h.level > 1] for side in (ours, theirs))
    if levels != other:
        told = f"{len(other)} headings here and {len(levels)} in en.md, or in another order"
        yield entry.finding("headings", "zh.md", 1, told)
    if len(ours.blocks) != len(theirs.blocks):
        told = f"{len(theirs.blocks)} code blocks here, {len(ours.blocks)} in en.md"
        yield entry.finding("code", "zh.md", 1, told)
        return
    for mine, block in zip(ours.blocks, theirs.blocks, strict=True):
        if (mine.language, mine.text) != (block.language, block.text):
            yield entry.finding("code", "zh.md", block.line, f"this code is not that of en.md:{mine.line}")


def _stale(entry: Bundle) -> Iterator[Finding]:
    for pair in translations.stale(entry.document):
        other = "zh" if pair.lang == "en" else "en"
        told = (
            f"stale: '{pair.other.text}' of {other}.md changed since this section was brought level; "
            f"bring it level, then `errdex fmt --level {entry.document.slug}`"
        )
        yield entry.finding("stale", f"{pair.lang}.md", pair.heading.line, told)


def _examples(entry: Bundle) -> Iterator[Finding]:
    there = len(entry.document.examples)
    if there < FEWEST_EXAMPLES:
        yield entry.finding("examples", FACTS, 1, f"{there} examples; {FEWEST_EXAMPLES} are the fewest")


def _secrets(entry: Bundle) -> Iterator[Finding]:
    texts = {f"{lang}.md": text for lang in LANGS if (text := entry.text(lang)) is not None}
    texts[FACTS] = entry.files.get(FACTS, "")
    texts |= {entry.example_name(number): text for number, text in enumerate(entry.document.examples)}
    for name, text in texts.items():
        for line, kind in private(text):
            yield entry.finding("private", name, line, f"this looks like {kind}; replace it")


def _repeated(entry: Bundle) -> Iterator[Finding]:
    said = [signature.pattern or signature.frame or "" for signature in entry.document.signatures]
    for text, times in Counter(said).items():
        if times > 1:
            yield entry.fact("repeated", text, f"this signature stands here {times} times; once is enough: {text}")


def _holes(entry: Bundle) -> Iterator[Finding]:
    for signature in entry.document.signatures:
        for pattern in (signature.pattern or "", *signature.unless):
            for hole in broken_holes(pattern):
                told = f"{hole} is no hole for a number: write <number<20>, with <, <=, > or >=, beside a word"
                yield entry.fact("hole", hole, told)


def _fixed_but_affected(entry: Bundle) -> Iterator[Finding]:
    for row in entry.document.fixed:
        affected = entry.document.affects.get(row.package)
        if affected is not None and SpecifierSet(affected).contains(row.release, prereleases=True):
            told = (
                f"{row.package} {row.release} is without it, but {row.package} {affected} has it; correct one of them"
            )
            yield entry.fact("fixed", f'"{row.release}"', told)


def references(entry: Bundle, known: Known) -> Iterator[Finding]:
    """Yield what an entry refers to and is not there."""
    document = entry.document
    for kind, words, there in (
        ("tag", document.tags, known.tags),
        ("component", document.components, known.components),
    ):
        for word in words:
            if there is not None and word not in there:
                yield entry.fact(kind, f'"{word}"', f"no {kind} is called '{word}'; name it in {kind}s.toml")
    for key, slugs in (("also", document.also), ("related", document.related)):
        for slug in slugs:
            if slug not in known.slugs:
                yield entry.fact("slug", f'"{slug}"', f"{key}: {_gone(slug, known)}")
    for slug in document.former:
        if slug in known.slugs:
            yield entry.fact("slug", f'"{slug}"', f"former: {slug} is an entry of its own")
    for lang in LANGS:
        for number, line in enumerate((entry.text(lang) or "").split("\n"), 1):
            for slug in _LINK.findall(line):
                if slug.partition("#")[0] not in known.slugs:
                    yield entry.finding("link", f"{lang}.md", number, f"dead link: {_gone(slug, known)}")


def _gone(slug: str, known: Known) -> str:
    if slug in known.former:
        return f"{slug} is now {known.former[slug]}"
    return f"there is no entry {slug}" if SLUG.fullmatch(slug) else f"'{slug}' is not project/name"


def answers(entry: Bundle, ask: AskExample) -> Iterator[Finding]:
    """Yield the examples of an entry that are not answered first by it or by a slug in its `also`."""
    right = {entry.document.slug, *entry.document.also}
    for number, example in enumerate(entry.document.examples):
        first, told = ask(example)
        if first not in right:
            text = f"answered first by {first} ({told})" if first else f"not answered ({told})"
            yield entry.finding("answer", entry.example_name(number), 1, text)


def known_of(entries: Sequence[Bundle]) -> Known:
    """Return what a set of entries may refer to among each other."""
    published = {entry.document.slug for entry in entries if entry.document.status == "published"}
    former = {old: entry.document.slug for entry in entries for old in entry.document.former}
    return Known(published, former)
