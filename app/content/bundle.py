"""A bundle on disk to an entry document and back, in the canonical form."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from app.content.canonical import facts
from app.content.schema import SLUG, WRITTEN, EntryDocument
from app.files import UnfitFile, need_within, read_regular
from app.i18n import LANGS

FACTS = "entry.toml"
EXAMPLES = "examples"
LARGEST = 1024 * 1024


# what findings are called that speak of nothing wrong, but of what somebody can add later
NOT_YET = frozenset(
    {"language-en", "language-zh", "sections-missing", "examples", "stale", "code-language", "tag", "component"}
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a bundle: where (path relative to the content folder, line from 1) and what to do.

    `field` is the place in the document where a path and a line do not say it, such as `tags` or `signatures.2.unless`.
    `case` tells apart what a kind can mean, and `values` are what `text` says of this one: with them other languages
    can say it.
    """

    path: str
    line: int
    text: str
    slug: str = ""
    kind: str = "unreadable"
    field: str = ""
    case: str = ""
    values: Mapping[str, str | int] = dataclass_field(default_factory=dict, hash=False)

    @property
    def what(self) -> str:
        """The kind, with the case where it has several."""
        return f"{self.kind}-{self.case}" if self.case else self.kind

    @property
    def can_wait(self) -> bool:
        """Whether it only says what is not there yet: others can add that once the entry is published."""
        return self.what in NOT_YET

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


class BrokenBundle(Exception):
    """A bundle cannot be read; `findings` say why."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings


def folders(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield slug and folder of every bundle under a content folder, in the order of the slugs."""
    for path in sorted(root.glob(f"*/*/{FACTS}")):
        folder = path.parent
        yield f"{folder.parent.name}/{folder.name}", folder


def read(folder: Path, slug: str) -> EntryDocument:
    """Return the document of a bundle. Raises `BrokenBundle` with every reason that can be told at once."""
    if not SLUG.fullmatch(slug):
        text = "folder names must be lower-case letters, digits and hyphens (at most 80), for example verl/ray-timeline"
        raise BrokenBundle([Finding(f"{slug}/{FACTS}", 1, text, slug)])
    findings: list[Finding] = []
    facts_text = _text(folder, folder / FACTS, slug, findings)
    texts = {
        lang: _text(folder, folder / f"{lang}.md", slug, findings) for lang in LANGS if _is_there(folder / f"{lang}.md")
    }
    examples = [_text(folder, path, slug, findings) for path in sorted((folder / EXAMPLES).glob("*.txt"))]
    plain = _toml(facts_text, slug, findings)
    for lang, text in texts.items():
        title, body = split(text)
        if title:
            plain[lang] = {"title": title, "body": body}
        else:
            findings.append(Finding(f"{slug}/{lang}.md", 1, "the first line must be '# ' and the title", slug))
    if findings:
        raise BrokenBundle(findings)
    try:
        return EntryDocument.model_validate(plain | {"slug": slug, "examples": examples}, context=WRITTEN)
    except ValidationError as error:
        raise BrokenBundle([_located(item, facts_text, slug) for item in error.errors()]) from error  # type: ignore[arg-type]


def _is_there(path: Path) -> bool:
    # A link that leads nowhere counts as there, so that it is reported and not taken for a missing language.
    return path.exists() or path.is_symlink()


def text_of(path: Path) -> str:
    """Return the text of a file of a bundle, with Unix lines. Raises `UnfitFile`, `OSError`, `UnicodeDecodeError`."""
    return read_regular(path, LARGEST).decode("utf-8").replace("\r\n", "\n")


def _text(folder: Path, path: Path, slug: str, findings: list[Finding]) -> str:
    name = f"{slug}/{path.relative_to(folder).as_posix()}"
    try:
        need_within(path, folder.parent.parent)
        return text_of(path)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        findings.append(Finding(name, line, "not UTF-8; save the file as UTF-8", slug))
    except UnfitFile as error:
        findings.append(Finding(name, 1, error.why, slug))
    except OSError as error:
        findings.append(Finding(name, 1, f"cannot be read: {error.strerror}", slug))
    return ""


def _toml(text: str, slug: str, findings: list[Finding]) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = int(str(error).rpartition("line ")[2].partition(",")[0] or 1) if "line " in str(error) else 1
        findings.append(Finding(f"{slug}/{FACTS}", line, f"not TOML: {error}", slug))
        return {}


def _located(item: dict[str, Any], facts: str, slug: str) -> Finding:
    place = [str(part) for part in item["loc"]]
    if place[:1] and place[0] in LANGS:
        return Finding(f"{slug}/{place[0]}.md", 1, f"{'.'.join(place[1:])}: {item['msg']}", slug)
    line = _line_of(facts, item["loc"])
    return Finding(f"{slug}/{FACTS}", line, f"{'.'.join(place) or 'entry'}: {item['msg']}", slug)


def _line_of(text: str, place: tuple[str | int, ...]) -> int:
    """Return the line of a TOML text on which a key stands: the n-th table of that name, then the key in it."""
    keys = [part for part in place if isinstance(part, str)]
    counts = [part for part in place if isinstance(part, int)]
    lines = text.splitlines()
    start = 0
    if keys and counts:
        tables = [at for at, line in enumerate(lines) if line.strip() in (f"[[{keys[0]}]]", f"[{keys[0]}]")]
        start = tables[counts[0]] if counts[0] < len(tables) else 0
    wanted = keys[-1] if keys else ""
    for at in range(start, len(lines)):
        if lines[at].split("=")[0].strip() == wanted:
            return at + 1
    return start + 1


def split(text: str) -> tuple[str, str]:
    """Return title and body of a markdown text; the title is empty when the first line is not a `# ` heading."""
    first, _, rest = text.lstrip("\ufeff\n").partition("\n")
    if not first.startswith("# ") or not first[2:].strip():
        return "", text
    return first[2:].strip(), rest.strip("\n")


def files(document: EntryDocument, names: list[str] | None = None) -> dict[str, str]:
    """Return the files of the canonical bundle of a document as {path within the bundle: text}.

    `names` are the file names of the examples, in order; without them they are numbered.
    """
    found = {FACTS: facts(document)}
    for lang in LANGS:
        text = document.en if lang == "en" else document.zh
        if text is not None:
            found[f"{lang}.md"] = f"# {text.title}\n\n{text.body}\n" if text.body else f"# {text.title}\n"
    width = max(2, len(str(len(document.examples))))
    for number, example in enumerate(document.examples):
        name = names[number] if names and number < len(names) else f"{number + 1:0{width}d}.txt"
        found[f"{EXAMPLES}/{name}"] = example
    return found


def example_names(folder: Path) -> list[str]:
    """Return the names of a bundle's example files in the order in which `read` takes them."""
    return [path.name for path in sorted((folder / EXAMPLES).glob("*.txt"))]


def write(folder: Path, document: EntryDocument) -> None:
    """Write the canonical bundle of a document into a folder, which is made. Raises `OSError`."""
    for name, text in files(document).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
