"""Where to search for an error that has no entry: the issues of its project, asked for the message without values."""

from dataclasses import dataclass
from urllib.parse import urlencode

from app.asking.unanswered import pattern_of
from app.content import names
from app.i18n import Lang
from app.matching.model import Report
from app.matching.ranking.pattern import HOLE

# where the issues of all projects are searched
EVERYWHERE = "https://github.com/search?type=issues"
# characters; GitHub searches for no more than 256
LONGEST_SEARCH = 200


@dataclass(frozen=True, slots=True)
class Tracker:
    """A search of an issue tracker: what the tracker is called, empty for one of all projects, and the address."""

    name: str
    address: str


def tracker_of(lang: Lang, report: Report) -> Tracker | None:
    """Return where to search for the first cause of a paste; None where too little of it is public.

    The search holds only words that public software prints, as what is counted of an error without an entry does.
    """
    words = " ".join(pattern_of(report).replace(HOLE, " ").split())
    if not words:
        return None
    project = names.projects().named(report)
    address = names.tracker(project)
    query = urlencode({"q": _shortened(words)})
    if not address:
        return Tracker("", f"{EVERYWHERE}&{query}")
    return Tracker(names.name("projects", project, lang), f"{address}?{query}")


def _shortened(words: str) -> str:
    return words if len(words) <= LONGEST_SEARCH else words[:LONGEST_SEARCH].rpartition(" ")[0]
