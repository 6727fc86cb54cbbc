"""The shape of an entry, one for TOML, JSONL and the API.

`errdex schema` writes it as JSON Schema to `docs/entry.schema.json`; a test compares the two.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from app.content.characters import INVISIBLE, is_visible
from app.content.outline import outline, sections
from app.content.version_ranges import LONGEST_RANGE, RANGE_PATTERN, is_range
from app.i18n import LANGS, Lang
from app.matching.model import FRAME_MARK

NAME = r"[a-z0-9][a-z0-9-]{0,79}"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
SLUG = re.compile(rf"{NAME}/{NAME}")
PACKAGE = r"^[a-z0-9]+(-[a-z0-9]+)*$"
RELEASE = r"^[0-9]+(\.[0-9]+){0,5}((a|b|rc)[0-9]+)?(\.post[0-9]+)?$"
# An entry has at most so many rows of `fixed`, rows of `pairs`, and versions in a pair.
MOST_ROWS = 20


# With this context a text that somebody writes is held to showing something. A stored one is not, for a page that lists
# it must not fail.
WRITTEN = {"written": True}


def _can_be_stored(text: str) -> str:
    if _UNSTORABLE.search(text):
        raise ValueError("holds a NUL character or half of a surrogate pair; remove it")
    return text


# It is the last constraint of every text whose pattern does not rule out these characters. A check of all fields of a
# model would be called for flags and names, too, and take a tenth of the time of an import.
Storable = AfterValidator(_can_be_stored)
# Half of a surrogate pair is no character, and what JSON Schema says of texts is said of characters.
_STORABLE = r"[^\u0000]"
ANY_TEXT: dict[str, Any] = {"pattern": f"^{_STORABLE}*$"}
Plain = Annotated[str, Storable, Field(json_schema_extra=ANY_TEXT)]
Slug = Annotated[str, StringConstraints(pattern=rf"^{NAME}/{NAME}$")]
Word = Annotated[str, StringConstraints(pattern=rf"^{NAME}$")]


def _shows_something(text: str, info: ValidationInfo) -> str:
    if info.context == WRITTEN and not is_visible(text):
        raise ValueError("must not be blank; all its characters are invisible")
    return text


def _shown(inside: str, or_else: str = "") -> dict[str, Any]:
    """Return the JSON Schema of texts of the characters `inside`, among them a visible one, or which are `or_else`."""
    pattern = f"^{inside}*[^{INVISIBLE}]{inside}*$"
    return {"pattern": f"{or_else}|{pattern}" if or_else else pattern}


Line = Annotated[
    str,
    StringConstraints(min_length=1, max_length=500, pattern=r"^[^\r\n]*$"),
    Storable,
    AfterValidator(_shows_something),
    Field(json_schema_extra=_shown(r"[^\u0000\r\n]")),
]


def _range(text: str) -> str:
    if not is_range(text):
        raise ValueError(f"{text[:80]!r} is not a PEP 440 range such as '>=0.7,<0.9'")
    return text


# Versions belong to a package, which has its normalised name on PyPI, or to one of python, cuda, driver, nccl and cann.
Package = Annotated[str, StringConstraints(pattern=PACKAGE, max_length=80)]
Versions = Annotated[
    str,
    StringConstraints(max_length=LONGEST_RANGE),
    AfterValidator(_range),
    Field(json_schema_extra={"pattern": RANGE_PATTERN}),
]


def _trimmed(text: str) -> str:
    if not (trimmed := text.strip()):
        raise ValueError("must not be blank")
    return trimmed


def _unix_lines(text: str) -> str:
    # The file of a bundle cannot hold these line ends, so they are not kept in memory either, and both are always
    # equal.
    return re.sub(r"\r+\n", "\n", text)


def _body(text: str) -> str:
    return _unix_lines(text).replace("\r", "\n").strip("\n")


def _none_of(*names: str) -> dict[str, Any]:
    """Return the JSON Schema of objects in which none of these is there and not null; validators below say the same.

    What must not be is said of a shape by `not`: beside `anyOf` or `oneOf` makers of clients overlook the properties.
    """
    return {"properties": {name: {"type": "null"} for name in names}}


def _says_names_apart(schema: dict[str, Any]) -> None:
    """Say of the names of an object by `propertyNames` what Pydantic says by `patternProperties`.

    Beside those, JSON Schema takes any other name, too, and makers of clients overlook them.
    """
    ((pattern, values),) = schema.pop("patternProperties").items()
    schema["propertyNames"] = schema.get("propertyNames", {}) | {"pattern": pattern}
    schema["additionalProperties"] = values


def _all_of(*names: str) -> dict[str, Any]:
    """Return the JSON Schema of objects in which each of these is there and not null."""
    return {"required": list(names), "properties": {name: {"not": {"type": "null"}} for name in names}}


def _shows_its_sections(text: str, info: ValidationInfo) -> str:
    if info.context != WRITTEN or not text:
        return text
    if not is_visible(text):
        raise ValueError("all its characters are invisible; write something, or nothing")
    for heading in outline(text).headings:
        if heading.text and not is_visible(heading.text):
            raise ValueError(f"line {heading.line} is a heading of invisible characters only; name the section")
    for heading, below in sections(text):
        if below and not is_visible(below):
            raise ValueError(f"the section '{heading.text}' holds invisible characters only; write it, or leave it out")
    return text


class Part(BaseModel):
    """Base of all parts of an entry: immutable, and unknown keys are an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# The controls are said beside `\s` because not every dialect of regular expressions counts the same of them as spaces.
_NO_SPACE = r"\s\u0000-\u0020\u0085\ufeff"
FRAME = rf"[^{_NO_SPACE}:]+:[^{_NO_SPACE}:]+"
ADDRESS = rf'https?://[^{_NO_SPACE}<>"]+'


def _pattern_or_frame(text: str) -> str:
    if text.startswith(FRAME_MARK) and not re.fullmatch(FRAME_MARK + FRAME, text):
        raise ValueError(f"{text!r} is not a frame; write frame:FILE:FUNCTION, such as frame:csv.py:header")
    return text


Exclusion = Annotated[
    str,
    StringConstraints(min_length=3, max_length=2000),
    Storable,
    AfterValidator(_pattern_or_frame),
    Field(
        json_schema_extra={"anyOf": [{"pattern": rf"^{FRAME_MARK}{FRAME}$"}, {"not": {"pattern": f"^{FRAME_MARK}"}}]}
        | ANY_TEXT
    ),
]


class Signature(Part):
    """What identifies the error: a message `pattern` with `<*>` holes, or a stack `frame` as `path/tail.py:function`.

    A weak one supports an answer and does not carry one. An unconfirmed one stands in the source document, and no
    release was found that prints it: pasted whole, it makes its entry likely, never sure. One whose failure also shows
    what stands in `unless`, a pattern or a frame written `frame:FILE:FUNCTION`, does not count.
    """

    model_config = ConfigDict(
        json_schema_extra={"not": {"anyOf": [_none_of("pattern", "frame"), _all_of("pattern", "frame")]}}
    )

    pattern: Annotated[Plain, StringConstraints(min_length=3, max_length=2000)] | None = None
    frame: Annotated[str, StringConstraints(pattern=rf"^{FRAME}$", max_length=300), Storable] | None = None
    weak: StrictBool = False
    unconfirmed: StrictBool = False
    unless: Annotated[tuple[Exclusion, ...], Field(max_length=10)] = ()

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.pattern is None) == (self.frame is None):
            raise ValueError("a signature has either a pattern or a frame")
        return self


class Source(Part):
    """Where the facts of the entry come from."""

    title: Line
    url: Annotated[str, StringConstraints(pattern=f"^{ADDRESS}$", max_length=2000), Storable]
    license: Annotated[Plain, StringConstraints(max_length=80)] = ""


class Text(Part):
    """What a person reads, in one language: a title and a markdown body with `##` sections."""

    title: Annotated[Line, AfterValidator(_trimmed)]
    body: Annotated[
        str,
        StringConstraints(max_length=200_000),
        Storable,
        AfterValidator(_body),
        AfterValidator(_shows_its_sections),
        Field(
            description="No section and no heading of it is of invisible characters only.",
            json_schema_extra=_shown(_STORABLE, or_else=r"^[\r\n]*$"),
        ),
    ]


class FixedRelease(Part):
    """The first release of a line of releases that is without the problem, and where one can read that."""

    package: Package
    release: Annotated[str, StringConstraints(pattern=RELEASE, max_length=60)]
    url: Annotated[str, StringConstraints(pattern=f"^({ADDRESS})?$", max_length=2000), Storable] = ""


class VersionPair(Part):
    """Versions that do or do not work together: it speaks of an installation that has all of them."""

    works: StrictBool
    versions: Annotated[
        dict[Package, Versions], Field(min_length=2, max_length=MOST_ROWS, json_schema_extra=_says_names_apart)
    ]


class Actions(Part):
    """What another tool may do with the answer."""

    retryable: StrictBool | None = None
    needs: Literal["human"] | None = None


def calendar_day(value: object) -> object:
    """Return a day, or a text that is written as one. Raises `ValueError` for anything else."""
    # Pydantic would also take seconds since 1970 and moments, which the JSON Schema of a date does not allow.
    if not isinstance(value, date) and not (isinstance(value, str) and _DAY.fullmatch(value)):
        raise ValueError("must be a day such as 2026-11-20")
    return value


def digest_of(canonical: str) -> str:
    """Return the SHA-256 of a canonical document, in hexadecimal."""
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


class EntryDocument(Part):
    """One problem and its answer."""

    model_config = ConfigDict(json_schema_extra={"not": _none_of(*LANGS)})

    slug: Slug
    kind: Literal["error", "question"] = "error"
    status: Literal["published", "withdrawn"] = "published"
    components: tuple[Word, ...] = ()
    tags: tuple[Word, ...] = ()
    updated: Annotated[date, BeforeValidator(calendar_day)]
    also: tuple[Slug, ...] = ()
    former: tuple[Slug, ...] = ()
    related: tuple[Slug, ...] = ()
    titles: dict[Lang, tuple[Line, ...]] = Field(default_factory=dict)
    signatures: tuple[Signature, ...] = ()
    affects: Annotated[dict[Plain, Versions], Field(json_schema_extra=_says_names_apart)] = Field(default_factory=dict)
    fixed: Annotated[tuple[FixedRelease, ...], Field(max_length=MOST_ROWS)] = ()
    pairs: Annotated[tuple[VersionPair, ...], Field(max_length=MOST_ROWS)] = ()
    actions: Actions | None = None
    sources: tuple[Source, ...] = ()
    level: dict[Lang, Annotated[dict[Plain, Plain], Field(json_schema_extra=_says_names_apart)]] = Field(
        default_factory=dict
    )
    en: Text | None = None
    zh: Text | None = None
    examples: tuple[Annotated[Plain, AfterValidator(_unix_lines)], ...] = ()

    @model_validator(mode="after")
    def _has_a_text(self) -> Self:
        if self.en is None and self.zh is None:
            raise ValueError("an entry needs a text in at least one language (en or zh)")
        return self

    @property
    def project(self) -> str:
        """The part of the slug before the slash."""
        return self.slug.partition("/")[0]

    def text(self, lang: str) -> tuple[Lang, Text]:
        """Return the text in `lang`, or in the other language when it has none, with the language it is in."""
        first: tuple[Lang, Lang] = ("zh", "en") if lang == "zh" else ("en", "zh")
        for name in first:
            if (text := self.en if name == "en" else self.zh) is not None:
                return name, text
        raise AssertionError("the schema guarantees a text")

    def plain(self) -> dict[str, Any]:
        """Return the document as JSON values, without what is empty or default, in the order of the schema."""
        return self.model_dump(mode="json", exclude_defaults=True, exclude_none=True)

    def canonical(self) -> str:
        """Return the document as one line of JSON; equal documents give equal lines."""
        return self.model_dump_json(exclude_defaults=True, exclude_none=True)

    def digest(self) -> str:
        """Return the SHA-256 of the canonical form, in hexadecimal."""
        return digest_of(self.canonical())


@cache
def choices() -> Mapping[str, tuple[str, ...]]:
    """Return the facts that are one of a few words, with these words, as the form offers them; those of `Actions` too.

    The first one is chosen until somebody chooses: the default, or "" for a fact that may be left out. Whether
    something is so is "yes" or "no".
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, field in {**EntryDocument.model_fields, **Actions.model_fields}.items():
        kinds = (
            get_args(field.annotation) if get_origin(field.annotation) in (Union, UnionType) else (field.annotation,)
        )
        words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
        if any(kind is bool or (get_origin(kind) is Annotated and get_args(kind)[0] is bool) for kind in kinds):
            words += ["yes", "no"]
        if words:
            found[name] = tuple(dict.fromkeys((field.default or "", *words)))
    return found
