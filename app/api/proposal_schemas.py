"""How an entry is begun, proposed and followed, for the OpenAPI document."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.api.schemas import Shape
from app.content.schema import EntryDocument, Part, Plain, Signature
from app.i18n import Lang


class AnsweredShown(Shape):
    """An entry that answers already what is being proposed."""

    slug: str
    title: str
    lang: Lang = Field(description="The language that the title is in.")
    url: str
    score: float = Field(ge=0, le=100)
    confidence: Literal["high", "likely"]


class Paste(BaseModel):
    """What `POST /api/v1/draft` takes as JSON."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "ZorbError: the frobnicator has left", "lang": "en"}]}
    )

    text: str = Field(description="A line or a whole log, exactly as the terminal shows it.")
    lang: Lang = Field(
        "en", description="The language that the entry will be written in; else that of Accept-Language."
    )


class DraftText(Shape):
    """A title, and the headings under which somebody writes."""

    title: str
    body: str


class DraftEntry(Shape):
    """An entry that is begun, in the shape in which it can be proposed when what is missing was written."""

    slug: str = Field(description="Empty where the paste names no project.")
    updated: date
    components: list[str]
    tags: list[str]
    signatures: list[Signature]
    en: DraftText | None = None
    zh: DraftText | None = None
    examples: list[str]


class DraftShown(Shape):
    """What a paste tells for a new entry."""

    entry: DraftEntry
    missing: list[str] = Field(description="The fields that somebody has to write.")
    answered: Annotated[list[AnsweredShown], Field(max_length=3)] = Field(
        description="Entries that answer the paste already: perhaps no new one is needed."
    )


class Proposed(Part):
    """What `POST /api/v1/submissions` takes. The slug of a published entry proposes a change to it."""

    entry: EntryDocument
    lang: Lang = Field("en", description="The language that the submitter reads.")
    submitter: Annotated[Plain, StringConstraints(max_length=120)] = Field(
        "", description="Who to thank; may be empty."
    )
    note: Annotated[Plain, StringConstraints(max_length=5000)] = Field(
        "", description="For the reviewer; not published."
    )


class Received(Shape):
    """A submission that is in the queue now. Keep the token: it is the only way back to it."""

    id: int
    slug: str
    state: Literal["open"]
    token: str | None = Field(description="null where somebody else has sent the same entry before.")
    url: str | None = Field(description="The submitter's page; null with the token.")
    answered: Annotated[list[AnsweredShown], Field(max_length=3)] = Field(
        description="Entries that answer its title or an example already: perhaps it need not be written."
    )


class Decision(Shape):
    """What a reviewer decided."""

    decision: str
    actor: str
    reason: str
    at: datetime


class SubmissionShown(Shape):
    """What became of a submission."""

    id: int
    slug: str
    state: Literal["open", "returned", "approved", "rejected"]
    at: datetime
    reviews: list[Decision]
    url: str = Field(description="The submitter's page.")
