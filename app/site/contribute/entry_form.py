"""The form of an entry: from a document or a draft to fields, and from fields back to a document.

Every fact of an entry has a field; what was shown and comes back as it was shown is what it was, to the character.
How level its languages are has no field; it follows from what was written.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session

from app.asking.entry_draft import Draft
from app.content import translations
from app.content.bundle import Finding
from app.content.schema import NAME, WRITTEN, EntryDocument, choices
from app.errors import BadInput
from app.i18n import Lang
from app.site.contribute import new_names, text_fields
from app.site.contribute.fact_fields import TypedFacts
from app.site.contribute.form_places import FormPlace, HeldForm, place_of_field
from app.site.contribute.new_names import NewNames
from app.site.contribute.row_fields import ROW_LISTS, RowList, TypedRow, TypedRows
from app.site.contribute.text_fields import TextForm
from app.site.contribute.translation_source import Sources, translation_sources
from app.site.contribute.version_lines import VersionLines
from app.site.frame.forms import Fields

_WORD = re.compile(NAME)
# what is wrong with a form that says what the entry says already
UNCHANGED = {"form": "field.unchanged"}


@dataclass(frozen=True, slots=True)
class EntryForm:
    """All that the form holds, as typed.

    `slug` names the entry that is changed and is empty for a new one; `revision` is the one that the change was made
    from. `free` and `other_free` say that a text has headings of its own and is edited as one body. `added` is the list
    that was just given another row. `answers` is the token of the submission whose submitter was asked for changes.
    `problems` are text keys, and `held` is what the rules found, by the name of the box; `beside` is what the other
    language says in its place.
    """

    project: str = ""
    name: str = ""
    facts: TypedFacts = field(default_factory=TypedFacts.empty)
    rows: TypedRows = field(default_factory=lambda: TypedRows({}))
    versions: VersionLines = field(default_factory=VersionLines)
    own: TextForm = field(default_factory=TextForm)
    other: TextForm = field(default_factory=TextForm)
    free: bool = False
    other_free: bool = False
    submitter: str = ""
    note: str = ""
    slug: str = ""
    revision: int = 0
    added: str = ""
    answers: str = ""
    new_names: NewNames = field(default_factory=NewNames)
    problems: dict[str, str] = field(default_factory=dict)
    held: HeldForm | None = None
    beside: Sources = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Whether it is an error or a question, which decides on the sections."""
        return self.facts.chosen["kind"]

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The facts of which the form lets one word be chosen, with these words.

        A new entry is going to be published, so that its status is not asked for.
        """
        asked = dict(choices())
        if not self.slug and self.facts.chosen["status"] == asked["status"][0]:
            del asked["status"]
        return asked

    @property
    def lists(self) -> Mapping[str, RowList]:
        """What the form has rows for, by the name of the first box of a row."""
        return {rows.key: rows for rows in ROW_LISTS}

    @property
    def other_needs_look(self) -> bool:
        """Whether a field of the other language has a problem, or the rules found something there."""
        return any(place.is_other for place in self._marked)

    @property
    def problem_places(self) -> tuple[tuple[FormPlace, str], ...]:
        """Every problem of a box with its place, in the order of the form."""
        named = ((FormPlace.of(name), told) for name, told in self.problems.items() if name != "form")
        return tuple(sorted(named, key=lambda one: one[0].order))

    @property
    def _marked(self) -> tuple[FormPlace, ...]:
        held = self.held.places if self.held else ()
        told = (place for place, one in held if not one.can_wait)
        return (*(place for place, _ in self.problem_places), *told)

    def needs_look(self, keys: Sequence[str]) -> bool:
        """Tell whether one of these fields, or rows, has a problem or a finding, or was just given another row."""
        boxes = {cell.name for key in keys if key in self.lists for cell in self.lists[key].cells}.union(keys)
        return self.added in keys or any(place.box in boxes for place in self._marked)

    def marks(self, *names: str) -> bool:
        """Tell whether one of these boxes has a problem, or a finding that should not wait."""
        return any(place.name in names for place in self._marked)

    def says_rare(self, rows: RowList, row: TypedRow, number: int) -> bool:
        """Tell whether one of the boxes of a row that are folded otherwise says something, or is marked."""
        rare = [(cell, text) for cell, text in zip(rows.cells, row, strict=True) if cell.is_rare]
        names = (FormPlace(cell.name, number).name for cell, _ in rare)
        return any(text != cell.blank for cell, text in rare) or self.marks(*names)

    @property
    def is_translated(self) -> bool:
        """Whether the text is being written from the other language: it is not there yet, or was left behind."""
        return bool(self.beside) and (self.own.is_empty or any(one.is_behind for one in self.beside.values()))

    def found(self, name: str) -> tuple[Finding, ...]:
        """Return what the rules found in a box."""
        return self.held.found.get(name, ()) if self.held else ()


def other_than(lang: Lang) -> Lang:
    """Return the other language."""
    return "en" if lang == "zh" else "zh"


def from_draft(draft: Draft) -> EntryForm:
    """Return the form, half filled from a paste."""
    typed = {"signatures": draft.signatures, "examples": (draft.example,)}
    rows = {one.name: tuple(map(one.begun, typed[one.name])) for one in ROW_LISTS if one.name in typed}
    empty = TypedFacts.empty()
    told = {"components": " ".join(draft.components), "tags": " ".join(draft.tags)}
    return EntryForm(
        project=draft.project,
        name=draft.name,
        facts=replace(empty, words={**empty.words, **told}),
        rows=TypedRows(rows),
        own=TextForm(title=draft.title),
    )


def from_document(document: EntryDocument, lang: Lang, revision: int) -> EntryForm:
    """Return the form for changing an entry; the language of the page comes first."""
    own, free = text_fields.shown(document, lang)
    other, other_free = text_fields.shown(document, other_than(lang))
    project, _, name = document.slug.partition("/")
    return EntryForm(
        project=project,
        name=name,
        facts=TypedFacts.of(document),
        rows=TypedRows.of(document),
        versions=VersionLines.of(document),
        own=own,
        other=other,
        free=free,
        other_free=other_free,
        slug=document.slug,
        revision=revision,
    )


def from_fields(sent: Fields) -> EntryForm:
    """Return the form as it was sent."""
    return EntryForm(
        project=sent.one("project").lower().replace(" ", "-"),
        name=sent.one("name").lower(),
        facts=TypedFacts.sent(sent),
        rows=TypedRows.sent(sent),
        versions=VersionLines.sent(sent),
        own=text_fields.sent(sent, ""),
        other=text_fields.sent(sent, "other_"),
        free=sent.one("free") == "1",
        other_free=sent.one("other_free") == "1",
        submitter=sent.one("submitter"),
        note=sent.one("note"),
        slug=sent.one("slug"),
        answers=sent.one("answers")[:100],
        new_names=new_names.sent(sent),
        revision=sent.whole("revision"),
    )


def with_row(form: EntryForm, key: str) -> EntryForm:
    """Return the form with one more row to type into, in the list whose first box has this name."""
    named = form.new_names.with_blank(key)
    is_known = key in form.lists or named is not form.new_names
    return replace(form, rows=form.rows.with_blank(key), new_names=named, added=key if is_known else "")


def using_new_names(form: EntryForm) -> EntryForm:
    """Return the form of an entry that is in the project, and has the components and tags, that are named in it."""
    named = form.new_names
    project = form.project or next(iter(named.keys("project")), "")
    words = form.facts.with_words({"components": named.keys("components"), "tags": named.keys("tags")})
    return replace(form, project=project, facts=words)


def in_other_language(form: EntryForm) -> EntryForm:
    """Return the form for the page of the other language: each text stays in the language in which it was written.

    A title alone is what the software prints, and that is the same in both.
    """
    if form.other.is_empty and not form.own.has_body and not form.own.titles and not form.other.titles:
        return form
    return replace(form, own=form.other, other=form.own, free=form.other_free, other_free=form.free)


def with_sources(session: Session, form: EntryForm, lang: Lang, document: EntryDocument | None) -> EntryForm:
    """Return the form with the text of the other language beside; `document` is what it is written on."""
    beside = translation_sources(session, document, lang, form.other, kind=form.kind, own_is_free=form.free)
    return replace(form, beside=beside)


def to_document(form: EntryForm, lang: Lang, base: EntryDocument | None, today: date) -> EntryDocument:
    """Return the document that the form describes; what it does not show comes from `base`.

    Raises `BadInput` whose `fields` holds {field: text key}.
    """
    form = using_new_names(form)
    if problems := _problems(form, lang, base):
        raise BadInput(detail=", ".join(problems), fields=problems)
    form = replace(form, name=form.name or name_from(form.own.title or form.other.title))
    values = _values(form, lang, base)
    document = _checked(values | {"updated": today}, lang)
    if base and _checked(values | {"updated": base.updated}, lang) == base:
        raise BadInput(detail="nothing was changed", fields=dict(UNCHANGED))
    return translations.brought_along(document, base)


def name_from(title: str) -> str:
    """Return the last part of a slug for a title: its Latin letters and digits, or a number for a title without."""
    words = "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:80].strip("-")
    return words or "entry-" + hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()[:8]


def _problems(form: EntryForm, lang: Lang, base: EntryDocument | None) -> dict[str, str]:
    found: dict[str, str] = {}
    if not _WORD.fullmatch(form.project):
        found["project"] = "field.project.wrong" if form.project else "field.project.needed"
    if form.name and not _WORD.fullmatch(form.name):
        found["name"] = "field.name.wrong"
    found |= form.new_names.problems() | form.facts.problems() | form.rows.problems(base) | form.versions.problems(base)
    has_own = base is not None and text_fields.text_of(base, lang) is not None
    for typed, prefix, text_lang in ((form.own, "", lang), (form.other, "other_", other_than(lang))):
        before = text_fields.shown(base, text_lang)[0] if base else None
        # who reads one language may work on a text that is there in the other one only
        if not typed.is_empty or (not prefix and (form.other.is_empty or has_own)):
            found |= text_fields.problems(typed, prefix, before)
        if told := text_fields.titles_problem(typed, before):
            found[f"{prefix}titles"] = told
    return found


def _checked(values: dict[str, Any], lang: Lang) -> EntryDocument:
    """Return the document of these values. Raises `BadInput` that says what the schema refuses, and at which places."""
    try:
        return EntryDocument.model_validate(values, context=WRITTEN)
    except ValidationError as error:
        places = {".".join(str(part) for part in item["loc"]) or "entry": item["msg"] for item in error.errors()}
        detail = "; ".join(f"{place}: {message}" for place, message in places.items())
        # rows of a refused document count from 0, as it does, and those of the form from 1
        found = [
            place_of_field([part + 1 if isinstance(part, int) else part for part in item["loc"]], lang)
            for item in error.errors()
        ]
        wrong = {place.name: "field.here" for place in found if place}
        raise BadInput(detail=detail[:2000], fields={"form": "field.invalid"} | wrong) from error


def _values(form: EntryForm, lang: Lang, base: EntryDocument | None) -> dict[str, Any]:
    values: dict[str, Any] = {one: getattr(base, one) for one in EntryDocument.model_fields} if base else {}
    values |= form.versions.values(base) | form.facts.values(base) | form.rows.values(base)
    values["slug"] = form.slug or f"{form.project}/{form.name}"
    texts = {lang: form.own, other_than(lang): form.other}
    # in the order in which they stood, for documents that say the same are to be the same text
    order = [*(base.titles if base else ()), *texts]
    titles = {one: text_fields.titles_made(texts[one], one, base) for one in order}
    values["titles"] = {one: said for one, said in titles.items() if said is not None}
    return values | {one: text_fields.made(typed, one, form.kind, base) for one, typed in texts.items()}
