"""The words of the interface are complete in both languages, and none is asked for that is not there."""

import re
import string
from collections.abc import Iterator

import pytest

from app import i18n
from app.config import ROOT

PLURALS = (".one", ".other")
TEMPLATES = sorted((ROOT / "templates").glob("*.html"))
CODE = [*sorted((ROOT / "app" / "site").rglob("*.py")), ROOT / "app" / "web" / "markdown.py"]
WHOLE = re.compile(r'\bt\(\s*"([a-z.-]+)"\s*[,)]')
BEGINNING = re.compile(r'\bt\(\s*"([a-z.-]+[.-])"\s*\+')
IN_CODE = re.compile(r'"((?:entry|error-page|field|home|review|result|submit)\.(?!html)[a-z.-]+)"')


def stem(key: str) -> str:
    return next((key.removesuffix(form) for form in PLURALS if key.endswith(form)), key)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def used() -> Iterator[tuple[str, bool]]:
    """Every key that pages ask for, and whether it is only the beginning of one."""
    for file in TEMPLATES:
        text = file.read_text(encoding="utf-8")
        yield from ((key, False) for key in WHOLE.findall(text))
        yield from ((key, True) for key in BEGINNING.findall(text))
    for file in CODE:
        yield from ((key, False) for key in IN_CODE.findall(file.read_text(encoding="utf-8")))


def test_both_languages_have_the_same_keys() -> None:
    assert {stem(key) for key in i18n.texts("en")} == {stem(key) for key in i18n.texts("zh")}


def test_both_languages_have_the_same_placeholders() -> None:
    found: dict[str, dict[str, set[str]]] = {"en": {}, "zh": {}}
    for lang in i18n.LANGS:
        for key, text in i18n.texts(lang).items():
            found[lang].setdefault(stem(key), set()).update(placeholders(text))
    assert found["en"] == found["zh"]


@pytest.mark.parametrize("lang", i18n.LANGS)
def test_every_key_that_pages_ask_for_exists(lang: i18n.Lang) -> None:
    stems = {stem(key) for key in i18n.texts(lang)}
    missing = [key for key, begins in used() if not begins and key not in stems]
    missing += [key for key, begins in used() if begins and not any(one.startswith(key) for one in stems)]
    assert not missing


def test_no_text_of_the_pages_is_left_over() -> None:
    asked = list(used())
    own = re.findall(r"^\[([a-z.-]+)\]", (ROOT / "app/texts/en/site.toml").read_text(encoding="utf-8"), re.MULTILINE)
    keys = {stem(key) for key in i18n.texts("en") if key.partition(".")[0] in {name.partition(".")[0] for name in own}}
    left = {key for key in keys if not any(key.startswith(one) if begins else key == one for one, begins in asked)}
    # the hints of the form are asked for by the name of their field
    assert {key for key in left if not key.endswith("-hint")} == set()
