"""Both languages have the same texts, placeholders and plural forms, and every key of the engine has one."""

import re
import string
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from babel import Locale

from app import errors, i18n
from app.config import ROOT
from app.errors import ErrdexError
from app.matching.model import Confidence, Role

TEXTS = ROOT / "app" / "texts"
FILES = sorted(path.name for path in (TEXTS / "en").glob("*.toml"))
PLURALS = {
    lang: set(Locale.parse(name).plural_form.rules) | {"other"}
    for lang, name in (("en", "en_GB"), ("zh", "zh_Hans_CN"))
}
PARAMS = {
    "message": {"pattern"},
    "message-partly": {"pattern", "percent"},
    "message-weak": {"pattern"},
    "project": {"project"},
    "met": {"frame", "pattern"},
    "frame": {"frame"},
    "unless": {"pattern", "unless"},
    "title": {"words"},
    "body": {"words"},
    "repeated": set(),
    "processes": set(),
    "hangs": set(),
    "memory-grows": set(),
    "memory-training": set(),
    "memory-later": set(),
    "memory-host": set(),
    "memory-serving": set(),
    "memory-needed-training": set(),
    "memory-needed-rl": set(),
    "near": {"words"},
    "not-carried": {"score", "needed"},
    "below": {"score", "needed"},
    "outer": {"score", "needed"},
    "follows": set(),
    "went-on": set(),
    "too-short": set(),
    "words-only": set(),
    "from-a-later-error": set(),
}


def flat(lang: str, name: str) -> dict[str, str]:
    """The texts of one file by dotted key; plural forms are joined, their keys are not part of it."""
    found: dict[str, str] = {}

    def walk(prefix: str, table: dict[str, object]) -> None:
        for key, value in table.items():
            if isinstance(value, dict):
                if set(value) <= {"zero", "one", "two", "few", "many", "other"} and "other" in value:
                    assert set(value) == PLURALS[lang], f"{lang}/{name}: {prefix}{key} lacks a form"
                    found[f"{prefix}{key}"] = value["other"]
                else:
                    walk(f"{prefix}{key}.", value)
            else:
                assert isinstance(value, str), f"{prefix}{key}"
                found[f"{prefix}{key}"] = value

    walk("", tomllib.loads((TEXTS / lang / name).read_text(encoding="utf-8")))
    return found


def placeholders(text: str) -> set[str]:
    """The names in braces of a text."""
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def test_both_languages_have_the_same_files() -> None:
    assert sorted(path.name for path in (TEXTS / "zh").glob("*.toml")) == FILES
    assert FILES


@pytest.mark.parametrize("name", FILES)
def test_both_languages_have_the_same_keys_in_the_same_order(name: str) -> None:
    assert list(flat("en", name)) == list(flat("zh", name))


@pytest.mark.parametrize("name", FILES)
def test_both_languages_have_the_same_placeholders(name: str) -> None:
    english, chinese = flat("en", name), flat("zh", name)
    assert {key: placeholders(text) for key, text in english.items()} == {
        key: placeholders(text) for key, text in chinese.items()
    }


def test_no_key_is_in_two_files() -> None:
    keys = [key for name in FILES for key in flat("en", name)]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("key", PARAMS)
@pytest.mark.parametrize("lang", i18n.LANGS)
def test_every_reason_of_the_engine_has_a_text(lang: i18n.Lang, key: str) -> None:
    text = i18n.text(lang, f"reason.{key}", **dict.fromkeys(PARAMS[key], "{x}"))
    assert placeholders(i18n.texts(lang)[f"reason.{key}"]) <= PARAMS[key]
    assert text


def test_the_engine_gives_no_other_reasons() -> None:
    source = (ROOT / "app" / "matching" / "ranking" / "rank.py").read_text(encoding="utf-8")
    given = set(re.findall(r'(?:Reason|_why|_message_reason|elsewhere=)\(?\s*"([a-z-]+)"', source))
    assert given <= set(PARAMS)
    assert {key for key in i18n.texts("en") if key.startswith("reason.")} == {f"reason.{key}" for key in PARAMS}


def test_every_role_and_confidence_has_a_text() -> None:
    for lang in i18n.LANGS:
        for key in (
            *(f"role.{role}" for role in get_args(Role)),
            *(f"confidence.{one}" for one in get_args(Confidence)),
        ):
            assert i18n.text(lang, key)


def test_every_error_has_a_title_and_a_detail() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ErrdexError)]
    for kind in kinds:
        for part in ("title", "detail"):
            assert i18n.has(f"error.{kind.key}.{part}"), kind.key


def test_every_role_reason_that_the_engine_gives_has_a_text() -> None:
    folder: Path = ROOT / "app" / "matching" / "parsing"
    source = "".join((folder / name).read_text(encoding="utf-8") for name in ("incidents.py", "assembler.py"))
    for why in set(re.findall(r'why="([a-z-]+)"', source)):
        assert i18n.has(f"role-why.{why}"), why
