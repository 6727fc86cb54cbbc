"""The question service: text in, answer out. Site, API, command line and checks all call this."""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Engine
from sqlmodel import Session

from app.content.schema import EntryDocument
from app.matching import terms
from app.matching.evidence import prepare
from app.matching.features import Features, load
from app.matching.rank import Ranked, rank
from app.matching.report import parse
from app.matching.types import Confidence, Reason, Report
from app.store import entries, recall
from app.store.session import reading

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


class Questions:
    """Answers questions from a database. Keeps the compiled features of entries; always answers from what is published.

    Safe to use from several threads.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._features: OrderedDict[tuple[int, int], Features] = OrderedDict()
        self._lock = Lock()

    def ask(self, text: str, lang: str = "en", limit: int = 5) -> Answer:
        """Return the answer to a paste or a question, with at most `limit` (1–50) matches and as many related.

        Raises `Unavailable` when the database cannot be read.
        """
        report = parse(text)
        asked = terms.asked_terms(report)
        limit = max(1, min(limit, MOST))
        with reading(self._engine) as session:
            found = rank(prepare(report), self._known(session, recall.candidates(session, asked)))
            matches = [item for item in found if item.why_not is None][:limit]
            related = [item for item in found if item.why_not is not None][:limit]
            shown = _shown(session, [*matches, *related], lang)
        return Answer(
            tuple(shown[item.slug] for item in matches if item.slug in shown),
            tuple(shown[item.slug] for item in related if item.slug in shown),
            report,
        )

    def search(self, q: str, lang: str = "en", limit: int = 20) -> tuple[Match, ...]:
        """Return entries for words typed into a search box, best first, answers and related alike."""
        answer = self.ask(q, lang, limit)
        return (*answer.matches, *answer.related)[:limit]

    def _known(self, session: Session, ids: Collection[int]) -> list[Features]:
        present = recall.revisions(session, ids)
        with self._lock:
            known = {key: found for key in present.items() if (found := self._features.get(key))}
        missing = [entry for entry, revision in present.items() if (entry, revision) not in known]
        if missing:
            for entry, stored in recall.features(session, missing):
                known[entry, present[entry]] = load(entry, stored)
            with self._lock:
                self._features.update(known)
                while len(self._features) > REMEMBERED:
                    self._features.popitem(last=False)
        return list(known.values())


def _shown(session: Session, ranked: Sequence[Ranked], lang: str) -> dict[str, Match]:
    shown: dict[str, Match] = {}
    for item in ranked:
        entry = entries.by_slug(session, item.slug)
        if entry is None:
            continue
        document = EntryDocument.model_validate_json(entry.document)
        used, text = document.text(lang)
        actions = document.actions.model_dump(exclude_none=True) if document.actions else None
        score = item.scored.score
        shown[item.slug] = Match(
            item.slug, text.title, used, score, item.confidence, item.scored.reasons, item.why_not, actions
        )
    return shown
