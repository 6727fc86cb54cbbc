"""Stack lines in the forms in which Python, IPython, rich and pytest print them."""

import re
from functools import lru_cache

# The path of a frame of Windows holds backslashes; one before the quote is what JSON escapes it with.
_PYTHON = re.compile(r'File \\?"((?:[^"\\\n]|\\(?!")){1,400})\\?", line \d+(?:, in ([^\s,]{1,200}))?')
_IPYTHON = re.compile(
    r"(?:File )?((?:[\w.~@+-]*/)+[\w.+-]+\.py[x]?|<[\w-]+>)(?::\d+)?(?:,)? in (<?[A-Za-z_][\w.<>]*>?)"
)
_PYTEST = re.compile(r"^([\w./-]+\.py):\d+: (?:in )?([A-Za-z_]\w*)$")


def frame(text: str) -> tuple[str, str] | None:
    """Return the path and the function of the frame that a cleaned line shows, or None."""
    if "line " in text and (match := _PYTHON.search(text)):
        return match.group(1), match.group(2) or ""
    if " in " in text and (".py" in text or ">" in text) and (match := _IPYTHON.search(text)):
        return match.group(1), match.group(2).partition("(")[0].rpartition(".")[2]
    if ".py:" in text and (match := _PYTEST.match(text)):
        return match.group(1), match.group(2)
    return None


@lru_cache(maxsize=4_096)
def tail(path: str) -> str:
    """Return the last two parts of a path, with forward slashes: what the index knows a frame's file by."""
    parts = path.replace("\\", "/").rsplit("/", 2)
    return "/".join(parts[-2:])
