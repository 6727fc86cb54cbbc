"""Names that the form of an entry proposes: a new project, new components and new tags, in both languages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Literal

from pydantic import ValidationError
from sqlmodel import Session

from app.content.name_rows import KEY, LONGEST_NAME, NameKind, name_row
from app.content.names import SHIPPED
from app.content.schema import EntryDocument
from app.site.contribute.name_form import both, key_from, two_problems
from app.site.frame.forms import Fields
from app.store.team_names import Suggested
from app.wiki import names

# The fact of an entry for which there are boxes, by the field of the form, with the kind of its names.
Named = Literal["project", "components", "tags"]
NAMED: Mapping[Named, NameKind] = {"project": "projects", "components": "components", "tags": "tags"}
MOST_ROWS = 5
# key, English name, Chinese name
NameTyped = tuple[str, str, str]
BLANK: NameTyped = ("", "", "")


@dataclass(frozen=True, slots=True)
class NewNames:
    """What was typed, as {field: its rows}; the key of a project stands in the field of the project itself."""

    of_field: Mapping[Named, tuple[NameTyped, ...]] = field(default_factory=dict)

    def rows(self, named: Named) -> tuple[NameTyped, ...]:
        """Return the rows of a field as the form shows them: at least one to type into."""
        return self.of_field.get(named) or (BLANK,)

    def filled(self, named: Named) -> tuple[tuple[int, str, str, str], ...]:
        """Return number, key and names of the rows in which something was typed."""
        rows = enumerate(self.of_field.get(named, ()), 1)
        return tuple((number, _key(row), row[1], row[2]) for number, row in rows if any(row))

    def keys(self, named: Named) -> list[str]:
        """Return the keys that are named here."""
        return [key for _, key, _, _ in self.filled(named) if KEY.fullmatch(key)]

    def with_blank(self, add: str) -> "NewNames":
        """Return it with one more row to type into, where `add` is that of a field: `new_` and its name."""
        found = next((named for named in NAMED if add == f"new_{named}"), None)
        if found is None or not self.has_room(found):
            return self
        return replace(self, of_field={**self.of_field, found: (*self.rows(found), BLANK)})

    def has_room(self, named: Named) -> bool:
        """Tell whether a field can have one more row; a project is one."""
        return named != "project" and len(self.rows(named)) < MOST_ROWS

    def problems(self) -> dict[str, str]:
        """Return {field and number of the row: text key} for what can be no name."""
        found: dict[str, str] = {}
        for named in NAMED:
            if len(self.of_field.get(named, ())) > MOST_ROWS:
                found[f"new_{named}"] = "names.rows-many"
            keys = self.keys(named)
            for number, key, en, zh in self.filled(named):
                place = f"new_{named}-{number}"
                if named != "project" and not KEY.fullmatch(key):
                    found[place] = "names.key-wrong"
                elif keys.count(key) > 1:
                    found[place] = "names.twice"
                elif told := two_problems(en, zh, LONGEST_NAME):
                    found[place] = next(iter(told.values()))
                elif not _is_name(NAMED[named], both(en, zh)):
                    found[place] = "names.wrong"
        return found

    def suggested(self, document: EntryDocument) -> tuple[Suggested, ...]:
        """Return the names that a document is proposed with, where none of them is a problem."""
        found = []
        for named, kind in NAMED.items():
            used = names.used(document, kind)
            for _, typed, en, zh in self.filled(named):
                key = document.project if named == "project" else typed
                if key in used:
                    found.append(Suggested(kind, key, name_row(kind, both(en, zh))))
        return tuple(found)


def sent(fields: Fields) -> NewNames:
    """Return what was typed."""
    found: dict[Named, tuple[NameTyped, ...]] = {}
    for named in NAMED:
        columns = [fields.all(f"new_{named}_{part}")[: MOST_ROWS + 1] for part in ("en", "zh", "key")]
        rows = zip_longest(*columns, fillvalue="")
        found[named] = tuple((key.strip().lower(), en.strip(), zh.strip()) for en, zh, key in rows)
    return NewNames(found)


def of_suggested(proposed: Sequence[Suggested]) -> NewNames:
    """Return what the form shows of the names that a submission proposes."""
    found: dict[Named, tuple[NameTyped, ...]] = {}
    for named, kind in NAMED.items():
        rows = (one for one in proposed if one.kind == kind)
        found[named] = tuple(("" if named == "project" else one.key, *_said(one)) for one in rows)
    return NewNames(found)


def _said(one: Suggested) -> tuple[str, str]:
    return one.row.said.en, one.row.said.zh


def taken(session: Session, typed: NewNames, project: str, *, may_read: bool = True) -> dict[str, str]:
    """Return {field and number of the row: text key} for what has a name already.

    Who may not read the guide is told of shipped names alone; another one counts when the submission is published.
    """
    found: dict[str, str] = {}
    for named, kind in NAMED.items():
        for number, key, _, _ in typed.filled(named):
            wanted = project if named == "project" else key
            if wanted and (names.is_named(session, kind, wanted) if may_read else SHIPPED.has(kind, wanted)):
                found[f"new_{named}-{number}"] = "names.has-name"
    return found


def _key(row: NameTyped) -> str:
    return row[0] or key_from(row[1])


def _is_name(kind: NameKind, said: Mapping[str, str]) -> bool:
    try:
        name_row(kind, said)
    except ValidationError:
        return False
    return True
