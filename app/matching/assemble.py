"""Cleaned lines to logical messages: errors with their continuation and stack lines, log lines, prose."""

import re
from collections import deque
from dataclasses import dataclass, field

from app.matching import error_lines, frames, prose
from app.matching.clean import Cleaned, clean
from app.matching.knowledge import weights
from app.matching.mask import mask
from app.matching.mojibake import Mended, mend
from app.matching.roles import is_noise, with_roles
from app.matching.types import Frame, Message, Moment, Report, Segment, Span

MOST_MESSAGES = 600
MOST_ERRORS = 200
MOST_FRAMES = 60
MOST_SOURCES = 256
LONGEST_MESSAGE = 2_000
CONTINUATION_LINES = 12
CONTINUATION_LENGTH = 1_600

HALF_WIDTH = str.maketrans("：（）＝，．；！？“”‘’＂＇", ":()=,.;!?\"\"''\"'")
_ESCAPED_NEWLINE = re.compile(r"(?:\\r)?\\n(?![a-z]+[\\/.])|\r")
_HEADER = re.compile(
    r"\s*+(?:(?P<opens>r?aceback|Traceback)|The above exception was|During handling of the above|\+-|\| )"
)
_BOXED_CODE = re.compile(r"(?:❱\s*)?\d+\s*[│|]")
# the error that this line announces could not be raised anywhere: it is noise as well
_UNRAISABLE = re.compile(r"Exception ignored in|Error in sys\.excepthook")
_LEVEL = re.compile(r"(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\b")
_RULE = re.compile(r"^[\W_]{0,200}$")


@dataclass(slots=True)
class _Source:
    """What is open for one printer of lines: frames not yet claimed by an error, and the error being continued.

    `noise` says that the next error is one that was only announced while things were torn down.
    """

    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=MOST_FRAMES))
    error: int | None = None
    continued: int = 0
    code_follows: bool = False
    time: Moment | None = None
    noise: bool = False


class Assembler:
    """Takes lines in order and gives the report. Equal masked messages are folded and counted."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._seen: dict[str, int] = {}
        self._frames: dict[tuple[str, str], Frame] = {}
        self._sources: dict[str, _Source] = {}
        self._ends: list[Frame] = []
        self._errors = 0
        self._full = False

    def gap(self) -> None:
        """Say that lines were left out here: what follows continues nothing."""
        for source in self._sources.values():
            source.error = None
            source.code_follows = False

    def line(self, text: str, number: int, start: int) -> None:
        """Take one line (without newline), its number from 1 and its offset in the paste."""
        mended = None if text.isascii() else mend(text)
        text = mended.text if mended else text
        if not text.isascii() and not prose.is_chinese(text):
            # the same number of characters, so that places stay true
            text = text.translate(HALF_WIDTH)
        if mended is None and "\\n" not in text and "\r" not in text:
            self._cleaned(clean(text, start), number)
            return
        for piece, offset in _pieces(text):
            cleaned = clean(piece, offset if mended else start + offset)
            self._cleaned(_as_received(cleaned, mended, start) if mended else cleaned, number)

    def report(self, lines: int, length: int, skipped: bool) -> Report:
        """Return the report of all lines taken."""
        for source in self._sources.values():
            self._orphan(source)
        messages = with_roles(prose.marked(self._messages))
        frames_seen = tuple(self._frames.values())
        return Report(messages, frames_seen, lines, length, skipped or self._full, tuple(self._ends))

    def _cleaned(self, line: Cleaned, number: int) -> None:
        source = self._source(line.tag)
        source.time = line.time or source.time
        if not line.text:
            source.error = None
            return
        if self._took_frame(line, number, source):
            return
        code, source.code_follows = source.code_follows, False
        if line.boxed and _BOXED_CODE.match(line.text):
            return
        if code and (line.indent >= 4 or line.boxed):
            source.code_follows = _RULE.match(line.text) is not None
            return
        header = _HEADER.match(line.text)
        if header and header["opens"]:
            self._orphan(source)
        if header or (_RULE.match(line.text) and line.text < "\u4e00"):
            source.error = None
            return
        self._took_message(line, number, source)

    def _source(self, tag: str) -> _Source:
        source = self._sources.get(tag)
        if source is None:
            if len(self._sources) >= MOST_SOURCES:
                self._sources.clear()
            source = self._sources[tag] = _Source()
        return source

    def _orphan(self, source: _Source) -> None:
        """Remember the last frames of a stack whose error did not come."""
        if len(self._ends) < MOST_FRAMES:
            self._ends += list(source.frames)[-weights()["frame"]["near"] :]
        source.frames.clear()

    def _took_frame(self, line: Cleaned, number: int, source: _Source) -> bool:
        shown = frames.frame(line.text)
        if shown is None:
            return False
        found = Frame(*shown, number, Span(line.segments[0].source, line.segments[-1].end))
        source.frames.append(found)
        source.error = None
        source.code_follows = True
        key = (frames.tail(found.path), found.function)
        if len(self._frames) < MOST_MESSAGES:
            self._frames.setdefault(key, found)
        return True

    def _took_message(self, line: Cleaned, number: int, source: _Source) -> None:
        if is_noise(line.text):
            source.noise = _UNRAISABLE.match(line.text) is not None
            text = line.text[:LONGEST_MESSAGE]
            self._add(Message(text, number, line.segments, "error", role="noise", why="noise"))
            return
        found = error_lines.find(line.text, line.level, bool(source.frames))
        if found is None and source.error is not None and self._continues(line, source):
            return
        source.error = None
        if found is None:
            self._add(Message(line.text[:LONGEST_MESSAGE], number, line.segments, "log", printed=line.printed))
            return
        above = tuple(source.frames) if found.type else ()
        if found.type:
            source.frames.clear()
        message = Message(
            line.text[:LONGEST_MESSAGE], number, line.segments, "error", found.type, frames=above, time=source.time
        )
        if source.noise:
            message = message._replace(role="noise", why="noise")
            source.noise = False
        source.error = self._add(message)
        source.continued = 0

    def _continues(self, line: Cleaned, source: _Source) -> bool:
        place = source.error
        if place is None or source.continued >= CONTINUATION_LINES or line.stamped or _LEVEL.match(line.text):
            return False
        if prose.is_chinese(line.text):
            return False
        message = self._messages[place]
        if message.times > 1 or len(message.text) + len(line.text) > CONTINUATION_LENGTH:
            return False
        shift = len(message.text) + 1
        moved = tuple(part._replace(clean=part.clean + shift) for part in line.segments)
        joined = f"{message.text}\n{line.text}"
        self._messages[place] = message._replace(text=joined, segments=message.segments + moved)
        source.continued += 1
        return True

    def _add(self, message: Message) -> int | None:
        key = mask(message.text).lower()
        known = self._seen.get(key)
        if known is not None:
            old = self._messages[known]
            self._messages[known] = old._replace(times=old.times + 1, frames=old.frames or message.frames)
            return known
        is_error = message.kind == "error" and message.role is None
        if len(self._messages) >= MOST_MESSAGES + (MOST_ERRORS if is_error and self._errors < MOST_ERRORS else 0):
            self._full = True
            return None
        self._errors += is_error
        self._seen[key] = len(self._messages)
        self._messages.append(message)
        return len(self._messages) - 1


def _as_received(line: Cleaned, mended: Mended, start: int) -> Cleaned:
    """Return a line that was cleaned after it was put right with its places in the paste; it begins at `start`."""
    segments = [
        Segment(part.clean + step, start + low, 1, high - low)
        for part in line.segments
        for step, (low, high) in enumerate(mended.places[part.source : part.source + part.length])
    ]
    return line._replace(segments=tuple(segments))


def _pieces(text: str) -> list[tuple[str, int]]:
    """Split a line at carriage returns and escaped newlines (as JSON bodies have), with offsets."""
    found: list[tuple[str, int]] = []
    at = 0
    for match in _ESCAPED_NEWLINE.finditer(text):
        found.append((text[at : match.start()], at))
        at = match.end()
    found.append((text[at:], at))
    return [piece for piece in found if piece[0]] or [("", 0)]
