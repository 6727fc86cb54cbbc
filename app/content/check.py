"""What is wrong with entries. Pure: over documents, their files, and a function that asks."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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

    def finding(self, kind: str, name: str, line: int, text: str, case: str = "", /, **values: str | int) -> Finding:
        """A finding in one of the files; `values` are what its text names."""
        where = f"{self.document.slug}/{name}"
        return Finding(where, line, text, self.document.slug, kind, case=case, values=values)

    def fact(self, field: str, kind: str, word: str, text: str, case: str = "", /, **values: str | int) -> Finding:
        """A finding in a field of `entry.toml`, on the first line that holds `word`."""
        lines = self.files.get(FACTS, "").split("\n")
        line = next((at for at, line in enumerate(lines, 1) if word in line), 1)
        return replace(self.finding(kind, FACTS, line, text, case, **values), field=field)

    def signature(self, text: str) -> str:
        """The field of the first signature with this pattern or frame."""
        said = [one.pattern or one.frame for one in self.document.signatures]
        return f"signatures.{said.index(text) + 1}" if text in said else "signatures"

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
            yield entry.finding("language", f"{lang}.md", 1, f"there is no {_NAMES[lang]} text", lang)


def _one_language(entry: Bundle, lang: Lang, found: Outline) -> Iterator[Finding]:
    name = f"{lang}.md"
    title = next((heading.text for heading in found.headings if heading.level == 1), "")
    if len(title) > LONGEST_TITLE:
        told = f"the title has {len(title)} characters; {LONGEST_TITLE} are the most"
        yield entry.finding("title", name, 1, told, n=len(title), most=LONGEST_TITLE)
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
            told, missing = f"the section '## {wanted.heading(lang)}' is missing", wanted.heading(lang)
            yield entry.finding("sections", name, 1, told, "missing", heading=missing)
    for heading in heads:
        if heading.text not in order:
            told = f"'{heading.text}' is not one of {', '.join(order)}"
            yield entry.finding(
                "sections", name, heading.line, told, "unknown", heading=heading.text, usual=", ".join(order)
            )
        elif there.count(heading.text) > 1 and there.index(heading.text) != heads.index(heading):
            told = f"there are two sections '{heading.text}'"
            yield entry.finding("sections", name, heading.line, told, "twice", heading=heading.text)
    known = [heading for heading in heads if heading.text in order]
    places = [order.index(heading.text) for heading in known]
    for at in range(1, len(known)):
        if places[at] < places[at - 1]:
            told = f"'{known[at].text}' belongs before '{known[at - 1].text}'"
            before, after = known[at].text, known[at - 1].text
            yield entry.finding("sections", name, known[at].line, told, "order", heading=before, other=after)


def _both_languages(entry: Bundle) -> Iterator[Finding]:
    en, zh = entry.text("en"), entry.text("zh")
    if en is None or zh is None:
        return
    ours, theirs = outline(en), outline(zh)
    levels, other = ([h.level for h in side.headings if h.level > 1] for side in (ours, theirs))
    if levels != other:
        told = f"{len(other)} headings here and {len(levels)} in en.md, or in another order"
        yield entry.finding("headings", "zh.md", 1, told, n=len(other), other=len(levels))
    if len(ours.blocks) != len(theirs.blocks):
        told = f"{len(theirs.blocks)} code blocks here, {len(ours.blocks)} in en.md"
        yield entry.finding("code", "zh.md", 1, told, "number", n=len(theirs.blocks), other=len(ours.blocks))
        return
    for mine, block in zip(ours.blocks, theirs.blocks, strict=True):
        if (mine.language, mine.text) != (block.language, block.text):
            told = f"this code is not that of en.md:{mine.line}"
            yield entry.finding("code", "zh.md", block.line, told, "differs", number=ours.blocks.index(mine) + 1)


def _stale(entry: Bundle) -> Iterator[Finding]:
    for pair in translations.stale(entry.document):
        other = "zh" if pair.lang == "en" else "en"
        told = (
            f"stale: '{pair.other.text}' of {other}.md changed since this section was brought level; "
            f"bring it level, then `errdex fmt --level {entry.document.slug}`"
        )
        yield entry.finding("stale", f"{pair.lang}.md", pair.heading.line, told, heading=pair.other.text)


def _examples(entry: Bundle) -> Iterator[Finding]:
    there = len(entry.document.examples)
    if there < FEWEST_EXAMPLES:
        told = f"{there} examples; {FEWEST_EXAMPLES} are the fewest"
        yield entry.fact("examples", "examples", "", told, n=there, fewest=FEWEST_EXAMPLES)


def _secrets(entry: Bundle) -> Iterator[Finding]:
    texts = {f"{lang}.md": text for lang in LANGS if (text := entry.text(lang)) is not None}
    texts[FACTS] = entry.files.get(FACTS, "")
    texts |= {entry.example_name(number): text for number, text in enumerate(entry.document.examples)}
    for name, text in texts.items():
        for line, what, kind in private(text):
            yield entry.finding("private", name, line, f"this looks like {what}; replace it", kind)


def _repeated(entry: Bundle) -> Iterator[Finding]:
    said = [signature.pattern or signature.frame or "" for signature in entry.document.signatures]
    for text, times in Counter(said).items():
        if times > 1:
            told = f"this signature stands here {times} times; once is enough: {text}"
            yield entry.fact(entry.signature(text), "repeated", text, told, times=times)


def _holes(entry: Bundle) -> Iterator[Finding]:
    for number, signature in enumerate(entry.document.signatures, 1):
        for at, pattern in enumerate((signature.pattern or "", *signature.unless)):
            for hole in broken_holes(pattern):
                told = f"{hole} is no hole for a number: write <number<20>, with <, <=, > or >=, beside a word"
                place = f"signatures.{number}{'.unless' if at else ''}"
                yield entry.fact(place, "hole", hole, told, hole=hole)


def _fixed_but_affected(entry: Bundle) -> Iterator[Finding]:
    for row in entry.document.fixed:
        affected = entry.document.affects.get(row.package)
        if affected is not None and SpecifierSet(affected).contains(row.release, prereleases=True):
            told = (
                f"{row.package} {row.release} is without it, but {row.package} {affected} has it; correct one of them"
            )
            said = {"package": row.package, "release": row.release, "affected": affected}
            yield entry.fact("fixed", "fixed", f'"{row.release}"', told, **said)


def references(entry: Bundle, known: Known) -> Iterator[Finding]:
    """Yield what an entry refers to and is not there."""
    document = entry.document
    for kind, words, there in (
        ("tag", document.tags, known.tags),
        ("component", document.components, known.components),
    ):
        for word in words:
            if there is not None and word not in there:
                told = f"no {kind} is called '{word}'; name it in {kind}s.toml"
                yield entry.fact(f"{kind}s", kind, f'"{word}"', told, word=word)
    for key, slugs in (("also", document.also), ("related", document.related)):
        for slug in slugs:
            if slug not in known.slugs:
                case, told = _gone(slug, known)
                there = known.former.get(slug, "")
                yield entry.fact(key, "slug", f'"{slug}"', f"{key}: {told}", case, slug=slug, now=there)
    for slug in document.former:
        if slug in known.slugs:
            told = f"former: {slug} is an entry of its own"
            yield entry.fact("former", "slug", f'"{slug}"', told, "own", slug=slug)
    for lang in LANGS:
        for number, line in enumerate((entry.text(lang) or "").split("\n"), 1):
            for slug in _LINK.findall(line):
                if slug.partition("#")[0] not in known.slugs:
                    case, told = _gone(slug, known)
                    now = known.former.get(slug, "")
                    yield entry.finding("link", f"{lang}.md", number, f"dead link: {told}", case, slug=slug, now=now)


def _gone(slug: str, known: Known) -> tuple[str, str]:
    """Return the case and the words for a slug that no entry has."""
    if slug in known.former:
        return "moved", f"{slug} is now {known.former[slug]}"
    if SLUG.fullmatch(slug):
        return "gone", f"there is no entry {slug}"
    return "wrong", f"'{slug}' is not project/name"


def answers(entry: Bundle, ask: AskExample) -> Iterator[Finding]:
    """Yield the examples of an entry that are not answered first by it or by a slug in its `also`."""
    right = {entry.document.slug, *entry.document.also}
    for number, example in enumerate(entry.document.examples):
        first, told = ask(example)
        if first not in right:
            text = f"answered first by {first} ({told})" if first else f"not answered ({told})"
            case = "other" if first else "none"
            yield entry.finding("answer", entry.example_name(number), 1, text, case, slug=first or "")


def known_of(entries: Sequence[Bundle]) -> Known:
    """Return what a set of entries may refer to among each other."""
    published = {entry.document.slug for entry in entries if entry.document.status == "published"}
    former = {old: entry.document.slug for entry in entries for old in entry.document.former}
    return Known(published, former)
