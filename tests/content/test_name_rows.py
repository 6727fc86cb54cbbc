"""A team's name comes back the same from its file, from the database's form and from JSON, whatever it is."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.config import ROOT
from app.content.name_rows import (
    KINDS,
    NameKind,
    canonical_row,
    name_row,
    names_toml,
    plain_row,
    read_names,
    row_json,
)
from app.content.names import Kind, Names, names, shipped_rows

KEYS = st.from_regex(r"[a-z0-9][a-z0-9-]{0,12}", fullmatch=True)
CHARS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\x85\r\n\0")
TEXTS = st.text(CHARS, max_size=40)
TWO = st.fixed_dictionaries({"en": TEXTS, "zh": TEXTS})
PROJECTS = st.fixed_dictionaries(
    {"en": TEXTS, "zh": TEXTS},
    optional={
        "packages": st.sampled_from(["", "ops_core ops"]),
        "words": TEXTS,
        "place": st.sampled_from(["own", "base", "library"]),
        "tracker": st.sampled_from(["", "https://git.lan/search?q={q}"]),
        "asks_en": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=40),
    },
)
WORDS = st.fixed_dictionaries({"en": TEXTS, "zh": TEXTS}, optional={"signs": TEXTS})
FAMILIES = st.fixed_dictionaries(
    {
        "question": TWO,
        "look": st.dictionaries(st.builds("{}/{}".format, KEYS, KEYS), TWO, min_size=1, max_size=4),
    },
    optional={"short": st.lists(TEXTS, max_size=3)},
)
PLAIN: dict[NameKind, st.SearchStrategy[dict[str, Any]]] = {
    "projects": PROJECTS,
    "components": WORDS,
    "tags": WORDS,
    "families": FAMILIES,
}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_whatever_is_a_name_comes_back_as_it_was(kind: NameKind, data: st.DataObject) -> None:
    plain = data.draw(st.dictionaries(KEYS, PLAIN[kind], max_size=4))
    rows = {}
    for key, one in plain.items():
        try:
            rows[key] = name_row(kind, one)
        except ValidationError:
            continue
    assert {key: row_json(kind, canonical_row(row)) for key, row in rows.items()} == rows
    text = names_toml(kind, {key: plain_row(row) for key, row in rows.items()})
    assert read_names(kind, text) == (rows, [])


@pytest.mark.parametrize("kind", KINDS)
def test_the_shipped_files_are_of_the_shape_that_a_teams_are(kind: NameKind) -> None:
    rows, findings = read_names(kind, (ROOT / "content" / f"{kind}.toml").read_text(encoding="utf-8"))
    assert findings == []
    assert set(rows) == set(shipped_rows(kind))


def test_a_teams_names_stand_first_and_in_the_place_of_shipped_ones() -> None:
    own = Names(
        {
            "projects": {"verl": name_row("projects", {"en": "our verl", "zh": "我们的 verl"})},
            "tags": {"dry": name_row("tags", {"en": "dry", "zh": "干", "signs": "dry spell"})},
        }
    )
    assert (own.name("projects", "verl", "zh"), own.name("projects", "roll", "zh")) == ("我们的 verl", "ROLL")
    assert next(iter(own.names("tags"))) == "dry"
    for kind in get_args(Kind):
        assert set(names(kind)) <= set(own.names(kind))
    assert own.told_by("tags", "a Dry Spell, and out of memory") == ("dry", "oom")
    # the shipped ones are as they were
    assert names("projects")["verl"]["en"] == "verl"


def test_a_teams_project_is_named_by_its_packages_or_by_its_key() -> None:
    own = Names(
        {
            "projects": {
                "ops": name_row("projects", {"en": "Ops", "zh": "运维", "packages": "ops_core"}),
                "orchard": name_row("projects", {"en": "Orchard", "zh": "果园"}),
            }
        }
    )
    found = own.projects()
    assert found.mentioned('File "/srv/ops_core/loop.py", line 3') == "ops"
    assert found.mentioned('File "/srv/orchard/loop.py", line 3') == "orchard"
    assert own.project_of_package("ops_core") == "ops"


@pytest.mark.parametrize(
    "plain",
    [
        {"en": "x", "zh": "a\nb"},
        {"en": "x" * 81, "zh": "x"},
        {"en": " ", "zh": "x"},
        {"en": "\u202e", "zh": "x"},
        {"en": "r\u0430y", "zh": "x"},
        {"en": "a\x1b[31mb", "zh": "x"},
        {"en": "x"},
        {"en": "x", "zh": "x", "more": "x"},
        {"en": 1, "zh": "x"},
        "x",
    ],
)
def test_what_can_be_no_name(plain: object) -> None:
    with pytest.raises(ValidationError):
        name_row("tags", plain)
