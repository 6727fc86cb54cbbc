"""The sections that a text of an entry has: one row each, for check, form and result page."""

from typing import NamedTuple

from app.i18n import LANGS, Lang


class Section(NamedTuple):
    """A section: its name in forms, the kind of entry that has it, its heading in each language.

    `needed`: an error without it is incomplete. `answers`: it says what to do.
    """

    name: str
    kind: str
    en: str
    zh: str
    needed: bool = False
    answers: bool = False

    def heading(self, lang: Lang) -> str:
        """Return its heading in a language."""
        return self.zh if lang == "zh" else self.en


# They are in the order in which they stand in a text. The sections of a question are those that the form offers; a
# question that is written as files may have others.
SECTIONS = (
    Section("symptom", "error", "Symptom", "现象", needed=True),
    Section("cause", "error", "Cause", "原因", needed=True),
    Section("fix", "error", "Fix", "修复", needed=True, answers=True),
    Section("check", "error", "Check", "验证"),
    Section("symptom", "question", "Question", "问题"),
    Section("cause", "question", "Background", "背景"),
    Section("fix", "question", "Answer", "回答", answers=True),
    Section("check", "question", "Check", "验证"),
)


def sections_of(kind: str) -> tuple[Section, ...]:
    """Return the sections of a kind of entry ("error" or "question"), in order."""
    return tuple(section for section in SECTIONS if section.kind == kind)


def answer_headings() -> frozenset[str]:
    """Return the headings, in both languages, below which a text says what to do."""
    return frozenset(section.heading(lang) for section in SECTIONS if section.answers for lang in LANGS)
