"""What passes between the steps of the engine. Everything here is frozen."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Role = Literal["cause", "consequence", "wrapper", "noise", "handled"]
Confidence = Literal["high", "likely", "low"]


# What begins a frame where patterns and frames stand together.
FRAME_MARK = "frame:"
# The first is a day (0 where the log has no date), the second the seconds in it. Days only order moments; they are not
# days of a calendar.
Moment = tuple[int, float]


class Span(NamedTuple):
    """A half-open range `[start, end)` in Unicode code points of the text as received."""

    start: int
    end: int


class Segment(NamedTuple):
    """`length` characters of a cleaned text, from `clean` on, that stand at `source` in the text as received.

    One character that was put right stands for `width` characters there; 0 says that they are as many as here.
    """

    clean: int
    source: int
    length: int
    width: int = 0

    @property
    def end(self) -> int:
        """Where it ends in the text as received."""
        return self.source + (self.width or self.length)


class Frame(NamedTuple):
    """One stack line: file path as printed, function name, line of the paste (from 1) and where it stands."""

    path: str
    function: str
    line: int
    span: Span


class VersionSeen(NamedTuple):
    """A version that a paste tells of a package, by its normalised name; `span` is where name and version stand."""

    package: str
    version: str
    span: Span


class Message(NamedTuple):
    """One logical message of the paste, cleaned.

    `line` counts from 1. `type` is the exception type without its module, empty where none is printed. `frames` are
    those printed above an error, outermost first. `why` is the key of the reason for the role. `times` is how often the
    same masked message was seen, `in_a_row` how often to the letter, one after another or with a few others in turn.
    `person` says that it holds words of a person, not only of a program; `printed` that a logger or launcher put
    something before it. `time` is when its printer last told the time. `incident` is the number, from 1, of the failure
    that it belongs to; 0: of none.
    """

    text: str
    line: int
    segments: tuple[Segment, ...]
    kind: Literal["error", "log", "prose"] = "log"
    type: str = ""
    role: Role | None = None
    why: str = ""
    frames: tuple[Frame, ...] = ()
    times: int = 1
    person: bool = False
    printed: bool = False
    time: Moment | None = None
    incident: int = 0
    in_a_row: int = 1

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """Return where the characters `[start, end)` of the cleaned text stand in the text as received."""
        found: list[Span] = []
        for part in self.segments:
            low, high = max(start, part.clean), min(end, part.clean + part.length)
            if low >= high:
                continue
            first = part.source + low - part.clean
            span = Span(first, part.end if part.width else first + high - low)
            if part.width and found and found[-1].end == span.start:
                span = Span(found.pop().start, span.end)
            found.append(span)
        return tuple(found)

    @property
    def span(self) -> Span:
        """From the first to the last character of the message in the text as received."""
        if not self.segments:
            return Span(0, 0)
        return Span(self.segments[0].source, self.segments[-1].end)


@dataclass(frozen=True, slots=True)
class Report:
    """What was pasted, parsed. `lines` counts all lines; `truncated` says that not all could be looked at closely.
    `ends` are the last frames of stacks whose error is not in the paste. `unsure` says that the root of the second
    incident looks more like the cause than that of the first, although it came later, or as much. `versions` are
    those that the paste tells of what is installed or running.
    """

    messages: tuple[Message, ...]
    frames: tuple[Frame, ...]
    lines: int
    length: int
    truncated: bool
    ends: tuple[Frame, ...] = ()
    unsure: bool = False
    versions: tuple[VersionSeen, ...] = ()

    @property
    def errors(self) -> tuple[Message, ...]:
        """The messages that are errors, in the order of the paste."""
        return tuple(message for message in self.messages if message.role is not None)

    @property
    def has_two_causes(self) -> bool:
        """Whether nothing tells which of two errors was the first."""
        return sum(message.role == "cause" for message in self.messages) > 1

    @property
    def cause(self) -> Message | None:
        """The first cause, if an error was found; of two the likelier."""
        return next((message for message in self.messages if message.role == "cause"), None)


class Reason(NamedTuple):
    """Why a score is what it is: a text key, its parameters, points, and the places in the paste that show it."""

    key: str
    contribution: float
    params: tuple[tuple[str, str], ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its reasons; the score is their sum by construction, bounded to 0–100.

    `total` is the sum unbounded, `standing` how the entry stands among its equals by each of the rules for them: they
    order what the score shows as equal. `carried` says that it can be an answer,
    `outer` that it explains only errors that wrap or follow another one. `elsewhere` is the key of the reason why what
    carries it is not of the first incident: "follows", "went-on" or "from-a-later-error"; empty where it is.
    """

    entry: int
    reasons: tuple[Reason, ...]
    carried: bool
    outer: bool = False
    standing: tuple[float, ...] = ()
    elsewhere: str = ""
    total: float = field(init=False)
    score: float = field(init=False)

    def __post_init__(self) -> None:
        total = sum(reason.contribution for reason in self.reasons)
        object.__setattr__(self, "total", round(total, 1))
        object.__setattr__(self, "score", round(min(100.0, max(0.0, total)), 1))
