"""What a list of entries is narrowed to, as every address that lists them takes it."""

import re
from datetime import UTC, datetime, time
from typing import Annotated, Literal

from fastapi import Depends, Query
from pydantic import BeforeValidator, WithJsonSchema

from app.content.schema import NAME
from app.finding.search_service import Filters

# values of one filter
MOST_VALUES = 8
_WORD = f"^{NAME}$"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?", re.ASCII | re.IGNORECASE)


def _moment(text: object) -> datetime:
    """Return the moment in UTC that a day or a moment of RFC 3339 begins with."""
    # A plus sign that was not written as %2B arrives as a space.
    written = str(text).replace(" ", "+")
    if not _MOMENT.fullmatch(written):
        raise ValueError("write a day such as 2026-11-20, or a moment such as 2026-11-20T08:00:00Z")
    found = datetime.fromisoformat(written.upper())
    try:
        return found.astimezone(UTC) if found.tzinfo else datetime.combine(found.date(), time.min, UTC)
    except OverflowError:
        # It is within a day of the first or the last moment that there is.
        return found.replace(tzinfo=UTC)


Project = Annotated[str | None, Query(pattern=_WORD, description="Only entries of this project.")]
Words = Annotated[list[Annotated[str, Query(pattern=_WORD)]], Query(max_length=MOST_VALUES)]
Since = Annotated[
    Annotated[
        datetime,
        BeforeValidator(_moment),
        WithJsonSchema({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]}),
    ]
    | None,
    Query(description="Only what was published from this day (UTC) or moment on."),
]


async def _narrowed(
    *,
    project: Project = None,
    kind: Annotated[Literal["error", "question"] | None, Query(description="Only entries of this kind.")] = None,
    component: Annotated[Words, Query(description="Only entries about this component; given again, about each.")] = (),  # type: ignore[assignment]
    tag: Annotated[Words, Query(description="Only entries with this tag; given again, with each.")] = (),  # type: ignore[assignment]
    changed_since: Since = None,
) -> Filters:
    components, tags = (tuple(dict.fromkeys(words)) for words in (component, tag))
    return Filters(project or "", kind or "", components, tags, changed_since)


FiltersDep = Annotated[Filters, Depends(_narrowed)]
