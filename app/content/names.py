"""What projects, components and tags are called, in both languages, and the families of entries: the shipped names of
`content/projects.toml` and its neighbours, and before them a team's own.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, cast, get_args

from app.config import DATA
from app.content.families import Family, asked_back, family_of, told_apart
from app.content.name_rows import NameKind, Own, plain_row
from app.content.search_terms import Facet
from app.matching.parsing.project_names import Place, Project, Projects, project_of
from app.matching.text.tokens import parts

Kind = Literal["projects", "components", "tags"]
# the kind of the names of a facet that entries are counted by
KIND_OF: Mapping[Facet, Kind] = {"project": "projects", "component": "components", "tag": "tags"}
Row = Mapping[str, Any]


@cache
def shipped_rows(kind: NameKind) -> Mapping[str, Row]:
    """Return the rows of a shipped file as plain values, by key."""
    table: dict[str, Row] = tomllib.loads((DATA / "content" / f"{kind}.toml").read_text(encoding="utf-8"))
    return table


class Names:
    """The names at one time: those of `own`, a team's, stand before the shipped ones and in their place."""

    def __init__(self, own: Own | None = None) -> None:
        self.own: Own = own or {}
        self._projects = lru_cache(maxsize=16)(self._made_projects)

    @cached_property
    def _rows(self) -> Mapping[NameKind, Mapping[str, Row]]:
        made: dict[NameKind, Mapping[str, Row]] = {}
        for kind in get_args(NameKind):
            mine = {key: plain_row(row) for key, row in self.own.get(kind, {}).items()}
            made[kind] = mine | {key: row for key, row in shipped_rows(kind).items() if key not in mine}
        return made

    @cached_property
    def _names(self) -> Mapping[Kind, Mapping[str, Mapping[str, str]]]:
        return {
            kind: {key: {"en": row["en"], "zh": row["zh"]} for key, row in self._rows[kind].items()}
            for kind in get_args(Kind)
        }

    def name(self, kind: Kind, key: str, lang: str) -> str:
        """Return the name of `key` in `lang`; a key without a name is its own name."""
        return self._names[kind].get(key, {}).get(lang, key)

    def names(self, kind: Kind) -> Mapping[str, Mapping[str, str]]:
        """Return all names of one kind as {key: {language: name}}, a team's own first."""
        return self._names[kind]

    def has(self, kind: NameKind, key: str) -> bool:
        """Tell whether `key` has a name."""
        return key in self._rows[kind]

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """All families, a team's own first."""
        return tuple(family_of(key, row) for key, row in self._rows["families"].items())

    def asked_back(self, slugs: list[str]) -> Family | None:
        """Return the family of the first of some equally good answers that another of them belongs to as well."""
        return asked_back(slugs, self.families)

    @cached_property
    def told_apart(self) -> tuple[tuple[str, ...], ...]:
        """The slugs of the members of each family, in its order."""
        return told_apart(self.families)

    def told_by(self, kind: Literal["components", "tags"], text: str) -> tuple[str, ...]:
        """Return the keys whose `signs` stand in a text, in the order in which it names them."""
        lowered = text.lower()
        found = {key: match.start() for key, sign in self._signs[kind].items() if (match := sign.search(lowered))}
        return tuple(sorted(found, key=found.__getitem__))

    @cached_property
    def _signs(self) -> Mapping[Literal["components", "tags"], Mapping[str, re.Pattern[str]]]:
        return {"components": _signs(self._rows["components"], usual=True), "tags": _signs(self._rows["tags"])}

    def projects(self, published: Iterable[str] = ()) -> Projects:
        """Return the projects that a paste can name: those with a row, and those of the published entries, by key."""
        return self._projects(frozenset(published))

    @cached_property
    def _named_projects(self) -> Mapping[str, Project]:
        return {key: _project(key, row) for key, row in self._rows["projects"].items()}

    def _made_projects(self, published: frozenset[str]) -> Projects:
        others = (project_of(key) for key in sorted(published) if key not in self._named_projects)
        return Projects((*self._named_projects.values(), *others))

    @cached_property
    def _by_package(self) -> Mapping[str, str]:
        return {package: key for key, project in self._named_projects.items() for package in project.packages}

    def project_of_package(self, package: str) -> str:
        """Return the project whose code lies in a package, as its row says; else the key that is called like it."""
        return self._by_package.get(package) or package.replace("_", "-")

    def tracker(self, key: str) -> str:
        """Return the address that searches the issues of a project for `{q}`; empty where none is known."""
        return str(self._rows["projects"].get(key, {}).get("tracker", ""))

    def asks(self, key: str, lang: str) -> str:
        """Return what the maintainers of a project want to see in a report; empty where nothing of its own is known."""
        return str(self._rows["projects"].get(key, {}).get(f"asks_{lang}", ""))


def _signs(rows: Mapping[str, Row], *, usual: bool = False) -> Mapping[str, re.Pattern[str]]:
    found = {}
    for key, row in rows.items():
        others = f"{key};{key.replace('-', '_')};{row['en']}" if usual else ""
        words = [word for one in row.get("signs", others).split(";") if (word := one.strip().lower())]
        if words:
            forms = "|".join(re.escape(word) for word in dict.fromkeys(words))
            found[key] = re.compile(rf"(?<![a-z0-9_])(?:{forms})(?![a-z0-9_])")
    return found


def _project(key: str, row: Row) -> Project:
    packages = tuple(row.get("packages", "").split())
    words = tuple(row.get("words", "").split())
    if not packages and not words and "place" not in row:
        # a team's own project of which nothing but its names is known
        return project_of(key)
    return Project(key, packages, words, cast(Place, row.get("place", "own")))


SHIPPED = Names()


def names(kind: Kind) -> Mapping[str, Mapping[str, str]]:
    """Return all shipped names of one kind as {key: {language: name}}."""
    return SHIPPED.names(kind)


def projects(published: Iterable[str] = ()) -> Projects:
    """Return the projects that a paste can name: the shipped ones, and those of the published entries, by key."""
    return SHIPPED.projects(published)


def project_of_package(package: str) -> str:
    """Return the shipped project whose code lies in a package; else the key that is called like it."""
    return SHIPPED.project_of_package(package)


@cache
def named_words() -> frozenset[str]:
    """Return every key and name of every shipped kind in lower case, whole and in parts; no single letters.

    A team's own names are not among them: they are nobody else's business, and these words count as public.
    """
    tables = [names(kind) for kind in get_args(Kind)]
    named = [key for table in tables for key in table]
    named += [name for table in tables for texts in table.values() for name in texts.values()]
    words = frozenset(name.lower() for name in named).union(*(parts(name) for name in named))
    return frozenset(word for word in words if len(word) > 1)
