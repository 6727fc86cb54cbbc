"""JSON as it is sent."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastapi.responses import JSONResponse

Row = TypeVar("Row")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Json(JSONResponse):
    """JSON in UTF-8 without validation; half of a surrogate pair, which no encoding can carry, becomes U+FFFD."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return whole_characters(text).encode()


def one_page(
    found: Sequence[Row], limit: int, show: Callable[[Row], dict[str, Any]], cursor: Callable[[Row], str]
) -> dict[str, Any]:
    """Return a page of a list; `found` holds one row more than `limit` where there are more.

    `next` is the cursor of the last row that is shown, null where nothing follows.
    """
    items = [show(row) for row in found[:limit]]
    return {"items": items, "next": cursor(found[limit - 1]) if len(found) > limit else None}


def whole_characters(text: str) -> str:
    """Return `text` with every half of a surrogate pair replaced; its length in code points stays."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
