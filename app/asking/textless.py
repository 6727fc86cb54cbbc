"""A report without the text that it was made of, and back: so that it can be kept while the paste is not."""

from dataclasses import replace
from typing import NamedTuple

from app.matching.model import Frame, Message, Report, Segment
from app.matching.parsing.versions import versions_in


class _Told(NamedTuple):
    """What is left of a message: itself without text, how long it was, where in it its type stood, and its frames."""

    message: Message
    length: int
    type: slice
    frames: tuple[int, ...]


class _Seen(NamedTuple):
    """What is left of a frame: where in the paste its path and its function stand."""

    path: slice
    function: slice
    frame: Frame


class Bare(NamedTuple):
    """A report in which every character of the paste is left out; places, kinds and roles stay.

    `frames` are all of its frames, each once; the others name them by their place among these.
    """

    report: Report
    told: tuple[_Told, ...]
    frames: tuple[_Seen, ...]
    seen: tuple[int, ...]
    ends: tuple[int, ...]

    def dressed(self, text: str) -> Report:
        """Return the report as it was. `text` must be the text that it was made of; with another one the result is
        nonsense.
        """
        frames = [Frame(text[path], text[function], left.line, left.span) for path, function, left in self.frames]
        report = self.report
        return Report(
            tuple([_dressed(told, frames, text) for told in self.told]),
            tuple([frames[place] for place in self.seen]),
            report.lines,
            report.length,
            report.truncated,
            tuple([frames[place] for place in self.ends]),
            report.unsure,
            versions_in(text),
        )


def bare(report: Report, text: str) -> Bare | None:
    """Return a report without its text; None if it could not be restored exactly, as when the encoding of the text was
    mended.
    """
    places: dict[Frame, int] = {}

    def put(frames: tuple[Frame, ...]) -> tuple[int, ...]:
        return tuple([places.setdefault(found, len(places)) for found in frames])

    told = tuple([_told(message, put(message.frames)) for message in report.messages])
    seen, ends = put(report.frames), put(report.ends)
    found = Bare(
        replace(report, messages=(), frames=(), ends=(), versions=()),
        told,
        tuple([_seen(one, text) for one in places]),
        seen,
        ends,
    )
    return found if found.dressed(text) == report else None


def _told(message: Message, frames: tuple[int, ...]) -> _Told:
    start = message.text.find(message.type)
    left = message._replace(text="", type="", frames=())
    return _Told(left, len(message.text), slice(start, start + len(message.type)), frames)


def _seen(found: Frame, text: str) -> _Seen:
    path = _place(found.path, text, found.span.start)
    return _Seen(path, _place(found.function, text, path.stop), found._replace(path="", function=""))


def _place(part: str, text: str, start: int) -> slice:
    # A part that is not found in the paste makes another text when it is put together again, and then the report is not
    # kept.
    at = max(text.find(part, start), 0)
    return slice(at, at + len(part))


def _dressed(told: _Told, frames: list[Frame], text: str) -> Message:
    left = told.message
    said = _said(left.segments, text)[: told.length]
    return Message(
        said,
        left.line,
        left.segments,
        left.kind,
        said[told.type],
        left.role,
        left.why,
        tuple([frames[place] for place in told.frames]),
        left.times,
        left.person,
        left.printed,
        left.time,
        left.incident,
    )


def _said(segments: tuple[Segment, ...], text: str) -> str:
    if len(segments) == 1:
        part = segments[0]
        return text[part.source : part.source + part.length]
    parts: list[str] = []
    at = 0
    for part in segments:
        # The lines of a message are joined by newlines, which stand at no place of the paste.
        parts.append("\n" * (part.clean - at))
        parts.append(text[part.source : part.source + part.length])
        at = part.clean + part.length
    return "".join(parts)
