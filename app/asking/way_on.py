"""The way on when nothing is known: where to search the issues of a project, and what its maintainers want to see."""

import re
from dataclasses import dataclass
from urllib.parse import quote_plus

from app import i18n
from app.content.names import SHIPPED, Names
from app.i18n import Lang
from app.matching.model import Report
from app.matching.ranking.holes import HOLE

# The issues of all projects are searched here.
EVERYWHERE = "https://github.com/search?type=issues&q={q}"
# A search has at most so many characters; GitHub takes no more than 256.
LONGEST_SEARCH = 200
_PACKAGE = re.compile(r"(?:site|dist)-packages/([A-Za-z0-9_]+)/")


@dataclass(frozen=True, slots=True)
class WayOn:
    """A search of an issue tracker: what the tracker is called, the address, and what to report, as markdown.

    `project` is the name of the project that it belongs to; empty for the one of all projects. `asks_its_own` says
    whether `asks` is what this project wants; otherwise it is a whole sentence on what maintainers usually want.
    """

    project: str
    tracker: str
    url: str
    asks: str
    asks_its_own: bool


def way_on(report: Report, lang: Lang, names: Names = SHIPPED) -> WayOn | None:
    """Return where to search for the first cause of a paste; None where too little of it is public.

    `names` tells of projects. The search holds only words that public software prints, as what is counted of an error
    without an entry does.
    """
    # Few answers have a way on, and the masks that it needs take long to make.
    from app.asking.counted_pattern import pattern_of

    words = " ".join(pattern_of(report).replace(HOLE, " ").split())
    if not words:
        return None
    key = names.projects().named(report) or _innermost(report, names)
    address = names.tracker(key)
    project = names.name("projects", key, lang) if address else ""
    label = i18n.text(lang, "way-on.tracker", name=project) if project else i18n.text(lang, "way-on.trackers")
    url = (address or EVERYWHERE).replace("{q}", quote_plus(_shortened(words)))
    own = names.asks(key, lang)
    return WayOn(project, label, url, own or i18n.text(lang, "result.on-report"), bool(own and project))


def _innermost(report: Report, names: Names) -> str:
    """Return the project whose installed package holds the innermost frame of the first cause that has a tracker."""
    for frame in reversed(report.cause.frames if report.cause else ()):
        package = _PACKAGE.search(frame.path)
        key = names.project_of_package(package[1]) if package else ""
        if names.tracker(key):
            return key
    return ""


def _shortened(words: str) -> str:
    return words if len(words) <= LONGEST_SEARCH else words[:LONGEST_SEARCH].rpartition(" ")[0]
