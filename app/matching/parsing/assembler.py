"""Cleaned lines to logical messages: errors with their continuation and stack lines, log lines, prose."""

import re
from collections import deque
from functools import partial

from app.matching.model import Frame, Message, Moment, Report, Segment, Span, VersionSeen
from app.matching.parsing import error_lines, frames, human_text, json_records
from app.matching.parsing.channels import MOST_FRAMES, Channel, Channels
from app.matching.parsing.encoding import Mended, mend
from app.matching.parsing.events import Event, Ordinary, Printer, Rows
from app.matching.parsing.incidents import judged
from app.matching.parsing.lines import Cleaned, clean, cut, joined, of_record
from app.matching.parsing.records import Records
from app.matching.text.masks import mask
from app.matching.text.rules import is_unlisted, listed, weights

MOST_MESSAGES = 600
MOST_ERRORS = 200
LONGEST_MESSAGE = 2_000
CONTINUATION_LINES = 12
CONTINUATION_LENGTH = 1_600

HALF_WIDTH = str.maketrans("：（）＝，．；！？“”‘’＂＇", ":()=,.;!?\"\"''\"'")
# Not the beginning of a folder of Windows, as in `C:\\new\\data`.
_ESCAPED_NEWLINE = re.compile(r"(?:\\r)?\\n(?![a-z]+[\\/])|\r")
_HEADER = re.compile(
    r"\s*+(?:(?P<origin>Original Traceback \(most)|(?P<opens>r?aceback|Traceback)|(?P<chain>The above exception was"
    r"|During handling of the above)|\+-|\| )"
)
_BOXED_CODE = re.compile(r"(?:❱\s*)?\d+\s*[│|]")
# the error that this line announces could not be raised anywhere: it is noise as well
_UNRAISABLE = re.compile(r"Exception ignored in|Error in sys\.excepthook")
_LEVEL = re.compile(r"(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\b")
# What stands before an error that was raised, where other languages say so on the line of the error itself.
_RAISES = re.compile(r'(?P<origin>Caused by: )|Exception in thread "[^"]{0,200}" |Unhandled [Ee]xception[.:] ')
# What VS Code says where it stops: the message is on the next line, and the stack, innermost frame first, below it.
_PAUSED = re.compile(r"Exception has occurred: (?P<type>[A-Za-z_][\w.]{0,200})\s*(?:\(note: [^()]*\))?$")
# What PyTorch prints when a process crashes: the stack, innermost frame first, stands below it.
_DUMPED = re.compile(r"!{3,} Segfault encountered !{3,}$")
# What pytest prints below the lines of an error: where it was raised, and its type.
_TEST_PLACE = re.compile(r"(?:[\w.-]+[\\/])*[\w.-]+\.py:\d+: (?P<type>[A-Z]\w{0,80})")
_RULE = re.compile(r"^[\W_]{0,200}$")
# Every stack line makes one of each, as in `lines.py`.
_frame = partial(tuple.__new__, Frame)
_span = partial(tuple.__new__, Span)


class Assembler:
    """Takes lines in order and gives the report. Equal masked messages are folded and counted."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._events: list[Event] = []
        self._ordinary = Ordinary()
        self._chains = 0
        # whose lines stand in a row here, and the time that the last of them with one told
        self._run: tuple[Printer, Moment | None] = ((), None)
        # who announced the stack that is being printed without prefixes
        self._announced: Printer = ()
        self._seen: dict[str, int] = {}
        self._frames: dict[tuple[str, str], Frame] = {}
        self._channels = Channels()
        self._ends: list[Frame] = []
        self._errors = 0
        self._full = False
        self._records = Records()
        self._rows = Rows()

    def gap(self) -> None:
        """Say that lines were left out here: what follows continues nothing."""
        self._finish_records()
        for channel in self._channels.all():
            channel.error = None
            channel.code_follows = False

    def line(self, text: str, number: int, start: int) -> None:
        """Take one line (without newline), its number from 1 and its offset in the paste."""
        mended = None
        if not text.isascii():
            mended = mend(text)
            text = mended.text if mended else text
            if not human_text.is_chinese(text):
                # the same number of characters, so that places stay true
                text = text.translate(HALF_WIDTH)
        if json_records.KEY_ENDS in text and mended is None and (found := json_records.record(text)):
            for place in range(len(found.lines)):
                self._cleaned(of_record(found, place, start), number)
            return
        if mended is None and "\\n" not in text and "\r" not in text:
            self._cleaned(clean(text, start), number)
            return
        for piece, offset in _pieces(text):
            cleaned = clean(piece, offset if mended else start + offset)
            self._cleaned(_as_received(cleaned, mended, start) if mended else cleaned, number)

    def report(self, lines: int, length: int, skipped: bool, versions: tuple[VersionSeen, ...] = ()) -> Report:
        """Return the report of all lines taken, with the versions that were seen in them."""
        self._finish_records()
        for channel in self._channels.all():
            self._orphan(channel)
        messages, unsure = judged(human_text.marked(self._messages), self._events, self._ordinary)
        frames_seen = tuple(self._frames.values())
        return Report(messages, frames_seen, lines, length, skipped or self._full, tuple(self._ends), unsure, versions)

    def _cleaned(self, line: Cleaned, number: int) -> None:
        if self._records.passes(line):
            self._read(line, number)
            return
        for read, at in self._records.take(line, number):
            self._read(read, at)

    def _finish_records(self) -> None:
        for read, at in self._records.close():
            self._read(read, at)

    def _read(self, line: Cleaned, number: int) -> None:
        line = self._adopted(line)
        run = self._run[1] if line.printer == self._run[0] else None
        self._run = (line.printer, line.time or run)
        channel = self._channels.of(line.printer)
        channel.time = line.time or channel.time
        if not line.text:
            channel.error = None
            return
        if shown := frames.frame(line.text):
            self._took_frame(line, number, channel, shown)
            return
        if frames.is_foreign(line.text):
            if channel.error is not None:
                self._events[channel.error].traced = True
            return
        code, channel.code_follows = channel.code_follows, False
        if line.boxed and _BOXED_CODE.match(line.text):
            return
        if code and (line.indent >= 4 or line.boxed):
            channel.code_follows = _RULE.match(line.text) is not None
            channel.code = channel.code if channel.code_follows else line
            return
        header = _HEADER.match(line.text)
        if header and header["opens"]:
            self._orphan(channel)
        if header and (header["origin"] or header["chain"]):
            channel.link = "origin" if header["origin"] else "next"
        if header or (_RULE.match(line.text) and line.text < "\u4e00"):
            channel.error = None
            return
        self._took_message(line, number, channel)

    def _adopted(self, line: Cleaned) -> Cleaned:
        """Return a line with its printer: a stack without prefixes is of who announced it on the line before."""
        # asked of every line: what `Cleaned.printed` says, without a call
        printed = line.stamped or line.tag != ""
        if printed:
            self._announced = line.printer if line.text.endswith("(most recent call last):") else ()
        elif not line.text:
            self._announced = ()
        return line._replace(printer=self._announced) if self._announced and not printed else line

    def _orphan(self, channel: Channel) -> None:
        """Remember the last frames of a stack whose error did not come."""
        if len(self._ends) < MOST_FRAMES:
            self._ends += list(channel.frames)[-weights()["frame"]["near"] :]
        channel.frames.clear()

    def _took_frame(self, line: Cleaned, number: int, channel: Channel, shown: tuple[str, str]) -> None:
        """Take a line that shows a frame: its path and its function."""
        found = _frame((*shown, number, _span((line.segments[0].source, line.segments[-1].end))))
        channel.error = None
        headed = channel.below
        if headed is None and channel.last is not None:
            headed = self._tested(line, channel.last)
        if headed is not None:
            message = self._messages[headed]
            self._messages[headed] = message._replace(frames=(found, *message.frames)[-MOST_FRAMES:])
        else:
            channel.frames.append(found)
        channel.code_follows = True
        if len(self._frames) < MOST_MESSAGES:
            self._frames.setdefault((frames.tail(found.path), found.function), found)

    def _tested(self, line: Cleaned, last: int) -> int | None:
        """Return the last error of a printer where pytest says its place on this line, below it; else None."""
        place = _TEST_PLACE.fullmatch(line.text)
        return last if place and self._messages[last].type == place["type"] else None

    def _took_message(self, line: Cleaned, number: int, channel: Channel) -> None:
        unlisted = _is_unlisted(line.text)
        event = Event(line.printer, line.level, stamp=self._run[1], unlisted=unlisted)
        if not unlisted and listed("noise.txt").fits(line.text):
            channel.noise = _UNRAISABLE.match(line.text) is not None
            text = line.text[:LONGEST_MESSAGE]
            self._add(Message(text, number, line.segments, "error", role="noise", why="noise"), event)
            return
        frames = self._channels.frames_above(line.printer, channel)
        paused = _PAUSED.match(line.text)
        if paused:
            line = cut(line, *paused.span("type"))
            unlisted = event.unlisted = False
        found = error_lines.find(line.text, line.level, bool(frames))
        passes_on = found is None and not unlisted and listed("wrappers.txt").fits(line.text)
        if found is None and not passes_on and channel.error is not None and self._continues(line, channel, unlisted):
            return
        channel.error = None
        if found is None:
            # what was announced stands right below, or not at all
            channel.noise = channel.noise and bool(frames)
            printed = (line.printed and not line.labelled) or line.typed
            text = line.text[:LONGEST_MESSAGE]
            self._add(Message(text, number, line.segments, printed=printed, time=line.time), event)
            told = (line.printed and line.level != "warning") or (not unlisted and _is_progress(line))
            if told and not passes_on and (unlisted or not listed("endings.txt").fits(line.text)):
                self._ordinary.add(line.printer, number, line.time)
            return
        self._took_error(line, number, channel=channel, found=found, frames=frames, event=event)
        channel.below = channel.error if paused or _DUMPED.match(line.text) else None

    def _took_error(
        self,
        line: Cleaned,
        number: int,
        *,
        channel: Channel,
        found: error_lines.Found,
        frames: deque[Frame],
        event: Event,
    ) -> None:
        above = tuple(frames) if found.type else ()
        text, segments = line.text[:LONGEST_MESSAGE], line.segments
        if found.type:
            frames.clear()
            if channel.code is not None and line.text.strip() == found.type == "AssertionError":
                text, segments = joined(text, segments, channel.code)
        message = Message(text, number, segments, "error", found.type, frames=above, time=channel.time)
        if channel.noise:
            message = message._replace(role="noise", why="noise")
            channel.noise = False
        raises = _RAISES.match(line.text)
        event.stated = bool(found.type) and found.start > 0 and raises is None
        if raises and raises["origin"]:
            channel.link = "origin"
        channel.error = self._add(message, event)
        channel.continued = 0
        channel.code = None
        if found.type and channel.error is not None:
            self._chain(channel, channel.error)

    def _chain(self, channel: Channel, place: int) -> None:
        """Link an error with the one that the same printer raised it from, or again."""
        if channel.link and channel.last is not None and channel.last != place:
            event, earlier = self._events[place], self._events[channel.last]
            if not earlier.chain:
                self._chains += 1
                earlier.chain = self._chains
            event.chain = event.chain or earlier.chain
            earlier.reraised = earlier.reraised or channel.link == "origin"
        channel.link = ""
        channel.last = place

    def _continues(self, line: Cleaned, channel: Channel, unlisted: bool) -> bool:
        place = channel.error
        if (
            place is None
            or channel.continued >= CONTINUATION_LINES
            or line.stamped
            or line.typed
            or _LEVEL.match(line.text)
        ):
            return False
        if human_text.is_chinese(line.text) or (not unlisted and _is_progress(line)):
            return False
        message = self._messages[place]
        if message.times > 1 or len(message.text) + len(line.text) > CONTINUATION_LENGTH:
            return False
        # a debugger puts the message below the type, where Python has a colon between them
        between = ": " if place == channel.below and not channel.continued else "\n"
        text, segments = joined(message.text, message.segments, line, between)
        self._messages[place] = message._replace(text=text, segments=segments)
        self._events[place].unlisted &= between == "\n"
        channel.continued += 1
        return True

    def _add(self, message: Message, event: Event) -> int | None:
        key = mask(message.text).lower()
        known = self._seen.get(key)
        if known is not None:
            old = self._messages[known]
            row = self._rows.again(known, old.text == message.text)
            self._messages[known] = old._replace(
                times=old.times + 1, frames=old.frames or message.frames, in_a_row=max(old.in_a_row, row)
            )
            return known
        is_error = message.kind == "error" and message.role is None
        if len(self._messages) >= MOST_MESSAGES + (MOST_ERRORS if is_error and self._errors < MOST_ERRORS else 0):
            self._full = True
            return None
        self._errors += is_error
        self._rows.first(len(self._messages))
        self._seen[key] = len(self._messages)
        self._messages.append(message)
        self._events.append(event)
        return len(self._messages) - 1


def _is_unlisted(text: str) -> bool:
    """Tell that no list need be asked about a line or about its first part, which later stands for it.

    The first line of what was put together of several is a text of its own.
    """
    return "\n" not in text and len(text) <= LONGEST_MESSAGE and is_unlisted(text)


def _is_progress(line: Cleaned) -> bool:
    return listed("progress.txt").fits(line.text)


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
