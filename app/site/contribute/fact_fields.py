"""The facts of an entry that are words: names and slugs in one line, and what is one of a few words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.content.schema import NAME, SLUG, Actions, EntryDocument, choices
from app.site.frame.forms import Fields

_WORD = re.compile(NAME)
# each list of words, with what every word of it must be, and the text key for one that is not
WORD_LISTS = {
    "components": (_WORD, "field.word.wrong"),
    "tags": (_WORD, "field.word.wrong"),
    "also": (SLUG, "field.slug.wrong"),
    "related": (SLUG, "field.slug.wrong"),
    "former": (SLUG, "field.slug.wrong"),
}
_BETWEEN = re.compile(r"[\s,;，、；]+")


@dataclass(frozen=True, slots=True)
class TypedFacts:
    """What the form holds of them: `words` as typed, and the word of each fact that was `chosen`."""

    words: Mapping[str, str]
    chosen: Mapping[str, str]

    @classmethod
    def of(cls, document: EntryDocument) -> "TypedFacts":
        """Return what the form shows of a document."""
        return cls(
            {name: " ".join(getattr(document, name)) for name in WORD_LISTS},
            {name: _word(document, name) for name in choices()},
        )

    @classmethod
    def sent(cls, sent: Fields) -> "TypedFacts":
        """Return what was typed and chosen."""
        return cls(
            {name: sent.one(name) for name in WORD_LISTS},
            {name: _chosen(sent.one(name), words) for name, words in choices().items()},
        )

    @classmethod
    def empty(cls) -> "TypedFacts":
        """Return what a new form shows."""
        return cls(dict.fromkeys(WORD_LISTS, ""), {name: words[0] for name, words in choices().items()})

    def with_words(self, more: Mapping[str, Sequence[str]]) -> "TypedFacts":
        """Return it with these words in the lists of these names, where they do not stand there yet."""
        words = {
            name: " ".join(
                [self.words[name], *(word for word in found if word not in _split(self.words[name]))]
            ).strip()
            for name, found in more.items()
        }
        return replace(self, words={**self.words, **words})

    def problems(self) -> dict[str, str]:
        """Return {field: text key} for the lists that hold a word which cannot be one."""
        return {
            name: told
            for name, (shape, told) in WORD_LISTS.items()
            if not all(map(shape.fullmatch, _split(self.words[name])))
        }

    def values(self, base: EntryDocument | None) -> dict[str, Any]:
        """Return the fields of the document that were typed and chosen."""
        acts = {name: _value(word) for name, word in self.chosen.items() if name in Actions.model_fields}
        same = base is not None and all(_word(base, name) == self.chosen[name] for name in acts)
        made = Actions(**acts) if any(value is not None for value in acts.values()) else None
        return {
            **{name: tuple(_split(typed)) for name, typed in self.words.items()},
            **{name: word or None for name, word in self.chosen.items() if name not in acts},
            "actions": base.actions if base and same else made,
        }


def _split(typed: str) -> list[str]:
    return [word for word in _BETWEEN.split(typed.lower()) if word]


def _word(document: EntryDocument, name: str) -> str:
    if name not in Actions.model_fields:
        return str(getattr(document, name) or "")
    value = getattr(document.actions, name, None)
    return {None: "", True: "yes", False: "no"}.get(value, str(value))


def _value(word: str) -> Any:
    return {"": None, "yes": True, "no": False}.get(word, word)


def _chosen(word: str, words: tuple[str, ...]) -> str:
    return word if word in words else words[0]
