"""The result page: what the specimen is, how sure we are, and what else it could be."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.asking import entry_draft, share_link
from app.asking.ask import Asker
from app.asking.question_service import Answer
from app.asking.version_words import seen_lines
from app.asking.way_on import WayOn, way_on
from app.errors import NotFound
from app.i18n import Lang
from app.matching.model import Message, Report, Span
from app.matching.ranking.nearness import is_type_alone
from app.network.addresses import client_address
from app.people.permissions import PAGE_READ
from app.site.entry import feedback
from app.site.entry.feedback import FeedbackShown
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, limited, poster, render_page
from app.site.paste.answer_card import MOST_CARDS, Card, card, family_question, question_of_near
from app.site.paste.excerpt import Stretch, excerpt, weight
from app.site.paste.headline import Headline, headline_of
from app.site.paste.home import home_page
from app.site.paste.near_entries import Near, fitting, near_entries
from app.site.paste.runner_up import RunnerUp, runner_up
from app.site.paste.share import Link, link_of, opened, same_link
from app.site.paste.upload import pasted
from app.web.dependencies import MaybeWho, Reading, SettingsDep
from app.web.services import services_of
from app.wiki import publishing

router = APIRouter()
get = getter(router)
post = poster(router)

ERRORS_SHOWN = 8
FRAMES_SHOWN = 3
VERSIONS_SHOWN = 12
LONGEST_CARRIED = 64 * 1024
# The page holds the paste for the buttons that send it on if it adds at most so many bytes, compressed.
HEAVIEST_CARRIED = 10 * 1024
# The button that asks the same again sends this field, so that the error is not counted a second time.
AGAIN = "again"
_LONGEST_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class ErrorSeen:
    """An error of the paste; `role` and `why` are keys, `count` is how often it was seen."""

    line: int
    message: str
    role: str
    why: str
    count: int


@dataclass(frozen=True, slots=True)
class ResultPage:
    """Context of `result.html`.

    `headline` is the message that the page is about, or the first line of what was asked. `question` is what to ask
    back when one message has several causes, empty otherwise. `near_heading` is the key of what stands above the
    nearest entries, `near_question` what tells them apart; `type_alone` says that a type without its message was
    pasted. `related` are entries that are near, but no answers; `way_on` is where to search when there is none.
    `versions` are packages with what the paste tells of each, and whether those are several versions.
    `sought` are the frames that were looked for, innermost last. `specimen` shows the paste when there is no answer.
    `carried` is the paste, or the telling part of a long one, for the buttons that send it on; `whole` says which.
    `link` is the one for a colleague, `from_link` says that this page was opened by one.
    `counted` says that the error, masked, is counted as one without an entry.
    `masked` is how many secrets the server masked before it looked at the paste.
    """

    headline: Headline
    answers: tuple[Card, ...]
    question: str
    near_heading: str
    near_question: str
    type_alone: bool
    related: tuple[Near, ...]
    way_on: WayOn | None
    versions: tuple[tuple[str, bool], ...]
    cause: ErrorSeen | None
    errors: tuple[ErrorSeen, ...]
    more_errors: int
    sought: tuple[str, ...]
    specimen: tuple[Stretch, ...]
    lines: int
    truncated: bool
    carried: str
    whole: bool
    second: RunnerUp | None
    feedback: FeedbackShown | None
    link: Link | None
    from_link: bool
    masked: int = 0
    counted: bool = False


@post("/{lang}/match", PAGE_READ, limited("match", "rate_match"))
def match(
    *,
    request: Request,
    lang: Language,
    who: MaybeWho,
    fields: FormFields,
    session: Reading,
    settings: SettingsDep,
) -> HTMLResponse:
    """Answer a paste. Nothing of it is kept."""
    sent = pasted(fields, settings.max_paste)
    if sent.problem:
        return render_page(request, "home.html", home_page(request, session, lang, sent.problem, sent.text), 422)
    asker = Asker(client_address(request), who.id if who else None)
    answer = services_of(request).answers.ask(sent.text, lang, asker=asker, again=bool(fields.one(AGAIN)))
    page = result_page(request, session, lang, sent.text, answer)
    return render_page(request, "result.html", replace(page, masked=sent.masked, counted=answer.counted))


@get("/{lang}/match", PAGE_READ, dependencies=[Depends(limited("match", "rate_match"))])
def from_link(request: Request, lang: Language, session: Reading, s: str = "") -> Response:
    """Answer the signatures of a colleague's link; without any, lead to the paste box."""
    if not s:
        return RedirectResponse(f"/{lang}/", 303)
    try:
        link = opened(s)
    except share_link.BrokenLink:
        return render_page(request, "home.html", home_page(request, session, lang, "link.broken"), 400)
    answer = services_of(request).answers.ask(link.asked, lang)
    answer = replace(answer, report=share_link.restore_text(answer.report, link.shown))
    page = result_page(request, session, lang, link.shown, answer)
    page = replace(page, carried=link.drafted, link=same_link(lang, s), from_link=True)
    return render_page(request, "result.html", page)


def result_page(request: Request, session: Session, lang: Lang, text: str, answer: Answer) -> ResultPage:
    """Return the context of the result page for a paste and what was answered."""
    report = answer.report
    cause = report.cause or next(iter(report.errors), None)
    carried = _carried(report, text)
    family = family_question(lang, answer.matches, answer.names)
    near = None if answer.matches else question_of_near(lang, fitting(answer), answer.names)
    looks = family.looks if family else near.looks if near else {}
    return ResultPage(
        headline=_headline(cause, text),
        answers=tuple(
            card(session, lang, text, found, look=looks.get(found.slug, ""), is_first=place == 0)
            for place, found in enumerate(answer.matches[:MOST_CARDS])
        ),
        question=family.question if family else "",
        near_heading=_near_heading(answer),
        near_question=near.question if near else "",
        type_alone=not answer.matches and is_type_alone(report),
        related=near_entries(lang, answer, MOST_CARDS, looks),
        way_on=None if answer.matches else way_on(report, lang, answer.names),
        versions=seen_lines(report.versions, VERSIONS_SHOWN),
        cause=_seen(cause) if cause else None,
        errors=tuple(_seen(error) for error in report.errors[:ERRORS_SHOWN]),
        more_errors=max(0, len(report.errors) - ERRORS_SHOWN),
        sought=tuple(f"{frame.path}:{frame.function}" for frame in cause.frames[-FRAMES_SHOWN:]) if cause else (),
        specimen=() if answer.matches else excerpt(text, _spans_of_errors(report)),
        lines=report.lines,
        truncated=report.truncated,
        carried=carried,
        whole=len(carried) == len(text),
        second=runner_up(lang, answer),
        feedback=_feedback(request, session, answer),
        link=link_of(lang, answer),
        from_link=False,
    )


def _near_heading(answer: Answer) -> str:
    several = len(fitting(answer))
    return "result.nearest" if not several else "result.fits-one" if several == 1 else "result.fits-several"


def _carried(report: Report, text: str) -> str:
    if len(text) <= LONGEST_CARRIED and weight(text) <= HEAVIEST_CARRIED:
        return text
    return entry_draft.from_report(report, text).example[:LONGEST_CARRIED]


def _feedback(request: Request, session: Session, answer: Answer) -> FeedbackShown | None:
    if not answer.matches:
        return None
    try:
        row, document = publishing.published(session, answer.matches[0].slug)
    except NotFound:
        return None
    return feedback.shown(request, session, document, row.revision)


def _headline(cause: Message | None, text: str) -> Headline:
    """Return the message of the first cause, or the first line of a paste without errors."""
    return headline_of(cause.text if cause else text.strip().partition("\n")[0].strip())


def _shortened(said: str) -> str:
    return said if len(said) <= _LONGEST_MESSAGE else f"{said[:_LONGEST_MESSAGE]}…"


def _seen(error: Message) -> ErrorSeen:
    return ErrorSeen(error.line, _shortened(error.text), error.role or "", error.why, error.times)


def _spans_of_errors(report: Report) -> Iterable[Span]:
    return (span for error in report.errors if error.role == "cause" for span in error.spans(0, len(error.text)))
