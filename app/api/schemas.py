"""What goes over the wire, for the OpenAPI document. Answers are built as plain dicts; tests hold them to these."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from app.asking.question_service import MOST
from app.content.schema import EntryDocument, Plain
from app.i18n import Lang

PROBLEM_JSON = "application/problem+json"
Span = Annotated[
    tuple[int, int],
    Field(description="`[start, end)` in Unicode code points of the text as received."),
]


def whole_number(value: object) -> object:
    """Return 5 for 5.0, and anything else as it is."""
    # JSON Schema takes 5.0 for an integer.
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Shape(BaseModel):
    """Base of all shapes: what is not described is not there."""

    model_config = ConfigDict(extra="forbid")


class Index(Shape):
    """Where things are, as absolute addresses."""

    version: str = Field(description="The release that answers.")
    openapi: str
    match: str
    search: str
    entries: str
    changes: str
    projects: str
    components: str
    tags: str
    signatures: str
    families: str
    wanted: str
    submissions: str
    audit: str = Field(description="For admins.")


class Question(BaseModel):
    """What `POST /api/v1/match` takes as JSON."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "KeyError: 'response_mask'", "lang": "en"}]}
    )

    text: str = Field(description="A line, a question or a whole log, exactly as the terminal shows it.")
    lang: Lang = Field(
        "en", description="The language of titles and reasons; else what the address or Accept-Language says."
    )
    limit: Annotated[int, Field(strict=True, ge=1, le=MOST), BeforeValidator(whole_number)] = Field(
        5, description="Most matches, and most related; else what the address says, or 5."
    )
    include: Literal["fix"] | None = Field(None, description="`fix`: matches have cause and first steps, too.")


class ReasonShown(Shape):
    """Why a score is what it is."""

    key: str = Field(description="Stable name of the kind of reason.")
    text: str = Field(description="The reason as a sentence in the language asked for.")
    contribution: float = Field(description="Points of the score that it gives.")
    spans: list[Span] = Field(description="Where in the text it was seen.")


class ActionsShown(Shape):
    """What another tool may do with the answer."""

    retryable: bool | None = None
    needs: Literal["human"] | None = None


class FixShown(Shape):
    """What an entry says of cause and fix, as markdown, so much as fits beside an answer."""

    cause: str = Field(description="Empty where the entry has no such section.")
    steps: str
    more: bool = Field(description="The page of the entry has more.")


class VerdictShown(Shape):
    """What the versions of the text mean for an entry, of one package that the entry names a release of."""

    package: str
    seen: str | None = Field(description="The version that the text tells, as printed; null where it tells none.")
    verdict: Literal["affected", "fixed", "not-affected", "unknown"]
    fixed: str | None = Field(description="The release without the problem, to go to or already there.")
    with_: dict[str, str] = Field(
        alias="with", description="The other versions of a pair that decided: {package: version}."
    )
    text: str = Field(description="The same as a sentence; the rows of one pair share it.")


class MatchShown(Shape):
    """An entry that was compared with the text."""

    slug: str
    title: str
    lang: Lang = Field(description="The language that the title is in; the other one when there is no text in yours.")
    url: str = Field(description="The page of the entry, for people.")
    score: float = Field(ge=0, le=100)
    confidence: Literal["high", "likely", "low"]
    reasons: list[ReasonShown]
    why_not: str | None = Field(description="Why it is only related; null for an answer.")
    actions: ActionsShown | None
    fix: FixShown | None = Field(None, description="There for matches when it was asked for, with `include=fix`.")
    versions: list[VerdictShown] = Field(description="Whether what was seen has the problem, package by package.")


class ErrorShown(Shape):
    """An error of the text."""

    type: str = Field(description="Exception type without its module; empty where none is printed.")
    message: str
    role: Literal["cause", "consequence", "wrapper", "handled", "noise"]
    incident: int = Field(ge=0, description="The failure that it belongs to, 1 is the first; 0: none.")
    line: int = Field(ge=1)
    span: Span


class VersionShown(Shape):
    """A version that the text tells of what is installed or running."""

    package: str = Field(description="The normalised name on PyPI, or python, cuda, driver, nccl or cann.")
    version: str = Field(description="As printed.")
    span: Span


class ReportShown(Shape):
    """What was found in the text: the errors in its order, at most 50, and the versions, at most 100."""

    errors: Annotated[list[ErrorShown], Field(max_length=MOST)]
    versions: Annotated[list[VersionShown], Field(max_length=100)]
    lines: int = Field(ge=0)
    truncated: bool = Field(description="Not all of the text could be looked at closely.")


class WayOnShown(Shape):
    """Where to search when nothing is known, and what to report."""

    tracker: str = Field(description="What the issue tracker is called.")
    url: str = Field(description="A search of it for the message without values. Nothing is sent until it is followed.")
    asks: str = Field(description="What its maintainers want to see, in the language asked for.")


class AnswerShown(Shape):
    """`matches` is what we stand behind; `related` is worth a look and says why it is not more."""

    matches: Annotated[list[MatchShown], Field(max_length=MOST)]
    related: Annotated[list[MatchShown], Field(max_length=MOST)]
    report: ReportShown
    next: WayOnShown | None = Field(description="The way on when `matches` is empty; null otherwise.")


class HeadShown(Shape):
    """An entry in a list."""

    slug: str
    project: str
    kind: Literal["error", "question"]
    title: str
    lang: Lang = Field(description="The language that the title is in.")
    url: str
    revision: int = Field(ge=1)
    digest: str = Field(description="SHA-256 of the canonical document: the same text has the same one.")


class EntryShown(EntryDocument):
    """A published entry, with its revision number and the address of its page."""

    revision: int = Field(ge=1)
    url: str


class RevisionHead(Shape):
    """A published version in a list."""

    number: int = Field(ge=1)
    at: datetime
    actor: str = Field(description="Who published it.")
    author: str = Field(description="The member who wrote it; empty when that is not known.")
    self_approved: bool = Field(description="Its author published it; nobody else looked at it before.")
    note: str
    digest: str = Field(description="SHA-256 of the canonical document.")


class RevisionShown(RevisionHead):
    """A published version with its document."""

    entry: EntryDocument


class EntryList(Shape):
    """Entries in the order of their slugs; `next` is the cursor of what follows."""

    items: list[HeadShown]
    next: str | None


class RevisionList(Shape):
    """Revisions, newest first; `next` is the cursor of what follows."""

    items: list[RevisionHead]
    next: str | None


class AuditShown(Shape):
    """Something that somebody did. `kind` and `about` name what it was done to."""

    number: int = Field(ge=1)
    at: datetime
    actor: int | None = Field(description="The number of a person; null for a stranger, and for a command.")
    name: str = Field(description="Of the person today; empty where there is none.")
    origin: Literal["site", "command"]
    act: str
    kind: str
    about: int | None
    before: str
    after: str


class AuditList(Shape):
    """What people did, newest first; `next` is the cursor of what follows."""

    items: list[AuditShown]
    next: str | None


class ChangeShown(Shape):
    """Something that was published: ask for the entry to have its present text."""

    id: int = Field(ge=1, description="Rises with each change; `since` of the next question.")
    slug: str
    number: int = Field(ge=1, description="The revision.")
    what: Literal["new", "changed", "withdrawn", "restored"]
    former: list[str] = Field(description="Slugs that lead to this entry now.")
    digest: str = Field(description="SHA-256 of the canonical document.")
    at: datetime


class ChangeList(Shape):
    """Changes, oldest first; `next` is what to ask with as `since`, null when there are no more for now."""

    items: list[ChangeShown]
    next: str | None


class MatchList(Shape):
    """What a search found, best first; `next` is the cursor of what follows."""

    items: list[MatchShown]
    next: str | None


class FeedbackGiven(Shape):
    """What `POST /api/v1/entries/{project}/{name}/feedback` takes."""

    said: Literal["solved", "not-this", "outdated"]
    note: Annotated[Plain, StringConstraints(max_length=1000)] = Field(
        "", description="For the reviewers; not published. Not kept when it was solved."
    )
    lang: Lang = Field("en", description="The language of the note.")


class FeedbackNoted(Shape):
    """What was counted, under the slug that the entry has now."""

    slug: str
    said: Literal["solved", "not-this", "outdated"]


class Health(Shape):
    """The answer of a health check."""

    status: Literal["ok"]


class Problem(Shape):
    """An error (RFC 9457). `type` is stable, the texts are not."""

    type: Annotated[str, StringConstraints(pattern=r"^/problems/[a-z-]+$")] = Field(
        description="Stable; the address, on this site, of a page that explains it.",
        json_schema_extra={"format": "uri-reference"},
    )
    title: str
    status: int
    detail: str
    instance: str = Field(description="The path that was asked for.")
    fields: dict[str, str] = Field(default_factory=dict, description="What is wrong with single inputs, by their name.")
