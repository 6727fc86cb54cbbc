"""Reading a request body: JSON or plain text, whatever bytes it holds."""

import codecs
import json
from collections.abc import Mapping
from email.message import Message
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError

from app.api.json_response import whole_characters
from app.api.strict_route import refuse_unknown
from app.content.schema import WRITTEN
from app.errors import BadInput, MalformedBody, TooLarge, UnsupportedMedia

# The names of codecs for texts begin with these. Python has others that decode slowly or mean something else (idna,
# unicode_escape).
_CHARSETS = ("utf", "ascii", "iso8859", "cp", "gb", "big5", "hz", "shift_jis", "euc", "koi8", "mac", "tis")

_ADVICE = "send application/json or text/plain (with curl: -H 'content-type: text/plain' --data-binary @FILE)"
Model = TypeVar("Model", bound=BaseModel)


class Body:
    """A body as received: its bytes, its media type in lower case ("" when none was named) and its charset."""

    def __init__(self, content: bytes, content_type: str) -> None:
        self.content = content
        self.media_type, self.charset = _said(content_type)

    def text(self, most: int) -> str:
        """Return the body as text; bytes that are none in its charset are replaced.

        Raises `TooLarge` over `most` bytes, `UnsupportedMedia` for an unknown charset.
        """
        if len(self.content) > most:
            raise TooLarge(limit=most)
        return self.content.decode(_codec(self.charset), "replace")

    def json(self) -> Any:
        """Return the values of a JSON body. Raises `MalformedBody`."""
        try:
            return json.loads(self.content)
        except UnicodeDecodeError as error:
            raise MalformedBody(detail=f"the JSON is not UTF-8 (byte {error.start})") from error
        except RecursionError as error:
            raise MalformedBody(detail="the JSON is nested too deeply") from error
        except ValueError as error:
            raise MalformedBody(detail=f"the body is not valid JSON: {error}") from error


@lru_cache(maxsize=256)
def _said(content_type: str) -> tuple[str, str]:
    header = Message()
    header["content-type"] = content_type
    return header.get_content_type() if "/" in content_type else "", str(header.get_content_charset("utf-8"))


async def received(request: Request) -> Body:
    """Return the body of a request, once it is there."""
    return Body(await request.body(), request.headers.get("content-type", ""))


BodyDep = Annotated[Body, Depends(received)]


def validated(model: type[Model], plain: Any) -> Model:
    """Return the values as `model`. Raises `UnknownParameter`, and `BadInput` whose `fields` name each place."""
    if isinstance(plain, dict):
        refuse_unknown(plain, (field.alias or name for name, field in model.model_fields.items()))
    try:
        return model.model_validate(plain, context=WRITTEN)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        fields = {".".join(str(part) for part in one["loc"])[:200] or "body": one["msg"] for one in found[:50]}
        detail = "; ".join(f"{name}: {what}" for name, what in fields.items())
        raise BadInput(detail=detail[:2000], fields=fields) from error


def sent_as_json(model: type[Model], body: Body, most: int) -> Model:
    """Return the `model` that a body of JSON is. Raises `TooLarge` over `most` bytes, `UnsupportedMedia`,
    `MalformedBody`, `BadInput`, `UnknownParameter`.
    """
    if body.media_type != "application/json":
        raise UnsupportedMedia(detail="send application/json")
    if len(body.content) > most:
        raise TooLarge(limit=most)
    return validated(model, body.json())


def takes(model: type[BaseModel], *, plain_text: bool = False) -> dict[str, Any]:
    """Return what the OpenAPI document says of the body of a route that reads it by hand: a `model` as JSON, or its
    text alone.
    """
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}
    if plain_text:
        content["text/plain"] = {"schema": {"type": "string"}}
    return {"requestBody": {"required": True, "content": content}}


def pasted(model: type[Model], body: Body, query: Mapping[str, Any], most: int) -> Model:
    """Return a `model` that has a `text`: the plain text of a body, or what its JSON says.

    `query` is what the address says of the other fields, which JSON may say, too. Raises `TooLarge` for a text of more
    than `most` bytes, `UnsupportedMedia`, `MalformedBody`, `BadInput`, `UnknownParameter`.
    """
    if body.media_type == "text/plain":
        return model(text=whole_characters(body.text(most)), **query)
    if body.media_type != "application/json":
        raise UnsupportedMedia(detail=_ADVICE)
    plain = body.json()
    if isinstance(plain, dict):
        if isinstance(text := plain.get("text"), str):
            _within(text, most)
            plain["text"] = whole_characters(text)
        plain = {**query, **plain}
    return validated(model, plain)


def _within(text: str, most: int) -> None:
    # A character has at most four bytes, so that most texts need not be encoded to be measured.
    if len(text) * 4 > most and len(text.encode("utf-8", "surrogatepass")) > most:
        raise TooLarge(limit=most)


def _codec(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError) as error:
        raise UnsupportedMedia(detail=f"unknown charset {charset[:40]!r}; send UTF-8") from error
    if not name.startswith(_CHARSETS):
        raise UnsupportedMedia(detail=f"{charset[:40]!r} is no charset of texts; send UTF-8")
    return name
