"""The engine: from pasted text to scored entries. Pure: the standard library, rapidfuzz and itself.

`match` is its front door: a text is parsed to a report, the report is made a query, recall gives the entries that may
answer it, and these are ranked.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from app.matching.model import Report
from app.matching.parsing.parser import parse
from app.matching.parsing.project_names import Projects
from app.matching.ranking.candidate import Features
from app.matching.ranking.query import IsOwn, Query, RulesOut
from app.matching.ranking.rank import Ranked, rank

# It returns the entries that share something with a query, in any order.
Recall = Callable[[Query], Iterable[Features]]


class Matched(NamedTuple):
    """What was found for a text: its report, and the entries, those that answer it before those that are related."""

    report: Report
    ranked: tuple[Ranked, ...]


def match(
    text: str,
    recall: Recall,
    projects: Projects,
    apart: Sequence[Sequence[str]] = (),
    rules_out: RulesOut | None = None,
    *,
    is_own: IsOwn | None = None,
) -> Matched:
    """Return what is known about a text; `projects` are those that it can name, `apart` groups of entries by slug which
    only a question to the asker tells apart, `rules_out` tells whether the versions in it rule an entry out, `is_own`
    whether the entry with a slug is a team's own.
    """
    report = parse(text)
    query = Query.of(report, projects, rules_out, is_own)
    return Matched(report, tuple(rank(query, recall(query), apart)))
