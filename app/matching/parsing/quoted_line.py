"""The error line inside a typed sentence: `Type: message`, or one that names a cause without a type, whatever words,
quotes or Chinese stand around it.
"""

import re
from functools import cache

from app.matching.parsing.assembler import HALF_WIDTH
from app.matching.parsing.error_lines import names_a_cause, type_endings

# Words that the message must have; a type with less is a word of the question.
FEWEST_WORDS = 2
_WORD = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]{2}")


def quotes_an_error(text: str) -> bool:
    """Tell whether a sentence holds an error line with its message; a bare type, a flag or a metric's name is none."""
    text = text.translate(HALF_WIDTH)
    if names_a_cause(text):
        return True
    found = _typed().search(text)
    return found is not None and len(_WORD.findall(found["rest"][:200])) >= FEWEST_WORDS


@cache
def _typed() -> re.Pattern[str]:
    ending = "|".join(map(re.escape, type_endings()))
    return re.compile(
        rf"(?<![A-Za-z0-9_])(?:[A-Za-z_]\w{{0,80}}\.){{0,8}}[A-Z][A-Za-z0-9_]{{0,80}}?(?:{ending})[A-Za-z0-9_]{{0,40}}"
        rf"(?:\([A-Za-z0-9_.]+\))?:\s*(?P<rest>\S.*)",
        re.DOTALL,
    )
