"""Exit codes, and what is said in one line when a command cannot do what was asked."""

import traceback
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from app.cli.output import complain

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

    from app.errors import Unavailable

NOTHING = 1
USAGE = 2
UNREACHABLE = 3
INTERNAL = 70

MAKE_ONE = "Make one with `errdex ingest`, or set ERRDEX_DATABASE_URL to the one you mean."
RESTORE = "Move its file away and restore a backup (`errdex restore FILE`), or set ERRDEX_DATABASE_URL to another one."
REACH_IT = "Check that it runs, and that ERRDEX_DATABASE_URL is its address."


class Stop(Exception):
    """Ends a command with an exit code and one line that says what to do."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Guarded(TyperGroup):
    """The group of all commands: whatever one of them raises becomes an exit code and one line on stderr."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        return guarded(lambda: super(Guarded, self).invoke(ctx), debug=bool(ctx.params.get("debug")))


def guarded(run: Callable[[], Any], *, debug: bool = False) -> Any:
    """Call `run`; raise `typer.Exit` with the code of the contract when it fails. `debug` prints the traceback."""
    try:
        return run()
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise
    except Exception as error:
        code, text = told(error)
        if debug:
            traceback.print_exc()
        complain(text)
        raise typer.Exit(code) from error


def told(error: Exception) -> tuple[int, str]:
    """Return the exit code for an exception and the line that says what to do."""
    if callable(usage := getattr(error, "format_message", None)):
        return USAGE, f"{str(usage()).rstrip('.')}. `{_asked(error)} --help` says what there is."
    for kind, word in _worded():
        if isinstance(error, kind):
            return word(error)
    return INTERNAL, f"internal error: {type(error).__name__}: {_first_line(error)} (`errdex --debug …` shows where)"


def _asked(error: Exception) -> str:
    """Return the command whose options were wrong; typer's usage errors hold it."""
    path: str = getattr(getattr(error, "ctx", None), "command_path", "errdex")
    return path


def _cause(error: "Unavailable") -> str:
    from sqlalchemy.exc import DBAPIError

    cause = error.__cause__
    return _first_line(cause.orig if isinstance(cause, DBAPIError) else cause or "it is busy")


def _damage(error: BaseException) -> tuple[int, str]:
    from sqlalchemy.exc import DBAPIError

    found = error if isinstance(error, DBAPIError) else error.__cause__
    return UNREACHABLE, f"the database is damaged: {_first_line(getattr(found, 'orig', found))}. {RESTORE}"


def _unusable(error: "DBAPIError") -> tuple[int, str]:
    from app.store.errors import is_damage

    if is_damage(error):
        return _damage(error)
    return UNREACHABLE, f"the database cannot be used: {_first_line(error.orig)}"


def _setting(item: Any) -> str:
    place = "_".join(str(part) for part in item["loc"]).upper()
    # pydantic puts this before what a validator of ours says
    said = str(item["msg"]).removeprefix("Value error, ")
    return f"ERRDEX_{place}: {said}" if place else said


def _first_line(error: object) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


@cache
def _worded() -> tuple[tuple[type[Exception], Callable[[Any], tuple[int, str]]], ...]:
    """Return what is said of each kind of error. The first row that fits counts, so narrower errors stand first.

    The kinds are imported here, for most commands end without any.
    """
    from pydantic import ValidationError
    from sqlalchemy.exc import DBAPIError

    from app import i18n
    from app.errors import ErrdexError, NotFound, Unavailable
    from app.store.errors import DamagedDatabase, NoDatabase
    from errdex_client.config import Misconfigured
    from errdex_client.exits import Ended

    return (
        (Stop, lambda error: (error.code, str(error))),
        (Ended, lambda error: (error.code, str(error))),
        (Misconfigured, lambda error: (USAGE, str(error))),
        (NoDatabase, lambda error: (UNREACHABLE, f"{error}. {REACH_IT if error.__cause__ else MAKE_ONE}")),
        (DamagedDatabase, _damage),
        (
            Unavailable,
            lambda error: (UNREACHABLE, f"the database does not take the request: {_cause(error)}. Try again."),
        ),
        (NotFound, lambda error: (NOTHING, f"nothing here is called {error.params.get('what', '')}")),
        (ErrdexError, lambda error: (USAGE, i18n.text("en", f"error.{error.key}.detail", **error.params))),
        (ValidationError, lambda error: (USAGE, "; ".join(map(_setting, error.errors(include_url=False))))),
        (DBAPIError, _unusable),
        (OSError, lambda error: (UNREACHABLE, f"{error.filename or 'cannot read'}: {error.strerror or error}")),
    )
