"""Stack lines in the forms in which Python, IPython, rich and pytest print them."""

import re

from app.matching.types import Frame, Span

_PYTHON = re.compile(r'File \\?"([^"\\\n]{1,400})\\?", line \d+(?:, in ([^\s,]{1,200}))?')
_IPYTHON = re.compile(
    r"(?:File )?((?:[\w.~@+-]*/)+[\w.+-]+\.py[x]?|<[\w-]+>)(?::\d+)?(?:,)? in (<?[A-Za-z_][\w.<>]*>?)"
)
_PYTEST = re.compile(r"^([\w./-]+\.py):\d+: (?:in )?([A-Za-z_]\w*)$")


def frame(text: str, line: int, span: Span) -> Frame | None:
    """Return the frame that a cleaned line shows, or None."""
    if "line " in text and (match := _PYTHON.search(text)):
        return Frame(match.group(1), match.group(2) or "", line, span)
    if " in " in text and (match := _IPYTHON.search(text)):
        return Frame(match.group(1), match.group(2).partition("(")[0].rpartition(".")[2], line, span)
    if ".py:" in text and (match := _PYTEST.match(text)):
        return Frame(match.group(1), match.group(2), line, span)
    return None


def tail(path: str) -> str:
    """Return the last two parts of a path, with forward slashes: what the index knows a frame's file by."""
    parts = path.replace("\\", "/").rsplit("/", 2)
    return "/".join(parts[-2:])
