"""One line of a paste without what terminals, schedulers and people put around it; positions are kept as segments."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from app.matching.model import Moment, Segment
from app.matching.parsing.json_records import Record, placed
from app.matching.parsing.layers import Layer, layers, level_of, may_begin

# Often only the ESC byte of an escape sequence is lost, so `[36m` is removed with or without it. Some programs write
# `^[`.
ANSI = re.compile(
    r"(?:\x1b|\^\[)\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\[\d{1,3}(?:;\d{1,3}){0,4}m"
)
_LOST_ESCAPE = re.compile(r"\[[0-9;]+m")
_BACK = re.compile(
    r"(?:\s*(?:\[repeated\s\d+x\sacross\scluster\](?:\s\(Ray deduplicates[^\n]{0,400})?|│|┃|\|(?=\s*$)))+\s*$"
)
_REPEATED = "[repeated "
# the right side of a box
_BOX_ENDS = frozenset("│┃|")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CLOCK = re.compile(
    r"(?:(?:\d{4}[-/])?(?:(?P<month>\d\d)[-/]?|(?P<name>[A-Z][a-z]{2})\s{1,2})(?P<day>\d{1,2})[T\s_])?"
    r"(\d\d)[:-](\d\d)[:-](\d\d(?:[.,]\d{1,6})?)(?P<half>\s[AP]M)?"
)
# the part of it without which there is none
_TIME = re.compile(r"\d\d[:-]\d\d[:-]\d\d")
# They are in ascending order: the most severe level that any layer names is that of the line.
_LEVELS = ("", "log", "warning", "error")
_NOT_NAME = re.compile(r"[^\w.=()-]+|^[\[(]+|[\])]+$")


class Cleaned(NamedTuple):
    """A cleaned line: its text, where the text stands in the paste, who printed it, and the logger's level.

    `indent` is the number of spaces before the text, after the prefixes. `stamped` says that a logger put a time, a
    level or a place before it, `boxed` that it stood in a box; `time` is the time that was put before it.
    `printer` is who printed it as a path: host or container, actor, rank. `labelled` says that nothing but a name in
    brackets stood before it, which people write too; `typed` that a prompt stood before it.
    """

    text: str
    segments: tuple[Segment, ...]
    tag: str
    level: str
    indent: int
    stamped: bool
    boxed: bool
    time: Moment | None
    printer: tuple[str, ...]
    labelled: bool = False
    typed: bool = False

    @property
    def printed(self) -> bool:
        """Whether a logger or a launcher put something before it."""
        return self.stamped or self.tag != ""


# Every line makes one of each: of a tuple, which takes a third of the time that the constructor of the class does.
_cleaned = partial(tuple.__new__, Cleaned)
_segment = partial(tuple.__new__, Segment)


def clean(line: str, start: int) -> Cleaned:
    """Clean one line (without its newline) that begins at offset `start` of the paste."""
    bracket = "[" in line
    if "\x1b" in line or (bracket and ("^[[" in line or _LOST_ESCAPE.search(line))):
        holes = [match.span() for match in ANSI.finditer(line)]
        if holes:
            return _with_ansi(line, start, holes)
    ended = line.rstrip()
    found = layers(line, len(ended))
    if not found and not (bracket and _REPEATED in line) and not _ends_in_box(line, len(ended)):
        return _plain(ended, start)
    low, high, around = _ends(line, len(ended), found)
    segments = (_segment((0, start + low, high - low, 0)),) if low < high else ()
    return _cleaned((line[low:high], segments, *around))


def cut(line: Cleaned, start: int, end: int) -> Cleaned:
    """Return the characters `[start, end)` of a cleaned line as a line."""
    kept = [
        part._replace(clean=low - start, source=part.source + low - part.clean, length=high - low)
        for part in line.segments
        if (low := max(start, part.clean)) < (high := min(end, part.clean + part.length))
    ]
    return line._replace(text=line.text[start:end], segments=tuple(kept))


def joined(
    text: str, segments: tuple[Segment, ...], line: Cleaned, between: str = "\n"
) -> tuple[str, tuple[Segment, ...]]:
    """Return a message with one more line, and where it stands."""
    shift = len(text) + len(between)
    moved = tuple(part._replace(clean=part.clean + shift) for part in line.segments)
    return f"{text}{between}{line.text}", segments + moved


def of_record(record: Record, place: int, start: int) -> Cleaned:
    """Clean one line of the message of a JSON record that begins at offset `start` of the paste.

    The first one is stamped by the record, the others continue it.
    """
    line = record.lines[place]
    cleaned = clean(line.text, 0)
    level = level_of(record.level.upper()) if record.level else ""
    return cleaned._replace(
        segments=placed(line, cleaned.segments, start),
        level=max(level, cleaned.level, key=_LEVELS.index) if not place else cleaned.level,
        stamped=not place or cleaned.stamped,
        time=cleaned.time or _moment(record.time, 0, len(record.time)),
        printer=((record.source.lower(), *cleaned.printer) if record.source else cleaned.printer),
    )


def _plain(ended: str, start: int) -> Cleaned:
    """Clean a line that has nothing around it, as most have; the spaces behind it are off already."""
    text = ended.lstrip(" \t")
    low = len(ended) - len(text)
    segments = (_segment((0, start + low, len(text), 0)),) if text else ()
    return _cleaned((text, segments, "", "", low, False, False, None, (), False, False))


def _with_ansi(line: str, start: int, holes: list[tuple[int, int]]) -> Cleaned:
    pieces: list[tuple[int, int]] = []
    at = 0
    for low, high in holes:
        if low > at:
            pieces.append((at, low))
        at = high
    if at < len(line):
        pieces.append((at, len(line)))
    bare = "".join(line[low:high] for low, high in pieces)
    size = len(bare.rstrip())
    low, high, around = _ends(bare, size, layers(bare, size))
    kept: list[tuple[int, int]] = []
    offset = 0
    for begin, end in pieces:
        first, last = max(low - offset, 0), min(high - offset, end - begin)
        if first < last:
            kept.append((begin + first, begin + last))
        offset += end - begin
    segments: list[Segment] = []
    at = 0
    for begin, end in kept:
        segments.append(Segment(at, start + begin, end - begin))
        at += end - begin
    return Cleaned(bare[low:high], tuple(segments), *around)


# These are fields of `Cleaned`: who printed the line, its level, its indent, whether it was stamped or boxed, its time,
# its printer, whether only a name stood before it, and whether a prompt did.
_Around = tuple[str, str, int, bool, bool, Moment | None, tuple[str, ...], bool, bool]


def _moment(text: str, start: int, end: int) -> Moment | None:
    """Return the time that the log prefix `text[start:end]` tells, or None."""
    if text.find(":", start, end) < 0 and text.find("-", start, end) < 0:
        return None
    # most prefixes with a time begin with it
    match = _CLOCK.match(text, start, end)
    if match is None and _TIME.search(text, start, end):
        match = _CLOCK.search(text, start, end)
    if match is None:
        return None
    month, name, day, hour, minute, second, half = match.groups()
    if name:
        month = _MONTHS.index(name) + 1 if name in _MONTHS else 0
    days = int(month) * 31 + int(day) if month and int(month) else 0
    hours = int(hour) % 12 + 12 * (half == " PM") if half else int(hour)
    return days, hours * 3600 + int(minute) * 60 + float(second.replace(",", "."))


def _ends(line: str, high: int, layers: Sequence[Layer]) -> tuple[int, int, _Around]:
    """Return where the payload of `line[:high]` begins and ends, and what stood around it; `layers` stand before it."""
    low, tag, level = 0, "", ""
    stamped = boxed = typed = False
    named = bool(layers)
    printer: tuple[str, ...] = ()
    time: Moment | None = None
    for _, kind, end, said_tag, said_level in layers:
        if said_tag:
            tag += said_tag
            who = _who(said_tag)
            if not printer or printer[-1] != who:
                printer += (who,)
        if said_level and _LEVELS.index(said_level) > _LEVELS.index(level):
            level = said_level
        if kind == "box":
            boxed = True
        elif kind == "prompt":
            typed = True
        elif not boxed and kind in {"stamp", "tag"}:
            stamped = stamped or kind == "stamp"
            time = time or _moment(line, low, end)
        named = named and kind == "name"
        low = end
    if boxed or _ends_in_box(line, high) or (_REPEATED in line and line.find(_REPEATED, max(0, high - 500), high) >= 0):
        high = _back(line, low, high)
    before = len(line[:low].rstrip(" \t"))
    low = high - len(line[low:high].lstrip(" \t"))
    return low, high, (tag, level, low - before, stamped, boxed, time, printer, named, typed)


def _ends_in_box(line: str, high: int) -> bool:
    return line[high - 1 : high] in _BOX_ENDS and may_begin(line)


@lru_cache(maxsize=1_024)
def _who(tag: str) -> str:
    """Return who a tag says that printed a line: the same stand before most lines of a log."""
    return _NOT_NAME.sub("", tag).lower()


def _back(line: str, low: int, high: int) -> int:
    found = _BACK.search(line, max(low, high - 700), high)
    return found.start() if found else high
