"""How likely an error is the cause, by what is known of it alone: a sum of features.

The weights stand in `weights.toml` under `[cause]`.
"""

from collections.abc import Sequence
from functools import cached_property

from app.matching.model import Message
from app.matching.parsing.error_lines import is_from_below, names_a_cause
from app.matching.parsing.events import Event, Ordinary, Printer, apart
from app.matching.text.rules import listed, weights

# How many of the last errors that a printer raised are looked at.
_LOOKED_AT = 20


class CauseWorth:
    """Judges the errors of a paste; each is judged once, after the lists have given it a role."""

    def __init__(self, messages: Sequence[Message], events: Sequence[Event], ordinary: Ordinary) -> None:
        self._messages = messages
        self._events = events
        self._ordinary = ordinary
        self._worth: dict[int, float] = {}
        self._survived: dict[int, bool] = {}

    def of(self, place: int) -> float:
        """Return how likely an error is the cause by what is known of it alone: the sum of its features."""
        if place not in self._worth:
            knobs = weights()["cause"]
            self._worth[place] = sum(knobs[name] for name in self._features(place))
        return self._worth[place]

    def _features(self, place: int) -> list[str]:
        message, event = self._messages[place], self._events[place]
        first = message.text.partition("\n")[0]
        found = []
        if message.role == "wrapper" or event.reraised:
            found.append("wrapper")
        elif message.role == "consequence" and message.why == "known":
            found.append("consequence")
        elif not event.unlisted and listed("peers.txt").fits(first):
            found.append("peer")
        if message.type:
            found.append("typed")
        else:
            found.append("telling" if names_a_cause(first) else "vague")
        if message.frames or event.chain or event.traced:
            found.append("raised")
        if event.stated and event.level != "error":
            found.append("stated")
        if not message.type and is_from_below(first):
            # A lower layer prints its errors at any level, and the program above does not notice them.
            return [*found, "below"]
        if event.level in ("error", "warning", "log"):
            found.append({"error": "error_level", "warning": "warning_level", "log": "info_level"}[event.level])
        if self.is_survived(place):
            found.append("survived")
        if message.type in self._passed_on:
            found.append("passed_on")
        return found

    @cached_property
    def _passed_on(self) -> frozenset[str]:
        """The types that wrappers of the paste name as what they pass on."""
        told = (inner_type(message) for message in self._messages if message.role == "wrapper")
        return frozenset(filter(None, told))

    def follows(self, place: int) -> bool:
        """Tell whether the lists know an error as one that follows from another, or that names another process."""
        return not {"consequence", "peer"}.isdisjoint(self._features(place))

    def is_survived(self, place: int) -> bool:
        """Tell whether the printer of an error went on with its work after it."""
        if place not in self._survived:
            self._survived[place] = self._goes_on(place)
        return self._survived[place]

    def _goes_on(self, place: int) -> bool:
        message, event = self._messages[place], self._events[place]
        after = self._ordinary.after(event.printer, message.line)
        raised = bool(message.frames) or event.traced
        if message.type and not raised and event.printer and self._last_raised(place):
            return True
        knobs = weights()["cause"]
        if raised and len(after) >= int(knobs["survived_lines"]):
            last = self._last_raised(place)
            if sum(line < last for line, _ in after) >= int(knobs["survived_lines"]):
                return True
        timed = [seconds for _, time in after if (seconds := apart(message.time, time)) is not None]
        if timed and max(timed) >= float(knobs["survived_seconds" if raised else "survived_stated_seconds"]):
            return True
        untimed = len(after) - len(timed)
        return untimed >= (int(knobs["survived_lines"]) if raised else 1)

    def _last_raised(self, place: int) -> int:
        """Return the line of the last error of another type that the printer of an error raised after it, 0 for none.

        One that was raised from this one does not count. Only the last few are looked at.
        """
        message, event = self._messages[place], self._events[place]
        for later in reversed(self._raised.get(event.printer, [])[-_LOOKED_AT:]):
            linked = event.chain and self._events[later].chain == event.chain
            if later > place and self._messages[later].type != message.type and not linked:
                return self._messages[later].line
        return 0

    @cached_property
    def _raised(self) -> dict[Printer, list[int]]:
        """The places of the errors that were raised and wrap no other one, by printer, in order."""
        found: dict[Printer, list[int]] = {}
        for place, message in enumerate(self._messages):
            if message.frames and message.kind == "error" and message.role != "wrapper":
                found.setdefault(self._events[place].printer, []).append(place)
        return found


def inner_type(message: Message) -> str:
    """Return the type that a wrapper names in parentheses, as `RayTaskError(ValueError)` does; else ""."""
    head = message.text.partition(":")[0]
    return head.partition("(")[2].rpartition(")")[0].rpartition(".")[2]
