"""What is open for each printer of lines while these are read: a stack without its error, an error without its end."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.matching.model import Frame, Moment
from app.matching.parsing.events import Printer, same_printer
from app.matching.parsing.lines import Cleaned

MOST_SOURCES = 256
MOST_FRAMES = 60


@dataclass(slots=True)
class Channel:
    """What is open for one printer of lines: frames not yet claimed by an error, and the error being continued.

    `noise` says that the next error is one that was only announced while things were torn down. `last` is its last
    error with a type, `link` how the next one hangs together with that: "next" of a chain, "origin" of it, or "" not at
    all. `code` is the line of source below the last frame. `below` is an error whose frames stand below it.
    """

    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=MOST_FRAMES))
    error: int | None = None
    continued: int = 0
    code_follows: bool = False
    time: Moment | None = None
    noise: bool = False
    last: int | None = None
    link: str = ""
    code: Cleaned | None = None
    below: int | None = None


class Channels:
    """The printers of a paste, at most `MOST_SOURCES` of them: then all are forgotten and it begins anew."""

    def __init__(self) -> None:
        self._known: dict[Printer, Channel] = {}

    def all(self) -> Iterable[Channel]:
        """Return what is open for each printer."""
        return self._known.values()

    def of(self, printer: Printer) -> Channel:
        """Return what is open for a printer."""
        channel = self._known.get(printer)
        if channel is None:
            if len(self._known) >= MOST_SOURCES:
                self._known.clear()
            channel = self._known[printer] = Channel()
        return channel

    def frames_above(self, printer: Printer, channel: Channel) -> deque[Frame]:
        """Return the frames above an error: its printer's, or those of the same one by a longer or shorter name."""
        if channel.frames or not printer:
            return channel.frames
        alike = (one.frames for name, one in self._known.items() if one.frames and same_printer(name, printer))
        return next(alike, channel.frames)
