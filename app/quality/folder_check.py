"""`errdex check` and `errdex fmt`: a folder of bundles to its findings, and to its canonical form."""

import tomllib
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from app.content import bundle, check, duplicate_patterns, translations
from app.content.bundle import EXAMPLES, FACTS, BrokenBundle, Finding
from app.content.check import AskExample, Bundle, Known
from app.content.name_rows import KINDS, FamilyRow, Own, file_name
from app.content.schema import EntryDocument
from app.files import read_regular
from app.i18n import LANGS
from app.quality import back_test, healthy_logs
from app.quality.entry_rules import findings_of_one
from app.quality.example_answers import Progress, asking
from app.sync.names import look, own_rows


def check_folder(root: Path, *, neighbours: Path | None = None, progress: Progress | None = None) -> list[Finding]:
    """Return everything that is wrong with the bundles of a folder, in the order of the paths.

    `neighbours` is another folder whose entries are served beside them: they may be referred to, may answer an example
    first, and must keep their own examples. Raises `OSError`.
    """
    findings: list[Finding] = []
    entries = _read(root, findings)
    own = {entry.document.slug for entry in entries}
    others = [entry for entry in _read(neighbours, []) if entry.document.slug not in own] if neighbours else []
    known = _known([*entries, *others], root, neighbours)
    documents = [entry.document for entry in (*entries, *others)]
    examples = [text for entry in _published([*entries, *others]) for text in entry.document.examples]
    with asking(documents, examples, _own_names(neighbours, root)) as answered:
        logs = healthy_logs.read_logs()
        for entry in entries:
            findings += findings_of_one(entry, known)
            findings += healthy_logs.set_off(entry, logs)
        findings += _of_names(root, {*own, *(other.document.slug for other in others)})
        findings += (found for found in duplicate_patterns.same_patterns([*others, *entries]) if found.slug in own)
        findings += back_test.unspecific(entries, back_test.read_table())
        findings += _unanswered(entries, others, own, answered(progress))
    return sorted(findings, key=lambda found: (found.path, found.line))


def _read(root: Path, findings: list[Finding]) -> list[Bundle]:
    entries: list[Bundle] = []
    for slug, folder in bundle.folders(root):
        try:
            document = bundle.read(folder, slug)
        except BrokenBundle as error:
            findings += error.findings
        else:
            entries.append(Bundle(document, _files(folder, document)))
    return entries


def _files(folder: Path, document: EntryDocument) -> dict[str, str]:
    names = [FACTS, *(f"{lang}.md" for lang in LANGS if (folder / f"{lang}.md").exists())]
    texts = {name: bundle.text_of(folder / name) for name in names}
    shown = zip(bundle.example_names(folder), document.examples, strict=True)
    return texts | {f"{EXAMPLES}/{name}": text for name, text in shown}


def _known(entries: Sequence[Bundle], *roots: Path | None) -> Known:
    known = check.known_of(entries)
    return replace(known, tags=_names("tags.toml", roots), components=_names("components.toml", roots))


def _names(name: str, roots: Sequence[Path | None]) -> Collection[str] | None:
    files = [root / name for root in roots if root and (root / name).is_file()]
    found: set[str] = set()
    for file in files:
        # a file that is no TOML is named by itself
        with suppress(tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
            found.update(tomllib.loads(bundle.text_of(file)))
    return found if files else None


def _of_names(root: Path, slugs: Collection[str]) -> Iterator[Finding]:
    """Yield what is wrong with the files of names, and the members of families that no entry is."""
    for kind in KINDS:
        seen = look(root, kind)
        yield from seen.findings
        for key, row in seen.rows.items():
            if isinstance(row, FamilyRow):
                for slug in (slug for slug in row.look if slug not in slugs):
                    yield Finding(file_name(kind), 1, f"{key}: there is no entry {slug}", kind="family")


def _own_names(*roots: Path | None) -> Own:
    """Return the names that the files of folders say, those of the last one in place of others."""
    return {
        kind: {key: row for root in roots if root for key, row in own_rows(kind, look(root, kind).rows).items()}
        for kind in KINDS
    }


def _unanswered(
    entries: Sequence[Bundle], others: Sequence[Bundle], own: Collection[str], ask: AskExample
) -> Iterator[Finding]:
    for entry in _published([*entries, *others]):
        mine = entry.document.slug in own
        yield from check.answers(entry, ask if mine else _only_theft(ask, entry.document.slug, own))


def _published(entries: Sequence[Bundle]) -> list[Bundle]:
    return [entry for entry in entries if entry.document.status == "published"]


def _only_theft(ask: AskExample, slug: str, own: Collection[str]) -> AskExample:
    """Return a variant of `ask` that finds fault only with examples which the checked folder takes away from a
    neighbour.
    """

    def answer(text: str) -> tuple[str | None, str]:
        first, told = ask(text)
        return (first, told) if first in own else (slug, "")

    return answer


def canonical(root: Path, *, only: str = "", anew: Collection[str] = ()) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder's bundles that differ from their canonical form, with the text they should have.

    With `only`, the slug of a bundle, the others are left alone. Sections that have none get the hash by which a stale
    translation is seen; for the slugs in `anew` all get it.
    Examples are verbatim and left alone. Raises `BrokenBundle` with the findings of every bundle that cannot be read.
    """
    findings: list[Finding] = []
    for slug, folder in bundle.folders(root):
        if only and slug != only:
            continue
        try:
            document = translations.recorded(bundle.read(folder, slug), anew=slug in anew)
        except BrokenBundle as error:
            findings += error.findings
            continue
        for name, text in bundle.files(document).items():
            path = folder / name
            if not name.startswith(f"{EXAMPLES}/") and read_regular(path, bundle.LARGEST) != text.encode("utf-8"):
                yield path, text
    if findings:
        raise BrokenBundle(findings)
