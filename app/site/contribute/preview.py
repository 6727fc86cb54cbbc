"""A proposed entry as its page would look."""

from dataclasses import dataclass

from app.content.schema import EntryDocument, Text
from app.i18n import Lang


@dataclass(frozen=True, slots=True)
class Preview:
    """The text of one language."""

    lang: Lang
    text: Text


def previews(document: EntryDocument, lang: Lang) -> tuple[Preview, ...]:
    """Return the texts of a document, the one in `lang` first."""
    order: tuple[Lang, Lang] = ("zh", "en") if lang == "zh" else ("en", "zh")
    texts = {"en": document.en, "zh": document.zh}
    return tuple(Preview(one, text) for one in order if (text := texts[one]) is not None)
