"""Ask an Errdex server from a terminal, a job or Python. Standard library only, Python 3.8 and later.

`match(text)` asks; `install_excepthook()` asks when the program ends with an exception. Nothing is sent unless one of
them, or the command `errdex`, is called. What looks secret is masked before it is sent.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["Refused", "Unreachable", "install_excepthook", "match"]


def __getattr__(name: str) -> Any:
    # It is imported when it is first used, so that a program that only imports this package pays next to nothing.
    if name in ("Refused", "Unreachable"):
        from errdex_client import server

        return getattr(server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def match(text: str, *, lang: str = "en", limit: int = 5, patience: float | None = None) -> dict[str, Any]:
    """Return what the server answers to a line, a traceback or a whole log, as `POST /api/v1/match` does.

    Of a large text its telling lines are sent; spans and line numbers refer to `text` all the same. `patience` is in
    seconds, 5 by default. Raises `Unreachable` when no server is configured (ERRDEX_URL) or none answers in time, and
    `Refused` when it does not take the question.
    """
    from errdex_client.asking import ask
    from errdex_client.excerpts import excerpt_of

    return ask(excerpt_of(text), lang=lang, limit=limit, patience=patience)


def install_excepthook(*, lang: str = "en") -> None:
    """Have an exception that ends the program be answered below its traceback, on standard error.

    The traceback is printed first, as always; when the server cannot be asked, nothing else is.
    """
    from errdex_client import excepthook

    excepthook.install(lang)
