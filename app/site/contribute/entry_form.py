"""The form of an entry: from a document or a draft to fields, and from fields back to a document.

What the form does not show (sources, tags, frames, …) is taken from the document that is changed.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Any

from pydantic import ValidationError

from app.asking.entry_draft import Draft
from app.content.characters import is_visible
from app.content.schema import NAME, WRITTEN, EntryDocument, Signature, Text, choices
from app.errors import BadInput
from app.i18n import Lang
from app.site.contribute import sections
from app.site.contribute.version_lines import VersionLines
from app.site.frame.forms import Fields

LONGEST_TITLE = 500
LONGEST_SECTION = 50_000
LONGEST_EXAMPLE = 200_000
PATTERN_LENGTHS = range(3, 2001)
_WORD = re.compile(NAME)


@dataclass(frozen=True, slots=True)
class TextForm:
    """The fields of one language: sections, or one `body` for a text that has other headings."""

    title: str = ""
    symptom: str = ""
    cause: str = ""
    fix: str = ""
    check: str = ""
    body: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not any(getattr(self, one.name) for one in fields(self))

    @property
    def has_body(self) -> bool:
        """Whether there is anything below the title."""
        return any(getattr(self, one.name) for one in fields(self) if one.name != "title")


@dataclass(frozen=True, slots=True)
class EntryForm:
    """All that the form holds, as typed.

    `slug` names the entry that is changed and is empty for a new one; `revision` is the one that the change was made
    from. `free` and `other_free` say that a text has headings of its own and is edited as one body.
    """

    project: str = ""
    name: str = ""
    patterns: str = ""
    versions: VersionLines = field(default_factory=VersionLines)
    own: TextForm = TextForm()
    other: TextForm = TextForm()
    free: bool = False
    other_free: bool = False
    examples: tuple[str, ...] = ("",)
    submitter: str = ""
    note: str = ""
    slug: str = ""
    revision: int = 0
    problems: dict[str, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=lambda: {name: words[0] for name, words in choices().items()})

    @property
    def kind(self) -> str:
        """Whether it is an error or a question, which decides on the sections."""
        return self.facts["kind"]

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The facts of which the form lets one word be chosen, with these words."""
        return choices()


def other_than(lang: Lang) -> Lang:
    """Return the other language."""
    return "en" if lang == "zh" else "zh"


def from_draft(draft: Draft) -> EntryForm:
    """Return the form, half filled from a paste."""
    return EntryForm(
        project=draft.project,
        name=draft.name,
        patterns="\n".join(draft.signatures),
        own=TextForm(title=draft.title),
        examples=(draft.example,),
    )


def from_document(document: EntryDocument, lang: Lang, revision: int) -> EntryForm:
    """Return the form for changing an entry; the language of the page comes first."""
    own, free = _text_form(document, lang)
    other, other_free = _text_form(document, other_than(lang))
    project, _, name = document.slug.partition("/")
    return EntryForm(
        project=project,
        name=name,
        facts={name: getattr(document, name) or "" for name in choices()},
        patterns="\n".join(one.pattern for one in document.signatures if one.pattern and _is_shown(one)),
        versions=VersionLines.of(document),
        own=own,
        other=other,
        free=free,
        other_free=other_free,
        examples=(*(_normal(example) for example in document.examples), ""),
        slug=document.slug,
        revision=revision,
    )


def from_fields(sent: Fields) -> EntryForm:
    """Return the form as it was sent."""
    revision = sent.one("revision")
    return EntryForm(
        project=sent.one("project").lower().replace(" ", "-"),
        name=sent.one("name").lower(),
        facts={name: _chosen(sent.one(name), words) for name, words in choices().items()},
        patterns="\n".join(_lines(sent.one("patterns"))),
        versions=VersionLines.sent(sent),
        own=_sent_text(sent, ""),
        other=_sent_text(sent, "other_"),
        free=sent.one("free") == "1",
        other_free=sent.one("other_free") == "1",
        examples=tuple(_normal(example) for example in sent.all("example")) or ("",),
        submitter=sent.one("submitter"),
        note=sent.one("note"),
        slug=sent.one("slug"),
        revision=int(revision) if revision.isdecimal() and len(revision) < 10 else 0,
    )


def in_other_language(form: EntryForm) -> EntryForm:
    """Return the form for the page of the other language: each text stays in the language in which it was written.

    A title alone is what the software prints, and that is the same in both.
    """
    if form.other.is_empty and not form.own.has_body:
        return form
    return replace(form, own=form.other, other=form.own, free=form.other_free, other_free=form.free)


def to_document(form: EntryForm, lang: Lang, base: EntryDocument | None, today: date) -> EntryDocument:
    """Return the document that the form describes; what it does not show comes from `base`.

    Raises `BadInput` whose `fields` holds {field: text key}.
    """
    problems = _problems(form, own_needed=form.other.is_empty or (base is not None and _of(base, lang) is not None))
    if problems:
        raise BadInput(detail=", ".join(problems), fields=problems)
    form = replace(form, name=form.name or name_from(form.own.title or form.other.title))
    values = _values(form, lang, base)
    document = _checked(values | {"updated": today})
    if base and _checked(values | {"updated": base.updated}) == base:
        raise BadInput(detail="nothing was changed", fields={"form": "field.unchanged"})
    return document


def name_from(title: str) -> str:
    """Return the last part of a slug for a title: its Latin letters and digits, or a number for a title without."""
    words = "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:80].strip("-")
    return words or "entry-" + hashlib.sha256(title.encode("utf-8", "replace")).hexdigest()[:8]


def _of(document: EntryDocument, lang: Lang) -> Text | None:
    return document.zh if lang == "zh" else document.en


def _problems(form: EntryForm, *, own_needed: bool) -> dict[str, str]:
    found: dict[str, str] = {}
    if not _WORD.fullmatch(form.project):
        found["project"] = "field.project.wrong" if form.project else "field.project.needed"
    if form.name and not _WORD.fullmatch(form.name):
        found["name"] = "field.name.wrong"
    if any(len(pattern) not in PATTERN_LENGTHS for pattern in form.patterns.split("\n") if pattern):
        found["patterns"] = "field.patterns.wrong"
    if any(len(example) > LONGEST_EXAMPLE for example in form.examples):
        found["example"] = "field.example.long"
    found |= form.versions.problems()
    # Somebody who reads one language may work on an entry that has a text in the other one only.
    if own_needed or not form.own.is_empty:
        found |= _text_problems(form.own, "")
    if not form.other.is_empty:
        found |= _text_problems(form.other, "other_")
    return found


def _text_problems(text: TextForm, prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if not text.title:
        found[f"{prefix}title"] = "field.title.needed"
    elif not is_visible(text.title):
        found[f"{prefix}title"] = "field.title.invisible"
    elif len(text.title) > LONGEST_TITLE:
        found[f"{prefix}title"] = "field.title.long"
    if not text.has_body:
        found[f"{prefix}symptom"] = "field.text.needed"
    for name in (*sections.names(), "body"):
        if len(getattr(text, name)) > LONGEST_SECTION:
            found[f"{prefix}{name}"] = "field.text.long"
        elif getattr(text, name) and not is_visible(getattr(text, name)):
            found[f"{prefix}{name}"] = "field.text.invisible"
    return found


def _checked(values: dict[str, Any]) -> EntryDocument:
    """Return the document of these values. Raises `BadInput` that says what the schema refuses, and at which places."""
    try:
        return EntryDocument.model_validate(values, context=WRITTEN)
    except ValidationError as error:
        places = {".".join(str(part) for part in item["loc"]) or "entry": item["msg"] for item in error.errors()}
        detail = "; ".join(f"{place}: {message}" for place, message in places.items())
        raise BadInput(detail=detail[:2000], fields={"form": "field.invalid"}) from error


def _values(form: EntryForm, lang: Lang, base: EntryDocument | None) -> dict[str, Any]:
    values: dict[str, Any] = {one: getattr(base, one) for one in EntryDocument.model_fields} if base else {}
    other = other_than(lang)
    values |= form.versions.values(base)
    values |= {
        "slug": form.slug or f"{form.project}/{form.name}",
        **{name: word or None for name, word in form.facts.items()},
        "signatures": _signatures(form.patterns, base.signatures if base else ()),
        "examples": _examples(form.examples, base.examples if base else ()),
        lang: None if form.own.is_empty else _text(form.own, lang, form, base),
        other: None if form.other.is_empty else _text(form.other, other, form, base),
    }
    return values


def _signatures(patterns: str, before: tuple[Signature, ...]) -> tuple[Signature, ...]:
    typed = _lines(patterns)
    kept = [one for one in before if not _is_shown(one) or one.pattern in typed]
    known = {one.pattern for one in kept}
    return (*kept, *(Signature(pattern=pattern) for pattern in dict.fromkeys(typed) if pattern not in known))


def _is_shown(signature: Signature) -> bool:
    pattern = signature.pattern
    return pattern is not None and _lines(pattern) == [pattern]


def _examples(typed: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    exact = {_normal(example): example for example in before}
    return tuple(exact.get(example, example) for example in dict.fromkeys(typed) if example.strip())


def _text(typed: TextForm, lang: Lang, form: EntryForm, base: EntryDocument | None) -> Text | None:
    before = _of(base, lang) if base else None
    body = typed.body if typed.body else sections.join(_parts(typed), lang, form.kind)
    if before and _same_body(typed, before, lang, form.kind):
        body = before.body
    return Text(title=" ".join(typed.title.split()), body=body)


def _same_body(typed: TextForm, before: Text, lang: Lang, kind: str) -> bool:
    if typed.body:
        return typed.body == _normal(before.body).strip()
    return sections.split(before.body, lang, kind) == _parts(typed)


def _parts(typed: TextForm) -> dict[str, str]:
    return {name: getattr(typed, name) for name in sections.names()}


def _text_form(document: EntryDocument, lang: Lang) -> tuple[TextForm, bool]:
    text = _of(document, lang)
    if text is None:
        return TextForm(), False
    parts = sections.split(text.body, lang, document.kind)
    if parts is None:
        return TextForm(title=text.title, body=_normal(text.body).strip()), True
    return TextForm(title=text.title, **parts), False


def _chosen(word: str, words: tuple[str, ...]) -> str:
    return word if word in words else words[0]


def _sent_text(sent: Fields, prefix: str) -> TextForm:
    return TextForm(**{one.name: sent.one(prefix + one.name) for one in fields(TextForm)})


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
