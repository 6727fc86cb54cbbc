"""The shape of a team's own names: one for the files of a folder, the database, JSON lines, the form and the API.

A row of `projects.toml`, `components.toml`, `tags.toml` or `families.toml`, as the shipped files have them.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, StringConstraints, ValidationError, model_validator

from app.content.bundle import LARGEST, Finding
from app.content.canonical import pairs
from app.content.characters import deceptive, is_visible
from app.content.schema import NAME, Part, Slug, Storable

NameKind = Literal["projects", "components", "tags", "families"]
KINDS: tuple[NameKind, ...] = get_args(NameKind)
# A team has at most so many names of each kind, and a family so many members and short names.
MOST_NAMES, MOST_MEMBERS, MOST_SHORT = 500, 20, 20
LONGEST_NAME, LONGEST_TEXT, LONGEST_LIST = 80, 300, 500
KEY = re.compile(NAME)


def _shown(text: str) -> str:
    text = text.strip()
    if not is_visible(text):
        raise ValueError("must show something")
    if any(unicodedata.category(char) == "Cc" for char in text):
        raise ValueError("holds a control character; remove it")
    if next(deceptive(text), None):
        raise ValueError("looks like something else than it is")
    return text


_ONE_LINE = r"^[^\r\n]*$"
NameText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST_NAME, pattern=_ONE_LINE),
    Storable,
    AfterValidator(_shown),
]
Sentence = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST_TEXT, pattern=_ONE_LINE),
    Storable,
    AfterValidator(_shown),
]
WordList = Annotated[str, StringConstraints(max_length=LONGEST_LIST, pattern=_ONE_LINE), Storable]
Packages = Annotated[str, StringConstraints(max_length=LONGEST_LIST, pattern=r"^[A-Za-z0-9_. -]*$")]
Tracker = Annotated[str, StringConstraints(max_length=2000, pattern=r"^(https?://[^\s<>\"]+)?$"), Storable]
Asked = Annotated[str, StringConstraints(max_length=2000), Storable]


class TwoNames(Part):
    """What something is called, in both languages."""

    en: NameText
    zh: NameText

    @property
    def said(self) -> "TwoNames":
        """What stands for the row in a list."""
        return self


class TwoTexts(Part):
    """A sentence in both languages, as markdown without blocks."""

    en: Sentence
    zh: Sentence


class ProjectRow(TwoNames):
    """A project: its names, and how a paste names it (see `content/projects.toml`)."""

    packages: Packages = ""
    words: WordList = ""
    place: Literal["own", "base", "library"] = "own"
    tracker: Tracker = ""
    asks_en: Asked = ""
    asks_zh: Asked = ""


class WordRow(TwoNames):
    """A component or a tag: its names, and the words by which a paste is about it; None: the usual ones."""

    signs: WordList | None = None


class FamilyRow(Part):
    """Entries that one message can mean: the question that tells them apart, and by slug what speaks for each."""

    question: TwoTexts
    look: dict[Slug, TwoTexts] = Field(max_length=MOST_MEMBERS)
    # what people call it by, in a line that says nothing else
    short: tuple[NameText, ...] = Field((), max_length=MOST_SHORT)

    @property
    def said(self) -> TwoTexts:
        """What stands for the row in a list: its question."""
        return self.question

    @model_validator(mode="after")
    def _tells_apart(self) -> "FamilyRow":
        if len(self.look) < 2:
            raise ValueError("a family has at least two members, each with what speaks for it in `look`")
        return self


NameRow = ProjectRow | WordRow | FamilyRow
_SHAPES: Mapping[NameKind, type[NameRow]] = {
    "projects": ProjectRow,
    "components": WordRow,
    "tags": WordRow,
    "families": FamilyRow,
}
Own = Mapping[NameKind, Mapping[str, NameRow]]


def file_name(kind: NameKind) -> str:
    """Return what the file of a kind is called in a folder."""
    return f"{kind}.toml"


def name_row(kind: NameKind, plain: object) -> NameRow:
    """Return the row of plain values. Raises `ValidationError`."""
    return _SHAPES[kind].model_validate(plain)


def row_json(kind: NameKind, text: str) -> NameRow:
    """Return the row that `canonical_row` wrote. Raises `ValidationError`."""
    return _SHAPES[kind].model_validate_json(text)


def canonical_row(row: NameRow) -> str:
    """Return a row as one line of JSON; equal rows give equal lines."""
    return row.model_dump_json(exclude_defaults=True, exclude_none=True)


def plain_row(row: NameRow) -> dict[str, Any]:
    """Return a row as JSON values, without what is empty."""
    return row.model_dump(mode="json", exclude_defaults=True, exclude_none=True)


def read_names(kind: NameKind, text: str) -> tuple[dict[str, NameRow], list[Finding]]:
    """Return the rows of a file by key, and what is wrong with it: with findings nothing of it is to be used."""
    name = file_name(kind)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        return {}, [Finding(name, line, f"not TOML: {error}")]
    rows: dict[str, NameRow] = {}
    findings = []
    for key, plain in table.items():
        line = _line_of(text, key)
        if not KEY.fullmatch(key):
            told = "a name is called by lower-case letters, digits and hyphens (at most 80)"
            findings.append(Finding(name, line, f"'{key[:100]}': {told}"))
            continue
        try:
            rows[key] = name_row(kind, plain)
        except ValidationError as error:
            findings += [Finding(name, line, f"{key}: {told}") for told in reasons(error)]
    if len(rows) > MOST_NAMES:
        findings.append(Finding(name, 1, f"{len(rows)} names; {MOST_NAMES} are the most of a kind"))
    return ({}, findings) if findings else (rows, [])


def reasons(error: ValidationError) -> Iterator[str]:
    """Yield what is wrong with a row, each with its place in it; the first few."""
    for item in error.errors(include_url=False, include_input=False, include_context=False)[:5]:
        place = ".".join(str(part) for part in item["loc"])
        yield f"{place}: {item['msg']}" if place else item["msg"]


def _line_of(text: str, key: str) -> int:
    head = re.compile(rf"\s*\[\s*[\"']?{re.escape(key)}[\"']?\s*[\].]")
    return next((number for number, line in enumerate(text.split("\n"), 1) if head.match(line)), 1)


def names_toml(kind: NameKind, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the file of a kind: plain rows in their order, each as the shipped files have it."""
    parts = []
    for key, row in rows.items():
        if kind == "families":
            head = [_table(key, {"short": row["short"]})] if row.get("short") else []
            parts += [*head, _table(f"{key}.question", row["question"]), _table(f"{key}.look", row["look"]) + "\n"]
        else:
            parts.append(_table(key, row) + "\n")
    return "\n".join(parts).rstrip("\n") + "\n"


def _table(head: str, row: Mapping[str, Any]) -> str:
    return "\n".join([f"[{head}]", *pairs(row)])


# A file of names is read up to so many bytes, as one of a bundle is.
LARGEST_FILE = LARGEST
