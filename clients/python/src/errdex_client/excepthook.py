"""An exception that ends the program is answered below its traceback."""

from __future__ import annotations

import sys
from typing import Any

# The mark of our hook, on the function itself.
_INSTALLED = "_errdex_installed"


def install(lang: str) -> None:
    """Put our hook behind the one that is there; a second call changes nothing."""
    before = sys.excepthook
    if getattr(before, _INSTALLED, False):
        return

    def hook(kind: Any, error: Any, trace: Any) -> None:
        before(kind, error, trace)
        if issubclass(kind, Exception):
            answer_exception(error, lang)

    setattr(hook, _INSTALLED, True)
    sys.excepthook = hook


def answer_exception(error: BaseException, lang: str) -> None:
    """Write to standard error what the server knows of an exception; nothing when it cannot be asked."""
    try:
        import traceback

        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        tell(text, lang)
    except Exception:
        return


def tell(text: str, lang: str) -> None:
    """Write to standard error what the server answers to a text. Raises whatever keeps it from being asked."""
    from errdex_client import match
    from errdex_client.answer_text import terminal_lines
    from errdex_client.command import write_lines

    answer = match(text, lang=lang, limit=1)
    if answer["matches"]:
        write_lines(terminal_lines({**answer, "related": []}, lang), sys.stderr)
