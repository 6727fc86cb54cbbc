"""The text of one language in the form: a title and its sections, or one body for a text that has other headings."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from app.content.characters import is_visible
from app.content.schema import EntryDocument, Text
from app.i18n import Lang
from app.site.contribute import sections
from app.site.frame.forms import Fields

LONGEST_TITLE = 500
LONGEST_SECTION = 50_000


@dataclass(frozen=True, slots=True)
class TextForm:
    """The fields of one language. `titles` are other ways people ask, one a line; they need no text beside them."""

    title: str = ""
    symptom: str = ""
    cause: str = ""
    fix: str = ""
    check: str = ""
    body: str = ""
    titles: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether no text was typed."""
        return not self.title and not self.has_body

    @property
    def has_body(self) -> bool:
        """Whether there is anything below the title."""
        return any(getattr(self, name) for name in BODY)


BODY = tuple(one.name for one in fields(TextForm) if one.name not in ("title", "titles"))


def text_of(document: EntryDocument, lang: Lang) -> Text | None:
    """Return the text of one language alone."""
    return document.zh if lang == "zh" else document.en


def shown(document: EntryDocument, lang: Lang) -> tuple[TextForm, bool]:
    """Return what the form shows of a language, and whether it has headings of its own and is one body."""
    text, titles = text_of(document, lang), "\n".join(document.titles.get(lang, ()))
    if text is None:
        return TextForm(titles=titles), False
    parts = sections.split(text.body, lang, document.kind)
    if parts is None:
        return TextForm(title=text.title, titles=titles, body=_normal(text.body).strip()), True
    return TextForm(title=text.title, titles=titles, **parts), False


def sent(sent: Fields, prefix: str) -> TextForm:
    """Return what was typed into the fields whose names begin with `prefix`."""
    return TextForm(**{one.name: sent.one(prefix + one.name) for one in fields(TextForm)})


def problems(typed: TextForm, prefix: str, before: TextForm | None) -> dict[str, str]:
    """Return {field: text key} for what cannot be used; what is as it was before can."""
    found: dict[str, str] = {}
    before = before or TextForm()
    if not typed.title:
        found[f"{prefix}title"] = "field.title.needed"
    elif typed.title != before.title and (told := _title_problem(typed.title)):
        found[f"{prefix}title"] = told
    if not typed.has_body and (before.is_empty or before.has_body):
        found[f"{prefix}symptom"] = "field.text.needed"
    for name in BODY:
        text = getattr(typed, name)
        if text == getattr(before, name):
            continue
        if len(text) > LONGEST_SECTION:
            found[f"{prefix}{name}"] = "field.text.long"
        elif text and not is_visible(text):
            found[f"{prefix}{name}"] = "field.text.invisible"
    return found


def titles_problem(typed: TextForm, before: TextForm | None) -> str:
    """Return the text key for other titles that cannot be used; empty where they can."""
    if before and typed.titles == before.titles:
        return ""
    return next((told for line in _lines(typed.titles) if (told := _title_problem(line))), "")


def _title_problem(title: str) -> str:
    if not is_visible(title):
        return "field.title.invisible"
    return "field.title.long" if len(title) > LONGEST_TITLE else ""


def made(typed: TextForm, lang: Lang, kind: str, base: EntryDocument | None) -> Text | None:
    """Return the text of one language, that of `base` as far as it was not changed; None where nothing was typed."""
    if typed.is_empty:
        return None
    text = text_of(base, lang) if base else None
    if base is None or text is None:
        return Text(title=" ".join(typed.title.split()), body=_body(typed, lang, kind))
    before, _ = shown(base, lang)
    title = text.title if typed.title == before.title else " ".join(typed.title.split())
    is_same = kind == base.kind or bool(typed.body)
    is_same = is_same and all(getattr(typed, name) == getattr(before, name) for name in BODY)
    return Text(title=title, body=text.body if is_same else _body(typed, lang, kind))


def titles_made(typed: TextForm, lang: Lang, base: EntryDocument | None) -> tuple[str, ...] | None:
    """Return the other titles of a language; None where there are none, and nothing said that there are none."""
    before = base.titles.get(lang) if base else None
    if _key(typed.titles.split("\n")) == _key(before or ()):
        return before
    exact = {_normal(line).strip(): line for line in before or ()}
    return tuple(exact.get(line, line) for line in _lines(typed.titles)) or None


def _key(lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]


def _body(typed: TextForm, lang: Lang, kind: str) -> str:
    if typed.body:
        return typed.body
    return sections.join({name: getattr(typed, name) for name in sections.names()}, lang, kind)


def _lines(text: str) -> list[str]:
    # not splitlines: it also cuts at characters that a title may hold
    return _key(text.split("\n"))


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
