"""Interface texts of two languages, and which language a request gets.

The texts are in `app/texts/en/*.toml` and `zh/*.toml`, nested tables of strings with `{placeholders}`; a key is the
dotted path. A text that depends on a number is a table with the plural categories of the language (`one`, `other`).
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

# Babel is imported where a date or a large number is written: a command that writes none is spared its start.
if TYPE_CHECKING:
    from babel import Locale

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, Lang] = ("en", "zh")
COOKIE = "errdex_lang"
# `app.people.members` writes this for somebody who left.
_FORMER = re.compile(r"former member ([0-9]+)", re.ASCII)
_TEXTS = Path(__file__).parent / "texts"
# From this number on a language writes more than the digits.
_GROUPED = 1_000


@cache
def texts(lang: Lang) -> Mapping[str, str]:
    """Return all texts of a language by dotted key."""
    files = sorted((_TEXTS / lang).glob("*.toml"))
    return {key: value for file in files for key, value in _flat("", tomllib.loads(file.read_text(encoding="utf-8")))}


def _flat(prefix: str, table: dict[str, Any]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in table.items():
        path = f"{prefix}{key}"
        rows += _flat(f"{path}.", value) if isinstance(value, dict) else [(path, str(value))]
    return rows


def in_language(lang: str, en: str, zh: str) -> str:
    """Return the text in `lang`, or the other one where it has none."""
    return (zh or en) if lang == "zh" else (en or zh)


def has(key: str) -> bool:
    """Tell whether there is a text with this key."""
    return key in texts("en")


def text(lang: Lang, key: str, /, **params: object) -> str:
    """Return the text `key` in `lang` with its placeholders filled.

    With a parameter `n`, the plural form for that number is taken where the text has forms. Raises `KeyError` for an
    unknown key.
    """
    table = texts(lang)
    if key not in table and "n" in params:
        key = f"{key}.{_locale(lang).plural_form(int(str(params['n'])))}"
    shown = {name: number(lang, value) if isinstance(value, int) else value for name, value in params.items()}
    return table[key].format_map(shown)


def number(lang: Lang, value: float) -> str:
    """Return a number as the language writes it."""
    if isinstance(value, int) and 0 <= value < _GROUPED:
        return str(value)
    from babel.numbers import format_decimal

    return str(format_decimal(value, locale=_locale(lang)))


def day(lang: Lang, value: date) -> str:
    """Return a date as the language writes it."""
    from babel.dates import format_date

    return str(format_date(value, format="long", locale=_locale(lang)))


def ago(lang: Lang, value: date) -> str:
    """Return how long ago a day was, as the language writes it: in days, weeks, months or years."""
    from babel.dates import format_timedelta

    gone = datetime.now(UTC).date() - value
    if gone.days <= 0:
        return text(lang, "ago.today")
    return str(format_timedelta(-gone, granularity="day", add_direction=True, locale=_locale(lang)))


def moment(lang: Lang, value: datetime) -> str:
    """Return a date and time (UTC) as the language writes them."""
    from babel.dates import format_datetime

    return f"{format_datetime(value, format='medium', locale=_locale(lang))} UTC"


def clock(lang: Lang, value: datetime) -> str:
    """Return a time of day (UTC) as the language writes it."""
    from babel.dates import format_time

    return f"{format_time(value, format='short', locale=_locale(lang))} UTC"


def actor(lang: Lang, who: str) -> str:
    """Return the name of an actor. Programs, and people who were removed, have a name in each language."""
    if found := _FORMER.fullmatch(who):
        return texts(lang)["actor.former"].format(number=found.group(1))
    return texts(lang).get(f"actor.{who}", who)


@cache
def _locale(lang: Lang) -> "Locale":
    from babel import Locale

    return Locale.parse("zh_Hans_CN" if lang == "zh" else "en_GB")


def known(lang: str | None) -> Lang | None:
    """Return `lang` when it is one of ours."""
    return "zh" if lang == "zh" else "en" if lang == "en" else None


def negotiate(cookie: str | None, accept: str) -> Lang:
    """Choose a language from the cookie, else from an Accept-Language header, else English."""
    if chosen := known(cookie):
        return chosen
    ranked: list[tuple[float, int, Lang]] = []
    for place, item in enumerate(accept[:500].split(",")):
        name, _, weight = item.strip().partition(";q=")
        if lang := known(name.partition("-")[0].lower()):
            ranked.append((-_quality(weight), place, lang))
    return min(ranked)[2] if ranked else "en"


def _quality(weight: str) -> float:
    try:
        return float(weight or 1)
    except ValueError:
        return 0.0
