"""What entries refer to has a name in both languages."""

import tomllib
from typing import get_args

import pytest

from app.config import ROOT
from app.content.names import SHIPPED, Kind, names

ENTRIES = sorted((ROOT / "content").glob("*/*/entry.toml"))


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_name_is_there_in_both_languages(kind: Kind) -> None:
    assert all(set(entry) == {"en", "zh"} and all(entry.values()) for entry in names(kind).values())


@pytest.mark.parametrize("kind", ["components", "tags"])
def test_the_shipped_entries_use_named_components_and_tags(kind: Kind) -> None:
    used = {key for file in ENTRIES for key in tomllib.loads(file.read_text(encoding="utf-8")).get(kind, [])}
    assert used - set(names(kind)) == set()


def test_the_shipped_entries_are_in_named_projects() -> None:
    assert {file.parent.parent.name for file in ENTRIES} <= set(names("projects"))


def test_a_key_without_a_name_is_its_own_name() -> None:
    assert SHIPPED.name("tags", "no-such-tag", "zh") == "no-such-tag"
