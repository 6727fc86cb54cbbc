"""A link for a colleague: what of a paste it carries, and how that is written into an address and read back.

A link holds redacted messages and nothing else: the first cause, what decided, the other errors.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from app.matching.model import FRAME_MARK, Frame, Message, Reason, Report, Span
from app.matching.parsing import error_lines
from app.matching.parsing.frames import tail
from app.matching.text.rules import weights
from app.privacy.holes import shorten
from app.privacy.redaction import redact, without_secrets

VERSION = "1"
# With a base URL of a hundred characters the whole address then stays below 1,500.
LONGEST_LINK = 1_380
LONGEST_TEXT = 420
MOST_SIGNATURES = 8
MOST_FRAMES = 6
_MOST_BYTES = 16_000
_WORD = re.compile(r"[^\W_]")
# It matches somebody's own folder and the first folder within, whose name is of their making.
_OWN_FOLDER = re.compile(r"^(?:.*/)?(?:home|Users)/[^/]+/(?:[^/]+/)?", re.IGNORECASE)
_CACHE_NAME = re.compile(r"[0-9a-fA-F-]{12,}")
_FRAME_LINE = '  File "{path}", line 1, in {function}'
_LOGGED = {"error": "[ERROR] ", "log": "[INFO] "}


class BrokenLink(ValueError):
    """The tail of a link that this version did not write, or that was cut."""


@dataclass(frozen=True, slots=True)
class SharedMessage:
    """A masked message with the frames above it, innermost last, as `folder/file.py:function`."""

    text: str
    frames: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Decisive:
    """Where in the paste stands what decided: words of messages, words of a question, frames by the entry's names."""

    messages: tuple[Span, ...]
    words: tuple[Span, ...]
    frames: dict[Span, str]


def _decisive(reasons: Sequence[Reason]) -> _Decisive:
    by_kind: dict[str, list[Span]] = {"message": [], "words": []}
    frames: dict[Span, str] = {}
    for reason in reasons:
        params = dict(reason.params)
        if frame := params["frame"] if reason.key == "frame" else _excluding_frame(params):
            frames.update((span, frame) for span in reason.spans)
        else:
            by_kind["message" if reason.key.startswith("message") or "unless" in params else "words"] += reason.spans
    return _Decisive(tuple(by_kind["message"]), tuple(by_kind["words"]), frames)


def _excluding_frame(params: Mapping[str, str]) -> str:
    """Return the frame that struck a signature, "" where none did."""
    unless = params.get("unless", "")
    return unless.removeprefix(FRAME_MARK) if unless.startswith(FRAME_MARK) else ""


def share(report: Report, reasons: Sequence[Reason]) -> tuple[SharedMessage, ...]:
    """Return what a link carries of a paste: its first cause, what decided (`reasons`), its other errors.

    Of a question in words only those are carried that the answer has too.
    """
    decisive = _decisive(reasons)
    found: dict[str, SharedMessage] = {}
    for message in _by_weight(report, decisive):
        one = _shared(message, decisive)
        if one.text and len(found) < MOST_SIGNATURES:
            found.setdefault(one.text, one)
    shown = {frame for one in found.values() for frame in one.frames}
    stray = tuple(frame for frame in _stray_frames(report, decisive) if frame not in shown)[-MOST_FRAMES:]
    signatures = (*found.values(), *([SharedMessage("", stray)] if stray else []))
    return _fitting(signatures)


def _by_weight(report: Report, decisive: _Decisive) -> list[Message]:
    cause = [report.cause] if report.cause else []
    marks = (*decisive.messages, *decisive.words)
    decided = [message for message in report.messages if _overlap(message, marks)]
    rest = [message for message in report.errors if message.role != "noise"]
    return list({id(message): message for message in (*cause, *decided, *rest)}.values())


def _overlap(message: Message, marks: Iterable[Span]) -> list[Span]:
    """Return which ranges of the message's text the marks cover, in order."""
    found = [
        Span(max(mark.start, part.source) - shift, min(mark.end, part.end) - shift)
        for mark in marks
        for part in message.segments
        if mark.start < part.end and part.source < mark.end
        for shift in (part.source - part.clean,)
    ]
    return sorted(span for span in found if span.start < len(message.text))


def _shared(message: Message, decisive: _Decisive) -> SharedMessage:
    if message.kind == "prose" or message.person:
        words = _words(message.text, _overlap(message, (*decisive.words, *decisive.messages)))
        return SharedMessage(f"{shorten(words, LONGEST_TEXT)} ?" if words else "")
    own = [(frame, place) for place, frame in enumerate(message.frames, -len(message.frames)) if frame.function]
    kept = [frame for frame, place in own if place >= -_near() or frame.span in decisive.frames]
    frames = tuple(_frame(frame, decisive) for frame in kept[-MOST_FRAMES:])
    text = shorten(redact(message.text, _overlap(message, decisive.messages)), LONGEST_TEXT)
    return SharedMessage(f"{_prefix(message, text, bool(frames))}{text}" if text else "", frames)


def _prefix(message: Message, text: str, after_frames: bool) -> str:
    """Return what makes the message read as what it was, where its words alone do not."""
    first = text.partition("\n")[0]
    if message.kind == "error":
        return "" if error_lines.find(first, "", after_frames) or message.role == "noise" else _LOGGED["error"]
    return _LOGGED["log"] if message.printed else ""


def _near() -> int:
    return int(weights()["frame"]["near"])


def _frame(frame: Frame, decisive: _Decisive) -> str:
    if frame.span in decisive.frames:
        return decisive.frames[frame.span]
    path = _OWN_FOLDER.sub("", without_secrets(frame.path.replace("\\", "/"))[0])
    return f"{_CACHE_NAME.sub('<hash>', tail(path))}:{frame.function}"


def _stray_frames(report: Report, decisive: _Decisive) -> tuple[str, ...]:
    """Return the last frames of stacks whose error was not pasted, and those that decided."""
    last = {frame.span for frame in report.ends}
    kept = (
        frame for frame in report.frames if frame.function and (frame.span in last or frame.span in decisive.frames)
    )
    return tuple(_frame(frame, decisive) for frame in kept)


def _words(text: str, public: Sequence[Span]) -> str:
    """Return the public words of a sentence in their order, with what joins them but no other word."""
    shown: list[str] = []
    at = 0
    for low, high in public:
        gap = text[at:low]
        shown += [" " if _WORD.search(gap) else gap, text[max(at, low) : high]]
        at = max(at, high)
    return " ".join("".join(shown).split())


def _fitting(signatures: Sequence[SharedMessage]) -> tuple[SharedMessage, ...]:
    """Return as many signatures, the weightiest first, as a link can hold."""
    kept = tuple(signatures)
    while kept and len(encode(kept)) > LONGEST_LINK:
        last = kept[-1]
        shorter = replace(last, text=shorten(last.text, len(last.text) // 2), frames=last.frames[1:])
        kept = kept[:-1] if len(kept) > 1 else (shorter,)
    return kept


def encode(signatures: Sequence[SharedMessage]) -> str:
    """Return the value that stands in a link for these signatures."""
    rows = [[one.text, *one.frames] for one in signatures]
    plain = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    packed = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    return f"{VERSION}.{packed}"


def decode(value: str) -> tuple[SharedMessage, ...]:
    """Return the signatures of a link. Raises `BrokenLink`."""
    version, _, packed = value.strip().partition(".")
    if version != VERSION or not packed or len(value) > 2 * LONGEST_LINK:
        raise BrokenLink
    try:
        squeezed = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflating = zlib.decompressobj()
        plain = inflating.decompress(squeezed, _MOST_BYTES)
        if not inflating.eof:
            raise BrokenLink
        rows = json.loads(plain)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise BrokenLink from error
    return _checked(rows)


def _checked(rows: Any) -> tuple[SharedMessage, ...]:
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_SIGNATURES + 1:
        raise BrokenLink
    for row in rows:
        if not isinstance(row, list) or not row or not all(isinstance(part, str) for part in row):
            raise BrokenLink
    found = tuple(SharedMessage(row[0], tuple(_one_line(part) for part in row[1:])) for row in rows)
    if not any(one.text.strip() or one.frames for one in found):
        raise BrokenLink
    return found


def _one_line(text: str) -> str:
    return " ".join(text.replace('"', "").split())[:200]


def as_text(signatures: Iterable[SharedMessage]) -> str:
    """Return the signatures as the paste that they are read from, values still masked."""
    return "\n\n".join("\n".join(_lines(one)) for one in signatures)


def _lines(one: SharedMessage) -> Iterator[str]:
    if one.frames:
        yield "Traceback (most recent call last):"
    for frame in one.frames:
        path, _, function = frame.rpartition(":")
        yield _FRAME_LINE.format(path=path, function=function)
    if one.text:
        yield one.text


def restore_text(report: Report, text: str) -> Report:
    """Return the report of `fill_placeholders(text)` with its messages as they stand in `text`."""
    return replace(report, messages=tuple(_shown(message, text) for message in report.messages))


def _shown(message: Message, text: str) -> Message:
    said = list(message.text)
    for part in message.segments:
        for at, source in zip(range(part.clean, part.clean + part.length), count(part.source), strict=False):
            if at < len(said):
                said[at] = text[source]
    return message._replace(text="".join(said))
