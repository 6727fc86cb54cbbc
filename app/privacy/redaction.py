"""What may leave a paste: its telling signatures with every value masked, as text and as the tail of a link.

A link holds nothing else. What it holds is asked again as a text of the same length, in which each mask is a value of
its kind, so that a place in the one is a place in the other.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from app.matching.model import Frame, Message, Reason, Report, Span
from app.matching.parsing import error_lines
from app.matching.parsing.frames import tail
from app.matching.text.masks import MASKS
from app.matching.text.rules import weights
from app.matching.text.tokens import tokens
from app.privacy import secrets

VERSION = "1"
# the whole address stays below 1,500 characters with a base URL of a hundred
LONGEST_LINK = 1_380
LONGEST_TEXT = 420
MOST_SIGNATURES = 8
MOST_FRAMES = 6
_MOST_BYTES = 16_000

# values that other masks of ours wrote, such as <TOKEN#1>
_NUMBERED = re.compile(r"<([A-Za-z]{2,20})#\d{1,6}>")
# An ordered table: the engine's masks, and among them what it need not know. Add a row for a value that must not leave
# anybody's machine; the engine does not read it.
KINDS: tuple[tuple[str, str], ...] = (
    ("numbered", _NUMBERED.pattern.replace("(", "(?:", 1)),
    *(kind for kind in MASKS if kind[0] != "number"),
    ("short", r"(?<![0-9a-zA-Z_])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6,64}(?![0-9a-zA-Z_])"),
    *(kind for kind in MASKS if kind[0] == "number"),
)
_VALUES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in KINDS))
_SAID = {"short": "hash"}
# the mark of a value that reads as a number; every other one reads as nothing
_NUMERIC = frozenset({"number", "address", "ip"})
_NAMES = frozenset(name for name, _ in KINDS) - {"masked", "numbered", "short"}
_NAMES |= {rule.placeholder.lower() for rule in secrets.rules()}
_MASK = re.compile(rf"<(?:{'|'.join(sorted(_NAMES))})>")
_ZERO = re.compile(r"[+-]?0+(?:[.,]0+)*")
_WORD = re.compile(r"[^\W_]")
# somebody's own folder, and the first one within, which is named as they liked
_OWN_FOLDER = re.compile(r"^(?:.*/)?(?:home|Users)/[^/]+/(?:[^/]+/)?", re.IGNORECASE)
_CACHE_NAME = re.compile(r"[0-9a-fA-F-]{12,}")
_FRAME_LINE = '  File "{path}", line 1, in {function}'
_LOGGED = {"error": "[ERROR] ", "log": "[INFO] "}


class BrokenLink(ValueError):
    """The tail of a link that this version did not write, or that was cut."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A masked message with the frames above it, innermost last, as `folder/file.py:function`."""

    text: str
    frames: tuple[str, ...] = ()


def masked(text: str, public: Sequence[Span] = ()) -> str:
    """Return a message with every value masked but zero, which often is what an error is about.

    What stands in the ranges of `public` stays: words that an entry of the guide prints itself.
    """
    bare, found = _without_secrets(text)
    values = [match for match in _VALUES.finditer(bare) if not _stays(match, bare)]
    parts = [(match.start(), match.end(), "".join(_parts(match, public))) for match in values]
    # a secret within a path goes with it
    parts += [
        (*span, name) for span, name in found if not any(low < span.end and span.start < high for low, high, _ in parts)
    ]
    shown: list[str] = []
    at = 0
    for start, end, mask in sorted(parts):
        shown += [bare[at:start], mask]
        at = end
    return "".join((*shown, bare[at:]))


def _without_secrets(text: str) -> tuple[str, list[tuple[Span, str]]]:
    """Return the text with what looks secret overwritten, where it stood, and the mask of each."""
    found = [(span, f"<{name}>") for span, name in secret_spans(text)]
    for span, _ in found:
        text = text[: span.start] + "x" * (span.end - span.start) + text[span.end :]
    return text, found


def secret_spans(text: str) -> list[tuple[Span, str]]:
    """Return where something stands that looks secret, and what it is: `token`, `user`, `host`, …; none overlap."""
    found: list[tuple[Span, str]] = []
    for one in secrets.mask(text).findings:
        name = one.placeholder.strip("<>").partition("#")[0].lower()
        for match in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(one.value)}(?![A-Za-z0-9])", text):
            if not any(match.start() < span.end and span.start < match.end() for span, _ in found):
                found.append((Span(*match.span()), name))
    return sorted(found)


def _stays(match: re.Match[str], text: str) -> bool:
    if match.lastgroup != "number":
        return match.lastgroup == "masked"
    # the number of `rank3` or `c10d` belongs to a name
    within = match.start() > 0 and (text[match.start() - 1].isalnum() or text[match.start() - 1] == "_")
    return within or _ZERO.fullmatch(match.group()) is not None


def _parts(match: re.Match[str], public: Sequence[Span]) -> Iterator[str]:
    """Yield a mask for each part of a value that holds a word, and the public parts between them."""
    kind = str(match.lastgroup)
    mask = f"<{match.group()[1:].partition('#')[0].lower()}>" if kind == "numbered" else f"<{_SAID.get(kind, kind)}>"
    at = match.start()
    for low, high in sorted(public):
        if low < match.end() and high > at:
            part = match.string[at : max(at, low)]
            yield mask if _WORD.search(part) else part
            yield match.string[max(at, low) : min(high, match.end())]
            at = min(high, match.end())
    rest = match.string[at : match.end()]
    yield mask if _WORD.search(rest) else rest


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` characters that ends where a word ends."""
    text = text.strip()
    return text if len(text) <= most else text[: max((t.end for t in tokens(text) if t.end <= most), default=0)]


@dataclass(frozen=True, slots=True)
class _Told:
    """Where in the paste stands what decided: words of messages, words of a question, frames by the entry's names."""

    messages: tuple[Span, ...]
    words: tuple[Span, ...]
    frames: dict[Span, str]


def _told(reasons: Sequence[Reason]) -> _Told:
    by_kind: dict[str, list[Span]] = {"message": [], "words": []}
    frames: dict[Span, str] = {}
    for reason in reasons:
        if reason.key == "frame":
            frames.update((span, dict(reason.params)["frame"]) for span in reason.spans)
        else:
            by_kind["message" if reason.key.startswith("message") else "words"] += reason.spans
    return _Told(tuple(by_kind["message"]), tuple(by_kind["words"]), frames)


def carried(report: Report, reasons: Sequence[Reason]) -> tuple[Carried, ...]:
    """Return what a link carries of a paste: its first cause, what decided (`reasons`), its other errors.

    Of a question in words only those are carried that the answer has too.
    """
    told = _told(reasons)
    found: dict[str, Carried] = {}
    for message in _by_weight(report, told):
        one = _carried(message, told)
        if one.text and len(found) < MOST_SIGNATURES:
            found.setdefault(one.text, one)
    shown = {frame for one in found.values() for frame in one.frames}
    stray = tuple(frame for frame in _stray_frames(report, told) if frame not in shown)[-MOST_FRAMES:]
    signatures = (*found.values(), *([Carried("", stray)] if stray else []))
    return _fitting(signatures)


def _by_weight(report: Report, told: _Told) -> list[Message]:
    cause = [report.cause] if report.cause else []
    marks = (*told.messages, *told.words)
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


def _carried(message: Message, told: _Told) -> Carried:
    if message.kind == "prose" or message.person:
        words = _words(message.text, _overlap(message, (*told.words, *told.messages)))
        return Carried(f"{shortened(words, LONGEST_TEXT)} ?" if words else "")
    own = [(frame, place) for place, frame in enumerate(message.frames, -len(message.frames)) if frame.function]
    kept = [frame for frame, place in own if place >= -_near() or frame.span in told.frames]
    frames = tuple(_frame(frame, told) for frame in kept[-MOST_FRAMES:])
    text = shortened(masked(message.text, _overlap(message, told.messages)), LONGEST_TEXT)
    return Carried(f"{_prefix(message, text, bool(frames))}{text}" if text else "", frames)


def _prefix(message: Message, text: str, after_frames: bool) -> str:
    """Return what makes the message read as what it was, where its words alone do not."""
    first = text.partition("\n")[0]
    if message.kind == "error":
        return "" if error_lines.find(first, "", after_frames) or message.role == "noise" else _LOGGED["error"]
    return _LOGGED["log"] if message.printed else ""


def _near() -> int:
    return int(weights()["frame"]["near"])


def _frame(frame: Frame, told: _Told) -> str:
    if frame.span in told.frames:
        return told.frames[frame.span]
    path = _OWN_FOLDER.sub("", _without_secrets(frame.path.replace("\\", "/"))[0])
    return f"{_CACHE_NAME.sub('<hash>', tail(path))}:{frame.function}"


def _stray_frames(report: Report, told: _Told) -> tuple[str, ...]:
    """Return the last frames of stacks whose error was not pasted, and those that decided."""
    last = {frame.span for frame in report.ends}
    kept = (frame for frame in report.frames if frame.function and (frame.span in last or frame.span in told.frames))
    return tuple(_frame(frame, told) for frame in kept)


def _words(text: str, public: Sequence[Span]) -> str:
    """Return the public words of a sentence in their order, with what joins them but no other word."""
    shown: list[str] = []
    at = 0
    for low, high in public:
        gap = text[at:low]
        shown += [" " if _WORD.search(gap) else gap, text[max(at, low) : high]]
        at = max(at, high)
    return " ".join("".join(shown).split())


def _fitting(signatures: Sequence[Carried]) -> tuple[Carried, ...]:
    """Return as many signatures, the weightiest first, as a link can hold."""
    kept = tuple(signatures)
    while kept and len(tail_of(kept)) > LONGEST_LINK:
        last = kept[-1]
        shorter = replace(last, text=shortened(last.text, len(last.text) // 2), frames=last.frames[1:])
        kept = kept[:-1] if len(kept) > 1 else (shorter,)
    return kept


def tail_of(signatures: Sequence[Carried]) -> str:
    """Return the value that stands in a link for these signatures."""
    rows = [[one.text, *one.frames] for one in signatures]
    plain = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    packed = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    return f"{VERSION}.{packed}"


def read_tail(value: str) -> tuple[Carried, ...]:
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


def _checked(rows: Any) -> tuple[Carried, ...]:
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_SIGNATURES + 1:
        raise BrokenLink
    for row in rows:
        if not isinstance(row, list) or not row or not all(isinstance(part, str) for part in row):
            raise BrokenLink
    found = tuple(Carried(row[0], tuple(_one_line(part) for part in row[1:])) for row in rows)
    if not any(one.text.strip() or one.frames for one in found):
        raise BrokenLink
    return found


def _one_line(text: str) -> str:
    return " ".join(text.replace('"', "").split())[:200]


def as_text(signatures: Iterable[Carried]) -> str:
    """Return the signatures as the paste that they are read from, values still masked."""
    return "\n\n".join("\n".join(_lines(one)) for one in signatures)


def _lines(one: Carried) -> Iterator[str]:
    if one.frames:
        yield "Traceback (most recent call last):"
    for frame in one.frames:
        path, _, function = frame.rpartition(":")
        yield _FRAME_LINE.format(path=path, function=function)
    if one.text:
        yield one.text


def as_asked(text: str) -> str:
    """Return a masked text as it is asked: of the same length, each mask a value that says as little."""
    return _MASK.sub(lambda match: ("1" if match.group()[1:-1] in _NUMERIC else ".") * len(match.group()), text)


def with_holes(text: str, hole: str) -> str:
    """Return a masked text with a hole for each mask, as patterns are written."""
    return _MASK.sub(hole, text)


def as_shown(report: Report, text: str) -> Report:
    """Return the report of `as_asked(text)` with its messages as they stand in `text`."""
    return replace(report, messages=tuple(_shown(message, text) for message in report.messages))


def _shown(message: Message, text: str) -> Message:
    said = list(message.text)
    for part in message.segments:
        for at, source in zip(range(part.clean, part.clean + part.length), count(part.source), strict=False):
            if at < len(said):
                said[at] = text[source]
    return message._replace(text="".join(said))
