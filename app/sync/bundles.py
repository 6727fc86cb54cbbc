"""Reading and writing the bundles of a folder: what is there, and how it is changed to what it should be."""

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app import files as disk
from app.content import bundle
from app.content.bundle import EXAMPLES, FACTS, LARGEST, BrokenBundle, Finding
from app.content.outline import without_code
from app.content.schema import EntryDocument
from app.files import UnfitFile, read_regular
from app.i18n import LANGS
from app.sync.base import HOME
from app.sync.example_names import example_names

JOURNAL = HOME / "writing"
Marks = dict[str, str]
_CONFLICT = re.compile(r"^<{7} .*?^={7}$.*?^>{7} ", re.MULTILINE | re.DOTALL)


class Overtaken(Exception):
    """Somebody changed the bundle since it was looked at; nothing more was written."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A bundle as it was seen.

    `document` is None when there is none or it is broken; `findings` say why it is. `marks` are the hashes of its files
    by path. `ours` says that the files are as an interrupted write left them: no one's text.
    """

    slug: str
    document: EntryDocument | None = None
    findings: tuple[Finding, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    ours: bool = False


def slugs(root: Path) -> Iterator[str]:
    """Yield the slug of every bundle in a folder, in order; hidden folders are not ours."""
    return (slug for slug, _ in bundle.folders(root) if not slug.startswith(".") and "/." not in slug)


def look(root: Path, slug: str) -> Sight:
    """Return what a folder holds for a slug. Never raises for what is in the folder."""
    try:
        return _look(root, slug)
    except BrokenBundle as broken:
        return Sight(slug, findings=tuple(broken.findings))
    except OSError as error:
        return Sight(slug, findings=(_unread(root, slug, error),))


def _unread(root: Path, slug: str, error: OSError) -> Finding:
    folder, path = root / slug, Path(error.filename or "")
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else FACTS
    text = error.why if isinstance(error, UnfitFile) else f"cannot be read: {error.strerror}"
    return Finding(f"{slug}/{name}", 1, text, slug)


def _look(root: Path, slug: str) -> Sight:
    folder = root / slug
    if (link := _link(root, slug)) is not None:
        raise _broken(slug, link, "a link; a mirror reads and writes only what is really in it")
    marks = _marks(folder)
    if not marks:
        return Sight(slug)
    if _is_ours(interrupted(root), slug, marks):
        return Sight(slug, marks=marks, ours=True)
    if FACTS not in marks:
        raise _broken(slug, FACTS, f"{FACTS} is missing; put it back, or remove the other files too")
    _refuse_conflicts(folder, slug)
    return Sight(slug, bundle.read(folder, slug), marks=marks)


def _broken(slug: str, name: str, text: str) -> BrokenBundle:
    return BrokenBundle([Finding(f"{slug}/{name}", 1, text, slug)])


def _link(root: Path, slug: str) -> str | None:
    folder = root / slug
    if folder.parent.is_symlink() or folder.is_symlink() or (folder / EXAMPLES).is_symlink():
        return FACTS
    return next((path.relative_to(folder).as_posix() for path in _paths(folder) if path.is_symlink()), None)


def _paths(folder: Path) -> list[Path]:
    named = [folder / FACTS, *(folder / f"{lang}.md" for lang in LANGS)]
    there = [path for path in named if path.exists() or path.is_symlink()]
    return [*there, *sorted((folder / EXAMPLES).glob("*.txt"))]


def _marks(folder: Path) -> Marks:
    return {path.relative_to(folder).as_posix(): _hash(read_regular(path, LARGEST)) for path in _paths(folder)}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _refuse_conflicts(folder: Path, slug: str) -> None:
    for lang in LANGS:
        path = folder / f"{lang}.md"
        text = read_regular(path, LARGEST).decode("utf-8", "replace") if path.exists() else ""
        if _CONFLICT.search(without_code(text)):
            raise _broken(slug, path.name, "holds conflict markers of git; resolve them")


def on_disk(document: EntryDocument) -> EntryDocument:
    """Return a document as a bundle gives it back: files know no blanks around a title and no CRLF.

    Raises `BrokenBundle` when it cannot be kept as a bundle.
    """
    with tempfile.TemporaryDirectory(prefix="errdex-") as name:
        folder = Path(name) / document.slug
        bundle.write(folder, document)
        return bundle.read(folder, document.slug)


def write(root: Path, sight: Sight, document: EntryDocument | None, step: Callable[[str], None]) -> bool:
    """Make the bundle that was seen hold `document`, or none; return whether a file changed.

    Only files whose meaning differs are written, and only files of bundles are removed. What is about to be written is
    noted first, so that the next run knows the files of an interrupted one for its own; `wrote` ends that.
    Raises `Overtaken`, `OSError`.
    """
    folder = root / sight.slug
    changes = _changes(folder, sight, document)
    after = {name: _hash(content) if content is not None else None for name, content in changes.items()}
    noted = {name: [sight.marks.get(name), after.get(name, sight.marks.get(name))] for name in {*sight.marks, *after}}
    if not changes:
        return False
    for name, content in changes.items():
        if content is not None:
            disk.stage(folder / name, content)
            step("staged")
    disk.put(root / JOURNAL, json.dumps({"slug": sight.slug, "files": noted}).encode())
    step("noted")
    # This is checked as late as possible, for what somebody saves from here on is overwritten.
    if _marks(folder) != sight.marks:
        for name in changes:
            disk.drop(folder / name)
        raise Overtaken
    _place(folder, changes, step)
    return True


def _place(folder: Path, changes: Mapping[str, bytes | None], step: Callable[[str], None]) -> None:
    # Files are written before others are removed, so that the folder is never empty in between.
    for name, content in sorted(changes.items(), key=lambda item: item[1] is None):
        if content is None:
            disk.remove(folder / name)
        else:
            disk.place(folder / name)
        step("placed")
    for parent in {(folder / name).parent for name, content in changes.items() if content is not None}:
        disk.settle(parent)


def wrote(root: Path) -> None:
    """End a write: its base was moved."""
    (root / JOURNAL).unlink(missing_ok=True)


def _changes(folder: Path, sight: Sight, document: EntryDocument | None) -> dict[str, bytes | None]:
    there = _examples(folder)
    names = [name for name, _ in there]
    before = bundle.files(sight.document, names) if sight.document else {}
    wanted = bundle.files(document, example_names(document.examples, there)) if document else {}
    changes: dict[str, bytes | None] = {name: None for name in sight.marks if name not in wanted}
    for name, text in wanted.items():
        content = text.encode("utf-8")
        if before.get(name) != text and sight.marks.get(name) != _hash(content):
            changes[name] = content
    return changes


def _examples(folder: Path) -> list[tuple[str, str]]:
    paths = sorted((folder / EXAMPLES).glob("*.txt"))
    texts = (read_regular(path, LARGEST).decode("utf-8", "replace").replace("\r\n", "\n") for path in paths)
    return [(path.name, text) for path, text in zip(paths, texts, strict=True)]


def interrupted(root: Path) -> tuple[str, dict[str, list[str | None]]] | None:
    """Return slug and files of the write that was not ended, if there is one."""
    try:
        found = json.loads(read_regular(root / JOURNAL, LARGEST))
        return str(found["slug"]), dict(found["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_ours(noted: tuple[str, dict[str, list[str | None]]] | None, slug: str, marks: Marks) -> bool:
    if noted is None or noted[0] != slug or not set(marks) <= set(noted[1]):
        return False
    return all(marks.get(name) in states for name, states in noted[1].items())


def sweep(root: Path) -> None:
    """Remove the temporary files of interrupted writes."""
    for pattern in (f"*/*/.*{disk.PART}", f"*/*/{EXAMPLES}/.*{disk.PART}"):
        for path in root.glob(pattern):
            path.unlink(missing_ok=True)
