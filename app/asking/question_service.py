"""The question service: text in, answer out. Site, API, command line and checks all call this."""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Engine

from app.asking.recent_answers import Remembered
from app.asking.textless import Bare, bare
from app.asking.verdict import Verdict, overall, rules_out, verdict
from app.content.families import called
from app.content.names import SHIPPED, Names
from app.finding.search_service import Filters, Lookup
from app.matching import Matched, match
from app.matching.model import Confidence, Reason, Report, Scored, VersionSeen
from app.matching.parsing.human_text import all_prose
from app.matching.parsing.parser import parse
from app.matching.parsing.project_names import Projects
from app.matching.ranking import nearness
from app.matching.ranking.candidate import Features, load
from app.matching.ranking.query import Query
from app.matching.ranking.rank import Ranked, rank
from app.matching.text.rules import weights
from app.store import recall
from app.store.index_cache import IndexCache, State
from app.store.session import ReadTransaction, read_transaction
from app.store.team_names import TeamNames

MOST = 50
REMEMBERED = 4_000
# The words of a text that nothing answers find at most so many entries.
NEAR = 10


@dataclass(frozen=True, slots=True)
class Match:
    """A scored entry, ready to be shown. `lang` is the language of `title`.

    `why_not` is the reason why it is only related, absent for an answer. `versions` tells of each package of
    which the entry names a release whether what was seen has the problem.
    """

    slug: str
    title: str
    lang: str
    score: float
    confidence: Confidence
    reasons: tuple[Reason, ...]
    why_not: Reason | None
    actions: dict[str, object] | None
    versions: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`matches` is what we stand behind; `related` is worth a look and says why it is not more.

    `counted` says that the error, masked, is counted as one that has no entry. `names` are those it was found with.
    """

    matches: tuple[Match, ...]
    related: tuple[Match, ...]
    report: Report
    counted: bool = False
    names: Names = field(default=SHIPPED, compare=False)


@dataclass(frozen=True, slots=True)
class SearchStep:
    """A part of what words find: the entries, their numbers in the database, and whether there are more."""

    matches: tuple[Match, ...]
    ids: tuple[int, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class _Kept:
    """The part of an answer that may be kept: nothing of the paste, and nothing of an entry that only the ranking
    needs.
    """

    bare: Bare
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known in a state of the index: names, projects that a paste can name, and the slugs of what is shipped.

    The state is another one after anything was published, and after a name was changed.
    """

    state: tuple[int, str]
    names: Names
    projects: Projects
    shipped: frozenset[str]

    def is_own(self, slug: str) -> bool:
        """Tell whether an entry is a team's own."""
        return slug not in self.shipped


class _KeptFeatures(NamedTuple):
    """The features of an entry at a revision, and a state of the index in which that was its present one."""

    features: Features
    revision: int
    state: State


# The key of kept features: number of the entry, and whether they hold the words of its texts.
_Key = tuple[int, bool]


class Questions:
    """Answers questions from a database. Keeps the compiled features of entries; always answers from what is published.

    What was found for the last `remembered` texts is kept too, without the texts, and given again while no revision was
    published since. Safe to use from several threads.
    """

    def __init__(
        self, engine: Engine, remembered: int = 0, lookup: Lookup | None = None, names: TeamNames | None = None
    ) -> None:
        self._engine = engine
        self._lookup = lookup or Lookup(engine)
        self._names = names or TeamNames(engine)
        self._remembered = Remembered[_Kept](remembered)
        self._index = IndexCache()
        self._features: OrderedDict[_Key, _KeptFeatures] = OrderedDict()
        self._lock = Lock()
        self._known_last: _Known | None = None

    def ask(self, text: str, lang: str = "en", limit: int = 5) -> Answer:
        """Return the answer to a paste or a question, with at most `limit` (1–50) matches and as many related.

        Raises `Unavailable` when the database cannot be read.
        """
        return self._again(text, lang, limit) or self._first(text, lang, limit)

    def _again(self, text: str, lang: str, limit: int) -> Answer | None:
        """Return what was found when a text was asked before, if nothing was published since."""
        remembered = self._remembered.get(text)
        if remembered is None:
            return None
        state, kept = remembered
        with read_transaction(self._engine) as transaction:
            named, names = self._names.at(transaction)
            holds = (recall.state(transaction), named) == state
        return _worded(Matched(kept.bare.dressed(text), kept.ranked), names, lang, limit) if holds else None

    def _first(self, text: str, lang: str, limit: int) -> Answer:
        # The state is read first, so that what is published while the rest is read makes another state.
        known = self._state()

        def recalled(query: Query) -> list[Features]:
            with read_transaction(self._engine) as transaction:
                index = self._index.at(transaction)
                ids = recall.candidates_for(transaction, index, query)
                return self._known(transaction, index.state, ids, words=bool(query.prose))

        found = match(text, recalled, known.projects, known.names.told_apart, rules_out, is_own=known.is_own)
        if not any(item.why_not is None for item in found.ranked):
            found = found._replace(ranked=self._with_near(found, known.names))
        if self._remembered.takes(text) and (left := bare(found.report, text)):
            slim = tuple(replace(item, features=item.features.slim()) for item in found.ranked)
            self._remembered.keep(text, known.state, _Kept(left, slim))
        return _worded(found, known.names, lang, limit)

    def projects(self) -> Projects:
        """Return the projects that a paste can name by now; read anew after anything was published.

        Raises `Unavailable` when the database cannot be read.
        """
        return self._state().projects

    def _state(self) -> _Known:
        """Return what is known in the present state of the index, see `recall.state`."""
        with read_transaction(self._engine) as transaction:
            named, names = self._names.at(transaction)
            state = recall.state(transaction), named
            known = self._known_last
            if known is None or known.state != state:
                projects = names.projects(recall.projects(transaction))
                known = self._known_last = _Known(state, names, projects, recall.shipped(transaction))
        return known

    def _with_near(self, found: Matched, names: Names) -> tuple[Ranked, ...]:
        """Return what is related to a text that nothing answers, with what its words find: before all else where it is
        one short line, which says too little for more, and else after all that has evidence.
        """
        text = nearness.sought(found.report)
        ids = self._lookup.nearest(text, NEAR) if text else []
        short = nearness.is_short(found.report)
        # who calls what a family is about by its short name means one of its members
        meant = called(text, names.families) if short else frozenset[str]()
        if not ids and not meant:
            return found.ranked
        with read_transaction(self._engine) as transaction:
            index = self._index.at(transaction)
            ids = list(dict.fromkeys([*ids, *sorted(recall.named(transaction, meant))]))
            known = {one.entry: one for one in self._known(transaction, index.state, ids, words=True)}
        listed = {item.features.entry: item for item in found.ranked}
        first: list[Ranked] = []
        last: list[Ranked] = []
        for one in (known[key] for key in ids if key in known):
            near = nearness.nearness(text, one)
            is_meant = one.slug in meant
            if near is None or (near.reason.contribution < weights()["near"]["least"] and not is_meant):
                continue
            item = listed.get(one.entry)
            if short and (near.names_it or is_meant) and not (item and item.scored.elsewhere):
                scored = item.scored if item else Scored(one.entry, (near.reason,), carried=False)
                first.append(Ranked(one, scored, "low", Reason("too-short", 0.0)))
            elif item is None:
                last.append(
                    Ranked(one, Scored(one.entry, (near.reason,), carried=False), "low", Reason("words-only", 0.0))
                )
        # the words of the line in the order of a message tell more than the same words anywhere
        first.sort(key=lambda item: not nearness.is_part_of_a_message(text, item.features))
        first.sort(key=lambda item: item.features.slug not in meant)
        moved = {item.features.entry for item in first}
        return (*first, *(item for item in found.ranked if item.features.entry not in moved), *last)

    def search(self, q: str, lang: str = "en", limit: int = 20) -> tuple[Match, ...]:
        """Return entries for words, in the order of the search box. Raises `Unavailable`.

        What only words found is low; the score is the one of matching, or 0.
        """
        return self.search_on(q, lang, limit, Filters(), ()).matches

    def search_on(self, q: str, lang: str, limit: int, filters: Filters, seen: Collection[int]) -> SearchStep:
        """Return the next entries for words, those that are not `seen` yet and that the filters leave.

        Raises `Unavailable`.
        """
        if not q.strip():
            return SearchStep((), (), more=False)
        ids, more = self._lookup.unseen(q, filters, frozenset(seen), max(1, min(limit, MOST)))
        report = parse(q)
        state = self._state()
        prose = replace(report, messages=all_prose(report.messages))
        query = Query.of(prose, state.projects, rules_out, state.is_own)
        with read_transaction(self._engine) as transaction:
            index = self._index.at(transaction)
            known = {one.entry: one for one in self._known(transaction, index.state, ids, words=True)}
        ranked = {item.features.entry: item for item in rank(query, known.values(), state.names.told_apart, least=0.0)}
        found = (
            ranked.get(key) or Ranked(known[key], Scored(key, (), carried=False), "low", None)
            for key in ids
            if key in known
        )
        return SearchStep(tuple(_shown(item, lang, report.versions) for item in found), tuple(ids), more)

    def _known(self, transaction: ReadTransaction, state: State, ids: Collection[int], words: bool) -> list[Features]:
        """Return the features of those entries that are published; `state` is that of the index in the transaction."""
        with self._lock:
            kept = {entry: one for entry in ids if (one := self._features.get((entry, words)))}
        # What was right in another state is right in this one if its revision is still the present one.
        older = [entry for entry, one in kept.items() if not state or one.state != state]
        present = recall.revisions(transaction, older)
        read = {
            entry: kept[entry]._replace(state=state) for entry in older if present.get(entry) == kept[entry].revision
        }
        found = {entry: one.features for entry, one in kept.items() if entry not in older or entry in read}
        missing = [entry for entry in ids if entry not in found]
        for entry, revision, stored, said in recall.features(transaction, missing, words):
            features = load(entry, stored, said)
            found[entry], read[entry] = features, _KeptFeatures(features, revision, state)
        if read:
            with self._lock:
                self._features.update(((entry, words), one) for entry, one in read.items())
                while len(self._features) > REMEMBERED:
                    self._features.popitem(last=False)
        return list(found.values())


def _worded(found: Matched, names: Names, lang: str, limit: int) -> Answer:
    limit = max(1, min(limit, MOST))
    seen = found.report.versions
    matches = [_shown(item, lang, seen) for item in found.ranked if item.why_not is None][:limit]
    related = [_shown(item, lang, seen) for item in found.ranked if item.why_not is not None][:limit]
    return Answer(tuple(matches), tuple(related), found.report, names=names)


def _shown(ranked: Ranked, lang: str, seen: Sequence[VersionSeen]) -> Match:
    entry, scored = ranked.features, ranked.scored
    judged = verdict(entry.versions, seen)
    chinese = bool(entry.title_zh) and (lang == "zh" or not entry.title_en)
    return Match(
        entry.slug,
        entry.title_zh if chinese else entry.title_en,
        "zh" if chinese else "en",
        scored.score,
        "likely" if ranked.confidence == "high" and overall(judged) == "not-affected" else ranked.confidence,
        scored.reasons,
        ranked.why_not,
        entry.actions,
        judged,
    )
