"""A link for a colleague: what it carries, and how the result page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from app.asking import share_link
from app.asking.question_service import Answer
from app.asking.share_link import SharedMessage
from app.i18n import Lang
from app.matching.ranking.holes import HOLE
from app.privacy import redaction


@dataclass(frozen=True, slots=True)
class Link:
    """The address below the base URL, and exactly what it carries."""

    address: str
    carried: tuple[SharedMessage, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A link that was opened: the text that is shown, the one of the same length that is asked, the form's."""

    shown: str
    asked: str
    drafted: str


def link_of(lang: Lang, answer: Answer) -> Link | None:
    """Return the link for an answer; None when nothing of the paste may leave it."""
    reasons = answer.matches[0].reasons if answer.matches else ()
    return _link(lang, share_link.share(answer.report, reasons))


def _link(lang: Lang, carried: Sequence[SharedMessage]) -> Link | None:
    if not carried:
        return None
    tail = share_link.encode(carried)
    # The page shows what the link itself says, so it is read back from it.
    return Link(f"/{lang}/match?s={quote(tail)}", share_link.decode(tail))


def opened(tail: str) -> Opened:
    """Return what a link carries as texts. Raises `BrokenLink`."""
    text = share_link.as_text(share_link.decode(tail))
    return Opened(text, redaction.fill_placeholders(text), redaction.with_holes(text, HOLE))


def same_link(lang: Lang, tail: str) -> Link | None:
    """Return the link that was opened, in a language; it carries what it carried."""
    return _link(lang, share_link.decode(tail))
