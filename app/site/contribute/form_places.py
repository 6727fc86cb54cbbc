"""Places of a form, by the name of a box: where a part of a document, or a finding in it, stands."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.content.bundle import Finding
from app.content.headings import SECTIONS
from app.content.outline import markdown, outline
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.site.contribute.row_fields import ROW_LISTS
from app.site.contribute.text_fields import shown

OTHER = "other_"
_NAME = re.compile(rf"({OTHER})?(\w+?)(?:-(\d+))?")
_TEXT_FILE = re.compile(r"(en|zh)\.md")
_EXAMPLE_FILE = re.compile(r"examples/(\d+)\.txt")
_CELLS = {cell.name for rows in ROW_LISTS for cell in rows.cells}
# the boxes in the order in which the form shows them, the texts of the other language behind the first ones
_TEXTS = ("title", "symptom", "cause", "fix", "check", "body", "titles")
_FACTS = ("name", *(cell.name for rows in ROW_LISTS[:2] for cell in rows.cells))
_NAMED = ("components", "new_components", "tags", "new_tags")
_FOLDED = (*_NAMED, "affects", "fixed", "fails", "works", "also", "related", "former")
_ORDER = ("title", "project", "new_project", *_TEXTS[1:], *(OTHER + box for box in _TEXTS), *_FACTS, *_FOLDED)


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A box of the form: its name without prefix, the number of its row from 1, and whether it is of the other
    language.
    """

    box: str
    number: int = 1
    is_other: bool = False

    @classmethod
    def of(cls, name: str) -> "FormPlace":
        """Return the place of a name such as `other_title` or `signature-3`."""
        found = _NAME.fullmatch(name)
        return cls(found[2], int(found[3] or 1), bool(found[1])) if found else cls(name)

    @property
    def order(self) -> tuple[int, int]:
        """What places are sorted by, to stand as they do in the form."""
        prefixed = f"{OTHER if self.is_other else ''}{self.box}"
        return _ORDER.index(prefixed) if prefixed in _ORDER else len(_ORDER), self.number

    @property
    def name(self) -> str:
        """The name by which problems and findings of the box are kept, and its id ends."""
        return f"{OTHER if self.is_other else ''}{self.box}{f'-{self.number}' if self.number > 1 else ''}"


def place_of_field(parts: Sequence[str | int], lang: Lang) -> FormPlace | None:
    """Return the place of a field of a document, such as `("signatures", 2, "unless")`; rows count from 1.

    None for a field that no box shows.
    """
    name, *rest = map(str, parts)
    if name in ("en", "zh"):
        return FormPlace(rest[0] if rest else "title", is_other=name != lang)
    if name == "titles":
        return FormPlace("titles", is_other=bool(rest) and rest[0] != lang)
    for rows in ROW_LISTS:
        if rows.name == name:
            number = int(rest[0]) if rest and rest[0].isdecimal() else 1
            box = f"{rows.key}_{rest[1]}" if len(rest) > 1 else rows.key
            return FormPlace(box if box in _CELLS else rows.key, number)
    if name == "pairs":
        return FormPlace("works")
    return FormPlace(name) if name in _FOLDED else None


def place_of_finding(finding: Finding, document: EntryDocument, lang: Lang) -> FormPlace:
    """Return where a finding in a document stands in its form on a page in `lang`."""
    if finding.field and (place := place_of_field(finding.field.split("."), lang)):
        return place
    file = finding.path.removeprefix(f"{document.slug}/")
    if found := _EXAMPLE_FILE.fullmatch(file):
        return FormPlace("example", int(found[1]))
    if found := _TEXT_FILE.fullmatch(file):
        text_lang: Lang = "en" if found[1] == "en" else "zh"
        return FormPlace(_box_of_line(finding, document, text_lang), is_other=text_lang != lang)
    return FormPlace("title")


def _box_of_line(finding: Finding, document: EntryDocument, lang: Lang) -> str:
    sections = {section.heading(lang): section.name for section in SECTIONS}
    is_free = shown(document, lang)[1]
    if finding.what == "sections-missing" and not is_free:
        return sections.get(str(finding.values["heading"]), "title")
    above = [one for one in outline(markdown(document, lang) or "").headings if one.line <= finding.line]
    box = next((sections.get(one.text, "") for one in reversed(above) if one.level == 2), "")
    if not box and (finding.line == 1 or not above):
        return "title"
    return "body" if is_free or not box else box


@dataclass(frozen=True, slots=True)
class HeldForm:
    """What the rules found in the entry of a form, by the name of the box; `is_whole` says whether all was checked."""

    found: Mapping[str, tuple[Finding, ...]]
    is_whole: bool

    @property
    def places(self) -> tuple[tuple[FormPlace, Finding], ...]:
        """Every finding with its place, in the order of the places."""
        named = ((FormPlace.of(name), one) for name, found in self.found.items() for one in found)
        return tuple(sorted(named, key=lambda one: one[0].order))


def held_form(
    findings: Sequence[Finding],
    document: EntryDocument,
    lang: Lang,
    numbers: Mapping[str, Sequence[int]],
    *,
    is_whole: bool,
) -> HeldForm:
    """Return findings by the boxes that they speak of.

    `numbers` are those of the filled rows by the name of their first box, for a form may have blank ones between them.
    """
    found: dict[str, tuple[Finding, ...]] = {}
    for finding in findings:
        place = place_of_finding(finding, document, lang)
        filled = next((rows for key, rows in numbers.items() if place.box.partition("_")[0] == key), ())
        if 0 < place.number <= len(filled):
            place = FormPlace(place.box, filled[place.number - 1], place.is_other)
        found[place.name] = (*found.get(place.name, ()), finding)
    return HeldForm(found, is_whole)
