"""The question service: text in, answer out. Site, API, command line and checks all call this."""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from threading import Lock

from sqlalchemy import Engine

from app.matching import terms
from app.matching.evidence import prepare
from app.matching.features import Features, load
from app.matching.prose import all_prose
from app.matching.rank import Ranked, rank
from app.matching.report import parse
from app.matching.types import Confidence, Reason, Report
from app.store import recall
from app.store.session import Asking, asking

MOST = 50
REMEMBERED = 4_000


@dataclass(frozen=True, slots=True)
class Match:
    """A scored entry, ready to be shown. `lang` is the language of `title`.

    `why_not` is the reason why it is only related, absent for an answer.
    """

    slug: str
    title: str
    lang: str
    score: float
    confidence: Confidence
    reasons: tuple[Reason, ...]
    why_not: Reason | None
    actions: dict[str, object] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """`matches` is what we stand behind; `related` is worth a look and says why it is not more."""

    matches: tuple[Match, ...]
    related: tuple[Match, ...]
    report: Report


# entry, revision, with the words of its texts
_Key = tuple[int, int, bool]


class Questions:
    """Answers questions from a database. Keeps the compiled features of entries; always answers from what is published.

    Safe to use from several threads.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._features: OrderedDict[_Key, Features] = OrderedDict()
        self._lock = Lock()

    def ask(self, text: str, lang: str = "en", limit: int = 5) -> Answer:
        """Return the answer to a paste or a question, with at most `limit` (1–50) matches and as many related.

        Raises `Unavailable` when the database cannot be read.
        """
        return self._answer(parse(text), lang, limit)

    def _answer(self, report: Report, lang: str, limit: int, least: float | None = None) -> Answer:
        asked = prepare(report)
        wanted = terms.asked_terms(report, [variants[0].words for variants in asked.reads])
        with asking(self._engine) as transaction:
            ids = recall.candidates(transaction, wanted, recall.LEAST if least is None else 0)
            known = self._known(transaction, ids, words=bool(asked.prose))
        found = rank(asked, known, least)
        limit = max(1, min(limit, MOST))
        matches = [item for item in found if item.why_not is None][:limit]
        related = [item for item in found if item.why_not is not None][:limit]
        return Answer(
            tuple(_shown(item, lang) for item in matches), tuple(_shown(item, lang) for item in related), report
        )

    def search(self, q: str, lang: str = "en", limit: int = 20) -> tuple[Match, ...]:
        """Return entries for words typed into a search box, best first, answers and related alike."""
        report = parse(q)
        answer = self._answer(replace(report, messages=all_prose(report.messages)), lang, limit, least=1.0)
        return (*answer.matches, *answer.related)[:limit]

    def _known(self, transaction: Asking, ids: Collection[int], words: bool) -> list[Features]:
        present = recall.revisions(transaction, ids)
        keys = [(entry, revision, words) for entry, revision in present.items()]
        with self._lock:
            known = {key: found for key in keys if (found := self._features.get(key))}
        missing = [key[0] for key in keys if key not in known]
        if missing:
            for entry, stored, said in recall.features(transaction, missing, words):
                known[entry, present[entry], words] = load(entry, stored, said)
            with self._lock:
                self._features.update(known)
                while len(self._features) > REMEMBERED:
                    self._features.popitem(last=False)
        return list(known.values())


def _shown(ranked: Ranked, lang: str) -> Match:
    entry, scored = ranked.features, ranked.scored
    chinese = bool(entry.title_zh) and (lang == "zh" or not entry.title_en)
    return Match(
        entry.slug,
        entry.title_zh if chinese else entry.title_en,
        "zh" if chinese else "en",
        scored.score,
        ranked.confidence,
        scored.reasons,
        ranked.why_not,
        entry.actions,
    )
