"""What is near a text that nothing answers: entries whose titles and texts hold its words. It never answers."""

import re
from typing import NamedTuple

from app.matching.model import Reason, Report
from app.matching.ranking.candidate import Features
from app.matching.ranking.query import has_field_word, prose_worth, unmet_weight
from app.matching.ranking.terms import prose_terms
from app.matching.text.rules import weights, word_list
from app.matching.text.tokens import han_count, words

# Words of a line that is too short to tell which of several entries it means; two Chinese characters are one.
SHORT = 8
# A longer line says what it is about at its beginning.
LONGEST = 300
_WORD = re.compile(r"[A-Za-z0-9_]+")


def sought(report: Report) -> str:
    """Return the words to look for: those of the cause, of a short line, or of a question about the field; nothing
    where there is none of them.
    """
    cause = report.cause
    if is_type_alone(report):
        return ""
    if cause is not None:
        return cause.text.partition("\n")[0][:LONGEST]
    if is_short(report):
        return report.messages[0].text[:LONGEST]
    asked = " ".join(message.text for message in report.messages if message.person)[:LONGEST]
    return asked if has_field_word(prose_terms(asked)) else ""


def is_short(report: Report) -> bool:
    """Tell whether a text is one line of few words, without any frame."""
    if len(report.messages) != 1 or report.frames:
        return False
    text = report.messages[0].text
    return len(_WORD.findall(text[:LONGEST])) + han_count(text[:LONGEST]) / 2 <= SHORT and len(text) <= LONGEST


def is_type_alone(report: Report) -> bool:
    """Tell whether a text is a type that everything raises and nothing else: "RuntimeError:", or 报错 KeyError."""
    if not is_short(report):
        return False
    text = report.messages[0].text
    general = word_list("general_types.txt")
    named = [word for word in _WORD.findall(text) if word in general]
    return bool(named) and not prose_terms(text) - prose_terms(" ".join(named))


class Nearness(NamedTuple):
    """How near an entry is: the share (0–1) of the text's words that it holds, by weight, and some of these."""

    share: float
    words: tuple[str, ...]

    @property
    def names_it(self) -> bool:
        """Whether its titles and messages hold about all telling words of the text."""
        return self.share >= float(weights()["near"]["names_it"])

    @property
    def reason(self) -> Reason:
        """The reason that says so; it is worth too little to answer."""
        points = float(weights()["near"]["points"]) * self.share
        return Reason("near", round(points, 1), (("words", ", ".join(self.words[:6])),))


def is_part_of_a_message(text: str, features: Features) -> bool:
    """Tell whether a line of three words or more stands word by word in a message of the entry."""
    said = words(text)
    line = f" {' '.join(said)} "
    return len(said) > 2 and any(line in f" {' '.join(chunk)} " for row in features.patterns for chunk in row.chunks)


def nearness(text: str, features: Features) -> Nearness | None:
    """Return how near an entry is to a text; None when it holds none of its words.

    A word that stands in a title or a message of the entry counts whole, one that stands only in its text counts less.
    """
    asked = prose_terms(text)
    told = features.title_words.union(*(prose_terms(row.text) for row in features.patterns))
    named = asked & told
    beside = (asked & features.body) - named
    held = prose_worth(named) + weights()["near"]["untitled"] * prose_worth(beside)
    if held <= 0:
        return None
    lacking = sum(map(unmet_weight, asked - named - beside)) + prose_worth(beside)
    return Nearness(held / (prose_worth(named) + lacking), tuple(sorted(named) or sorted(beside)))
