"""The lists of submissions: those that wait for a reviewer or their submitter, and those that were decided on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.asking import unanswered
from app.content.schema import EntryDocument
from app.i18n import Lang
from app.people.accounts import reviewer
from app.people.permissions import REVIEW
from app.site.frame.page import Language, getter, render_page
from app.store import submissions
from app.store.columns import LARGEST_NUMBER, now
from app.store.submission_tables import Submission
from app.store.submissions import Wished
from app.web.dependencies import Reading, SignedIn
from app.wiki.proposals import DECIDED, RETURNED

router = APIRouter()
get = getter(router)
PAGE = 50
# each list, with the states of the submissions in it
LISTS: Mapping[str, tuple[str, ...]] = {"open": ("open",), "returned": (RETURNED,), "decided": DECIDED}
# days that a submission is old at least, to choose from
AGES = (0, 7, 30)


@dataclass(frozen=True, slots=True)
class QueuePage:
    """Context of `review_queue.html`; `next` is the number after which the next page begins, 0 on the last.

    `shown` is the list that is shown, of `lists`; `project` and `age` (days) are what it is narrowed down to.
    `unreleased` is how many errors without an entry only reviewers see.
    """

    rows: tuple[Submission, ...]
    titles: dict[int, str]
    waiting: int
    unreleased: int
    next: int
    lists: tuple[str, ...]
    shown: str
    projects: tuple[str, ...]
    project: str
    ages: tuple[int, ...]
    age: int


@get("/{lang}/review", REVIEW)
def queue(
    *,
    request: Request,
    lang: Language,
    who: SignedIn,
    session: Reading,
    after: int = 0,
    state: str = "open",
    project: str = "",
    age: str = "",
) -> HTMLResponse:
    """List what waits for a decision, oldest first, or what was decided, the newest first."""
    reviewer(who)
    shown = state if state in LISTS else "open"
    days = int(age) if age in map(str, AGES) else 0
    wished = Wished(LISTS[shown], project[:80], now() - timedelta(days=days) if days else None)
    after = min(max(0, after), LARGEST_NUMBER)
    rows = submissions.queue(session, wished, after=after, limit=PAGE + 1, newest=shown == "decided")
    page = QueuePage(
        rows=tuple(rows[:PAGE]),
        titles={row.id or 0: _title(row, lang) for row in rows[:PAGE]},
        waiting=submissions.waiting(session),
        unreleased=unanswered.unreleased(session),
        next=rows[PAGE - 1].id or 0 if len(rows) > PAGE else 0,
        lists=tuple(LISTS),
        shown=shown,
        projects=tuple(submissions.projects(session, LISTS[shown])),
        project=project[:80],
        ages=AGES,
        age=days,
    )
    return render_page(request, "review_queue.html", page)


def _title(row: Submission, lang: Lang) -> str:
    return EntryDocument.model_validate_json(row.document).text(lang)[1].title
