"""What projects, components and tags are called, in both languages: `content/projects.toml` and its neighbours."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Literal, cast, get_args

from app.config import DATA
from app.matching.parsing.project_names import Place, Project, Projects, project_of
from app.matching.text.tokens import parts

Kind = Literal["projects", "components", "tags"]


def name(kind: Kind, key: str, lang: str) -> str:
    """Return the name of `key` in `lang`; a key without a name is its own name."""
    return names(kind).get(key, {}).get(lang, key)


@cache
def _rows(kind: Kind) -> Mapping[str, Mapping[str, str]]:
    table: dict[str, dict[str, str]] = tomllib.loads((DATA / "content" / f"{kind}.toml").read_text(encoding="utf-8"))
    return table


@cache
def names(kind: Kind) -> Mapping[str, Mapping[str, str]]:
    """Return all names of one kind as {key: {language: name}}."""
    return {key: {lang: row[lang] for lang in ("en", "zh")} for key, row in _rows(kind).items()}


def told_by(kind: Literal["components", "tags"], text: str) -> tuple[str, ...]:
    """Return the keys whose `signs` stand in a text, in the order in which it names them."""
    lowered = text.lower()
    found = {key: match.start() for key, sign in _signs(kind).items() if (match := sign.search(lowered))}
    return tuple(sorted(found, key=found.__getitem__))


@cache
def _signs(kind: Literal["components", "tags"]) -> Mapping[str, re.Pattern[str]]:
    found = {}
    for key, row in _rows(kind).items():
        usual = f"{key};{key.replace('-', '_')};{row['en']}" if kind == "components" else ""
        words = [word.strip().lower() for word in row.get("signs", usual).split(";")]
        if any(words):
            forms = "|".join(re.escape(word) for word in dict.fromkeys(words))
            found[key] = re.compile(rf"(?<![a-z0-9_])(?:{forms})(?![a-z0-9_])")
    return found


def projects(published: Iterable[str] = ()) -> Projects:
    """Return the projects that a paste can name: those with a row, and those of the published entries, by key."""
    return _projects(frozenset(published))


@cache
def _shipped() -> Mapping[str, Project]:
    rows = _rows("projects")
    return {
        key: Project(
            key,
            tuple(row.get("packages", "").split()),
            tuple(row.get("words", "").split()),
            cast(Place, row.get("place", "own")),
        )
        for key, row in rows.items()
    }


@lru_cache(maxsize=16)
def _projects(published: frozenset[str]) -> Projects:
    own = (project_of(key) for key in sorted(published) if key not in _shipped())
    return Projects((*_shipped().values(), *own))


@cache
def _by_package() -> Mapping[str, str]:
    return {package: key for key, project in _shipped().items() for package in project.packages}


def project_of_package(package: str) -> str:
    """Return the project whose code lies in a package, as `projects.toml` says; else the key that is called like it."""
    return _by_package().get(package) or package.replace("_", "-")


def tracker(key: str) -> str:
    """Return the address that searches the issues of a project for `{q}`; empty where none is known."""
    return _rows("projects").get(key, {}).get("tracker", "")


def asks(key: str, lang: str) -> str:
    """Return what the maintainers of a project want to see in a report; empty where nothing of its own is known."""
    return _rows("projects").get(key, {}).get(f"asks_{lang}", "")


@cache
def named_words() -> frozenset[str]:
    """Return every key and name of every kind in lower case, whole and in parts; no single letters."""
    tables = [names(kind) for kind in get_args(Kind)]
    named = [key for table in tables for key in table]
    named += [name for table in tables for texts in table.values() for name in texts.values()]
    words = frozenset(name.lower() for name in named).union(*(parts(name) for name in named))
    return frozenset(word for word in words if len(word) > 1)
