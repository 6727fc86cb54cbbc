"""What projects, components and tags are called, in both languages: `content/projects.toml` and its neighbours."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Literal

from app.config import ROOT

Kind = Literal["projects", "components", "tags"]


def name(kind: Kind, key: str, lang: str) -> str:
    """Return the name of `key` in `lang`; a key without a name is its own name."""
    return names(kind).get(key, {}).get(lang, key)


@cache
def names(kind: Kind) -> Mapping[str, Mapping[str, str]]:
    """Return all names of one kind as {key: {language: name}}."""
    table: dict[str, dict[str, str]] = tomllib.loads((ROOT / "content" / f"{kind}.toml").read_text(encoding="utf-8"))
    return table
