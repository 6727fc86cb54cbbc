"""Which entries answer already what somebody proposes: its title and its examples are asked as pastes are."""

from collections.abc import Iterable
from contextlib import suppress

from app.asking.deadline import Ask, TimedQuestions
from app.asking.question_service import Match
from app.errors import TooSlow
from app.i18n import Lang

# of one proposal: examples that are asked, and entries that are named
ASKED, SHOWN = 2, 3
# characters of a text that are asked: in the form each change of it is asked anew
LONGEST = 20_000
_MATCHES = 5


def answered_by(
    questions: TimedQuestions, lang: Lang, examples: Iterable[str], titles: Iterable[str], own: str = ""
) -> tuple[Match, ...]:
    """Return the entries that answer a title or one of the first examples, but the entry `own`; the best first.

    All together are asked within the time of one question: what was found by then is returned. Nothing is counted.
    Raises `Unavailable`.
    """
    texts = (text.strip()[:LONGEST] for text in (*tuple(examples)[:ASKED], *titles))
    asked = [text for text in dict.fromkeys(texts) if text]
    best: dict[str, Match] = {}

    def work(ask: Ask) -> None:
        for text in asked:
            for match in ask(text, lang, _MATCHES).matches:
                if match.slug != own and (match.slug not in best or best[match.slug].score < match.score):
                    best[match.slug] = match

    with suppress(TooSlow):
        questions.within(work)
    return tuple(sorted(best.values(), key=lambda match: (-match.score, match.slug))[:SHOWN])
