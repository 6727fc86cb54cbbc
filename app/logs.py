"""The log of the server: one JSON object a line on standard error, without anything that a person typed.

The message of an exception can quote a paste (SQL parameters, a JSON text), so an exception is written as its type, the
code that a database or the system gave it, and the places it came through. Messages of other libraries are left out for
the same reason; their logger and place are written.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import structlog
from structlog.contextvars import get_contextvars, merge_contextvars
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict

from app.config import ROOT
from app.errors import ErrdexError

# Somebody has read the messages of these libraries: they quote nothing that a person typed.
TRUSTED = ("uvicorn",)
WITHHELD = "a library's message, withheld"
MOST_PLACES = 12
MOST_CAUSES = 5

# Nothing is printed until `begin` is called: not in a test, and not by a command.
structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[])
log: structlog.typing.FilteringBoundLogger = structlog.get_logger()


def begin(level: str) -> None:
    """Begin to write our own lines of this level and above, and what Python would print to standard error by itself.

    Python would print warnings, and failures in threads. Lines of other libraries follow `configuration`.
    """
    # The lines do not go through the logging of the standard library: so each takes a third of the time.
    structlog.configure(
        processors=[merge_contextvars, _ours, structlog.processors.JSONRenderer()],
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    logging.captureWarnings(True)
    threading.excepthook = lambda failed: _unexpected(failed.exc_value)
    sys.unraisablehook = lambda failed: _unexpected(failed.exc_value)


def request_id() -> str:
    """Return the id of the request that is being answered, as its log line has it; empty where none is kept."""
    return str(get_contextvars().get("request_id", ""))


def configuration(level: str) -> dict[str, Any]:
    """Return the configuration of the standard library's logging; `level` is the least severe that is written."""
    own = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "app.logs.json_lines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": dict.fromkeys(TRUSTED, own),
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }


def json_lines() -> logging.Formatter:
    """Return the formatter of a log line."""
    return ProcessorFormatter(
        foreign_pre_chain=[merge_contextvars, _worded],
        processors=[_theirs, structlog.processors.JSONRenderer()],
        use_get_message=False,
        pass_foreign_args=True,
    )


def described(error: BaseException) -> dict[str, Any]:
    """Return what may be written of an exception: `type`, `code` if it has one, `at` and `cause`; never its message."""
    return _described(error, MOST_CAUSES)


def _described(error: BaseException, depth: int) -> dict[str, Any]:
    kind = type(error)
    found: dict[str, Any] = {"type": f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")}
    if code := _code(error):
        found["code"] = code
    found["at"] = list(_places(error.__traceback__))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and depth > 1:
        found["cause"] = _described(cause, depth - 1)
    return found


def _code(error: BaseException) -> str:
    # These are the attributes of errors of SQLite, PostgreSQL and the operating system.
    names = (getattr(error, name, None) for name in ("sqlite_errorname", "sqlstate", "errno"))
    return next((str(name) for name in names if name), "")


def _places(found: TracebackType | None) -> Iterator[str]:
    for frame, line in list(traceback.walk_tb(found))[-MOST_PLACES:]:
        yield f"{_short(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}"


def _short(path: str) -> str:
    return path.rpartition("/site-packages/")[2].removeprefix(f"{ROOT}/")


def _unexpected(error: BaseException | None) -> None:
    log.error("failed outside a request", error=described(error) if error else {})


def _worded(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Word a line of the standard library's logging."""
    record: logging.LogRecord = event["_record"]
    args = event.pop("positional_args", ())
    event["logger"] = record.name
    if record.name.partition(".")[0] in TRUSTED:
        event["event"] = _filled(event["event"], args)
    else:
        event["event"], event["at"] = WITHHELD, f"{_short(record.pathname)}:{record.lineno}"
    if found := event.pop("exc_info", None):
        event["error"] = described(found[1]) if found[1] else {}
    return event


def _filled(template: str, args: Any) -> str:
    if isinstance(args, Mapping):
        return template
    try:
        return template % tuple(_quotable(arg) for arg in args) if args else template
    except (TypeError, ValueError):
        return template


def _quotable(arg: Any) -> Any:
    """Return an argument of a message as it is, but only the type of an exception, which may quote somebody."""
    return type(arg).__name__ if isinstance(arg, Exception) and not isinstance(arg, OSError | ErrdexError) else arg


def _theirs(_logger: Any, _name: str, event: EventDict) -> EventDict:
    record: logging.LogRecord = event.pop("_record")
    event.pop("_from_structlog", None)
    return _line(datetime.fromtimestamp(record.created, UTC), record.levelname.lower(), event)


def _ours(_logger: Any, level: str, event: EventDict) -> EventDict:
    return _line(datetime.now(UTC), level, event)


def _line(when: datetime, level: str, event: EventDict) -> EventDict:
    """Put what every line has first: when, how severe, what."""
    return {"time": when.isoformat(timespec="milliseconds"), "level": level, "event": event.pop("event"), **event}
