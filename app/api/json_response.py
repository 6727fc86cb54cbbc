"""JSON as it is sent."""

import json
import re
from typing import Any

from fastapi.responses import JSONResponse

_SURROGATE = re.compile("[\ud800-\udfff]")


class Json(JSONResponse):
    """JSON in UTF-8 without validation; half of a surrogate pair, which no encoding can carry, becomes U+FFFD."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return whole_characters(text).encode()


def whole_characters(text: str) -> str:
    """Return `text` with every half of a surrogate pair replaced; its length in code points stays."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
