"""Log records that are a JSON object a line: message and traceback in one, with level, time and source.

The keys that loggers use stand in tables here: add one when a logger was seen to write it.
"""

import re
from typing import NamedTuple

from app.matching.model import Segment

_MESSAGE = frozenset({"message", "msg", "log", "text", "event", "short_message", "textPayload", "body"})
_STACK = frozenset({"exc_info", "exception", "stack", "stack_trace", "stacktrace", "traceback", "error.stack_trace"})
_LEVEL = frozenset({"level", "severity", "lvl", "levelname", "log.level", "loglevel", "PRIORITY"})
_TIME = frozenset({"time", "ts", "t", "timestamp", "@timestamp", "asctime", "date"})
_SOURCE = frozenset({"host", "hostname", "app", "service", "container", "container_name", "pod", "pod_name", "source"})
# A text that was cut off may end inside a string.
_FIELD = re.compile(r'"([\w@.-]{1,40})"\s{0,4}:\s{0,4}(?:"((?:[^"\\]|\\.)*+)(?:"|\\?$)|([\w.+-]{1,40}))', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PLAIN = {"t": "\t", "r": "", "b": "", "f": ""}
MOST_LINES = 400
# what ends a key
KEY_ENDS = '":'


class RecordLine(NamedTuple):
    """A line of a message: its text, and where the parts of it stand in the record."""

    text: str
    segments: tuple[Segment, ...]


class Record(NamedTuple):
    """What a record says: the lines of its message and traceback, its level and time as written, and who wrote it."""

    lines: tuple[RecordLine, ...]
    level: str
    time: str
    source: str


def record(text: str) -> Record | None:
    """Return the record that a line is, or None. A message without a level or a time beside it makes no record.

    It is only to be asked of a line that holds `KEY_ENDS`, as few do.
    """
    at = len(text) - len(text.lstrip())
    if text[at : at + 2] not in ('{"', "{ "):
        return None
    said: dict[str, str] = {}
    lines: list[RecordLine] = []
    for match in _FIELD.finditer(text, at):
        key, plain = match[1], match[2]
        value = plain if plain is not None else match[3]
        if plain is not None and key in (_MESSAGE if "message" not in said else _STACK):
            said["message" if key in _MESSAGE else "stack"] = key
            lines += _lines(text, match.start(2), match.end(2))
        for name, keys in (("level", _LEVEL), ("time", _TIME), ("source", _SOURCE)):
            if key in keys:
                said.setdefault(name, value)
    if "message" not in said or not {"level", "time"} & said.keys():
        return None
    kept = tuple(lines[:MOST_LINES])
    return Record(kept, said.get("level", ""), said.get("time", ""), said.get("source", ""))


def _lines(text: str, start: int, end: int) -> list[RecordLine]:
    """Return the lines of the string between its quotes, unescaped."""
    found: list[RecordLine] = []
    parts: list[str] = []
    segments: list[Segment] = []
    size = 0

    def add(part: str, source: int, width: int = 0) -> None:
        nonlocal size
        if part:
            parts.append(part)
            segments.append(Segment(size, source, len(part), width))
            size += len(part)

    at = start
    for match in _ESCAPE.finditer(text, start, end):
        add(text[at : match.start()], at)
        at = match.end()
        if match[2] == "n":
            found.append(RecordLine("".join(parts), tuple(segments)))
            parts, segments, size = [], [], 0
        elif match[1]:
            add(_character(match[1]), match.start(), at - match.start())
        else:
            add(_PLAIN.get(match[2], match[2]), match.start(), at - match.start())
    add(text[at:end], at)
    found.append(RecordLine("".join(parts), tuple(segments)))
    return [line for line in found if line.text] or [RecordLine("", ())]


def _character(code: str) -> str:
    letter = chr(int(code, 16))
    # Half of a surrogate pair is no character by itself.
    return "\ufffd" if "\ud800" <= letter <= "\udfff" else letter


def placed(line: RecordLine, segments: tuple[Segment, ...], start: int) -> tuple[Segment, ...]:
    """Return segments of the text of a line as segments of the paste, in which its record begins at `start`."""
    found: list[Segment] = []
    for part in segments:
        low, high = part.source, part.source + part.length
        for piece in line.segments:
            first, last = max(low, piece.clean), min(high, piece.clean + piece.length)
            if first < last:
                source = piece.source if piece.width else piece.source + first - piece.clean
                found.append(Segment(part.clean + first - low, start + source, last - first, piece.width))
    return tuple(found)
