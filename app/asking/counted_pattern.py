"""The pattern of an error by which it is counted when it has no entry, and by which the web is searched for it.

Apart from `unanswered`, which keeps the counts, so that a command that only words a search needs neither the tables
nor who may see them.
"""

from app.asking.entry_draft import ENOUGH
from app.content.names import named_words
from app.matching.model import Report
from app.privacy import public_pattern


def pattern_of(report: Report) -> str:
    """Return the pattern of the first cause of a report; empty where too little of it is public."""
    return public_pattern.pattern_of(report, named_words(), ENOUGH)
