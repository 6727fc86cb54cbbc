"""What the lists of the guide hold beside entries, for the OpenAPI document."""

from datetime import datetime

from pydantic import Field

from app.api.schemas import Shape
from app.content.schema import Signature


class FacetShown(Shape):
    """A project, a component or a tag."""

    key: str = Field(description="What filters take.")
    name: str = Field(description="What it is called in the language asked for.")
    entries: int = Field(ge=1, description="How many published entries have it.")


class FacetList(Shape):
    """Projects, components or tags in the order of their keys; `next` is the cursor of what follows."""

    items: list[FacetShown]
    next: str | None


class SignaturesShown(Shape):
    """An entry with what identifies its error."""

    slug: str
    revision: int = Field(ge=1)
    signatures: list[Signature]


class SignatureList(Shape):
    """Entries with their signatures in the order of their slugs; `next` is the cursor of what follows."""

    items: list[SignaturesShown]
    next: str | None


class FamilyMember(Shape):
    """An entry of a family, and what speaks for it, as markdown."""

    slug: str
    look: str


class FamilyShown(Shape):
    """Entries that one message can mean, and the question that tells them apart."""

    key: str
    question: str
    members: list[FamilyMember]


class FamilyList(Shape):
    """All families; `next` is always null."""

    items: list[FamilyShown]
    next: None


class WantedShown(Shape):
    """An error that has no entry yet, as it is counted: what is not public in it is a hole."""

    fingerprint: str
    pattern: str = Field(description="The message with `<*>` for what is not public in it.")
    asked: int = Field(ge=1, description="How often.")
    first: datetime
    last: datetime
    released: bool = Field(description="Everybody sees it; else only reviewers do.")


class WantedList(Shape):
    """What was asked most first; `next` is the cursor of what follows."""

    items: list[WantedShown]
    next: str | None
