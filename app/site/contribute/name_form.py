"""The form of one of the team's names: from a row to fields, and from fields back to a row."""

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from pydantic import ValidationError

from app.content.name_rows import KEY, LONGEST_NAME, LONGEST_TEXT, MOST_MEMBERS, FamilyRow, NameKind, NameRow, name_row
from app.content.schema import SLUG
from app.errors import BadInput
from app.site.frame.forms import Fields

BLANK = ("", "", "")


@dataclass(frozen=True, slots=True)
class NameForm:
    """What was typed: the key, the name or the question in both languages, of a family its members as (slug, en, zh).

    `version` is the one that the form was made from, 0 for a new name. `problems` are {field: text key}.
    """

    key: str = ""
    en: str = ""
    zh: str = ""
    members: tuple[tuple[str, str, str], ...] = ()
    version: int = 0
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[tuple[str, str, str], ...]:
        """The members with room for two more at least, for two tell each other apart."""
        return (*self.members, *[BLANK] * max(0, 2 - len(self.members)))


def from_row(key: str, row: NameRow, version: int) -> NameForm:
    """Return the form for correcting a name."""
    look = row.look if isinstance(row, FamilyRow) else {}
    members = tuple((slug, text.en, text.zh) for slug, text in look.items())
    return NameForm(key, row.said.en, row.said.zh, members, version)


def from_fields(sent: Fields) -> NameForm:
    """Return the form as it was sent."""
    columns = [sent.all(name)[: MOST_MEMBERS + 1] for name in ("member", "member_en", "member_zh")]
    rows = zip_longest(*columns, fillvalue="")
    members = tuple((slug.strip().lower(), en.strip(), zh.strip()) for slug, en, zh in rows)
    return NameForm(
        sent.one("key").lower(),
        sent.one("en"),
        sent.one("zh"),
        members,
        sent.whole("version"),
    )


def key_from(name: str) -> str:
    """Return the key that something of this name is called by: its Latin letters and digits; empty without any."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:80].strip("-")


def to_row(kind: NameKind, form: NameForm, before: NameRow | None = None) -> tuple[str, NameRow]:
    """Return key and row of what was typed; what the form does not show stays as `before` has it.

    A name that is there in one language is the same in the other. Raises `BadInput` whose `fields` say what is wrong.
    """
    key = form.key or key_from(form.en)
    problems = {} if KEY.fullmatch(key) else {"key": "names.key-wrong"}
    longest = LONGEST_TEXT if kind == "families" else LONGEST_NAME
    problems |= two_problems(form.en, form.zh, longest)
    if kind == "families":
        problems |= _member_problems(form)
    if problems:
        raise BadInput(detail=", ".join(problems), fields=problems)
    said = both(form.en, form.zh)
    plain: dict[str, Any] = said
    if kind == "families":
        look = {slug: both(en, zh) for slug, en, zh in form.members if slug}
        short = before.short if isinstance(before, FamilyRow) else ()
        plain = {"question": said, "look": look, "short": short}
    elif before is not None:
        plain = before.model_dump() | said
    try:
        return key, name_row(kind, plain)
    except ValidationError as error:
        raise BadInput(detail=str(error)[:2000], fields={"en": "names.wrong"}) from error


def both(en: str, zh: str) -> dict[str, str]:
    """Return {language: text} of what was typed: what is there in one language is the same in the other."""
    return {"en": en or zh, "zh": zh or en}


def two_problems(en: str, zh: str, longest: int) -> dict[str, str]:
    """Return {field: text key} of what is wrong with two texts, of which one is enough."""
    if not en and not zh:
        return {"en": "names.needed"}
    return {name: "names.long" for name, text in (("en", en), ("zh", zh)) if len(text) > longest}


def _member_problems(form: NameForm) -> dict[str, str]:
    found: dict[str, str] = {}
    slugs = [slug for slug, _, _ in form.members if slug]
    for number, (slug, en, zh) in enumerate(form.members, 1):
        if not slug and (en or zh):
            found[f"member-{number}"] = "names.member-needed"
        elif slug and not SLUG.fullmatch(slug):
            found[f"member-{number}"] = "field.slug.wrong"
        elif slug and slugs.count(slug) > 1:
            found[f"member-{number}"] = "names.member-twice"
        elif slug and not (en or zh):
            found[f"member_en-{number}"] = "names.look-needed"
        elif max(len(en), len(zh)) > LONGEST_TEXT:
            found[f"member_en-{number}"] = "names.long"
    if len(slugs) > MOST_MEMBERS:
        found["members"] = "names.members-many"
    elif len(slugs) < 2:
        found["members"] = "names.members-few"
    return found
