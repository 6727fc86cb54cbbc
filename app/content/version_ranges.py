"""Which texts are ranges of versions (PEP 440): one pattern, for the application and for the JSON Schema of an entry.

It is what `packaging` takes, in ASCII and of bounded length. `packaging` reads the numbers of a range only when it
compares them, and of more than 4,300 digits Python reads none.
"""

import re

LONGEST_RANGE = 200


def _in_any_case(words: str) -> str:
    """Return a pattern of words with `|` between; a flag that ignores the case is not known everywhere."""
    return re.sub("[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", words)


_SPACE = r"[\t-\r ]*"
_RELEASE = _in_any_case("v?") + r"([0-9]+!)?[0-9]+(\.[0-9]+)"
_PHASE = (
    rf"([-_.]?({_in_any_case('alpha|beta|preview|pre|a|b|c|rc')})[-_.]?[0-9]*)?"
    rf"(-[0-9]+|[-_.]?({_in_any_case('post|rev|r')})[-_.]?[0-9]*)?"
    rf"([-_.]?{_in_any_case('dev')}[-_.]?[0-9]*)?"
)
_LOCAL = r"(\+[A-Za-z0-9]+([-_.][A-Za-z0-9]+)*)?"
# What `===` compares as a text: printed ASCII without what ends a range.
_VERBATIM = r"[!-(*+\--:<-~]+"
# Nothing here begins as what stands before it may end, so that no text takes long to refuse.
_ONE = (
    rf"(===({_SPACE}{_VERBATIM})?|[=!]={_SPACE}{_RELEASE}*(\.\*|{_PHASE}{_LOCAL})"
    rf"|~={_SPACE}{_RELEASE}+{_PHASE}|[<>]=?{_SPACE}{_RELEASE}*{_PHASE})"
)
RANGE_PATTERN = rf"^[\t-\r ,]*({_ONE}{_SPACE}(,[\t-\r ,]*|$))*$"
_RANGE = re.compile(RANGE_PATTERN)


def is_range(text: str) -> bool:
    """Tell whether a text is a range such as `>=0.7,<0.9`; the empty one holds every version."""
    return len(text) <= LONGEST_RANGE and _RANGE.search(text) is not None
