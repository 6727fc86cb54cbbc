"""What several texts at once are asked with and answered by, for the OpenAPI document."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.api.schemas import AnswerShown, Problem, Shape, whole_number
from app.asking.question_service import MOST
from app.i18n import Lang

MOST_TEXTS = 50


class Batch(BaseModel):
    """What `POST /api/v1/match/batch` takes."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"texts": ["KeyError: 'response_mask'"], "lang": "en"}]}
    )

    texts: Annotated[list[str], Field(min_length=1, max_length=MOST_TEXTS)] = Field(
        description="Lines, questions or whole logs; together as large as one may be."
    )
    lang: Lang = Field("en", description="The language of titles and reasons; else that of Accept-Language.")
    limit: Annotated[int, Field(strict=True, ge=1, le=MOST), BeforeValidator(whole_number)] = Field(
        5, description="Most matches, and most related, of each; else 5."
    )
    include: Literal["fix"] | None = Field(None, description="`fix`: matches have cause and first steps, too.")


class OneAnswered(Shape):
    """The answer to one of the texts, or the problem in its place; the other one is null."""

    answer: AnswerShown | None
    problem: Problem | None


class BatchAnswered(Shape):
    """An answer for each text, in the order of the texts."""

    answers: Annotated[list[OneAnswered], Field(min_length=1, max_length=MOST_TEXTS)]
