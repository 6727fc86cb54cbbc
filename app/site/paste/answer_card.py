"""An answer as a card: how sure we are, whether to trust it, and its first steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup
from sqlmodel import Session

from app.asking.question_service import Match
from app.asking.version_words import verdict_lines
from app.content.headings import answer_headings
from app.content.names import Names
from app.content.schema import EntryDocument
from app.errors import NotFound
from app.i18n import Lang
from app.site.paste import wording
from app.site.paste.excerpt import Stretch, excerpt
from app.web.first_steps import first_steps
from app.web.markdown import markdown
from app.wiki import feedback, publishing

# A page has so many cards. Further answers are listed with the similar entries.
MOST_CARDS = 3
# Answers whose scores differ by at most so many points count as equally good.
ABOUT_EQUAL = 12


@dataclass(frozen=True, slots=True)
class Card:
    """An answer as the page shows it; `lang` is the language that its texts are in.

    `look` says what tells it apart from the others of its family, as markdown without blocks; empty where no question
    is asked. `first` are the `shown` steps that are seen at once, of `total`; `rest` are the others. `solved` is how
    many people said that it helped, `changed` the day of its last change. `verdicts` are (verdict, sentence) of
    what the versions in the paste mean.
    """

    slug: str
    project: str
    title: str
    lang: str
    look: str
    score: float
    confidence: str
    reasons: tuple[wording.Worded, ...]
    specimen: tuple[Stretch, ...]
    first: Markup
    rest: Markup
    shown: int
    total: int
    solved: int
    changed: date | None
    versions: tuple[tuple[str, str], ...]
    verdicts: tuple[tuple[str, str], ...]
    retryable: bool


@dataclass(frozen=True, slots=True)
class FamilyQuestion:
    """The question that tells equally good answers apart, and by slug what speaks for each."""

    question: str
    looks: dict[str, str]


def family_question(lang: Lang, matches: Sequence[Match], names: Names) -> FamilyQuestion | None:
    """Return what to ask back where one message has several causes that answer a paste about equally well."""
    return _question(lang, [match for match in matches if matches[0].score - match.score <= ABOUT_EQUAL], names)


def question_of_near(lang: Lang, fitting: Sequence[Match], names: Names) -> FamilyQuestion | None:
    """Return what to ask back where a short line fits several entries of one family."""
    return _question(lang, fitting, names)


def _question(lang: Lang, equal: Sequence[Match], names: Names) -> FamilyQuestion | None:
    family = names.asked_back([match.slug for match in equal])
    if family is None:
        return None
    looks = {found.slug: family.look[found.slug][lang] for found in equal if found.slug in family.look}
    return FamilyQuestion(family.question[lang], looks)


def card(session: Session, lang: Lang, text: str, found: Match, *, look: str, is_first: bool) -> Card:
    """Return the card of an answer to the paste `text`."""
    document = document_of(session, found.slug)
    steps = first_steps(document.text(lang)[1].body, answer_headings()) if document else None
    spans = [span for reason in found.reasons for span in reason.spans]
    sizes = {"visible": 80} if is_first else {"visible": 24, "folded": 0, "context": 1, "longest": 240}
    return Card(
        slug=found.slug,
        project=found.slug.partition("/")[0],
        title=found.title,
        lang=found.lang,
        look=look,
        score=found.score,
        confidence="likely" if look and found.confidence == "high" else found.confidence,
        reasons=tuple(wording.reason(lang, reason) for reason in found.reasons),
        specimen=excerpt(text, spans, **sizes) if spans else (),
        first=markdown(steps.first, lang) if steps else Markup(),
        rest=markdown(steps.rest, lang) if steps else Markup(),
        shown=steps.shown if steps else 0,
        total=steps.total if steps else 0,
        solved=feedback.counts(session, document).solved if document else 0,
        changed=document.updated if document else None,
        versions=tuple(document.affects.items()) if document else (),
        verdicts=verdict_lines(found.versions, lang),
        retryable=bool((found.actions or {}).get("retryable")),
    )


def document_of(session: Session, slug: str) -> EntryDocument | None:
    """Return the published document of `slug`, or None when it was withdrawn a moment ago."""
    try:
        return publishing.published(session, slug)[1]
    except NotFound:
        return None
