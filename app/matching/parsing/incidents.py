"""Errors to incidents: which errors belong to one failure, which failure came first, and which error is its root.

Each error is judged as the cause by a sum of features, whose weights stand in `weights.toml` under `[cause]`: the lists
of noise, wrappers and consequences are such features, and so are having been raised, its logger's level, and whether
its printer went on. Of the errors whose sum comes near the best one the first is the cause.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.matching.model import Message, Moment
from app.matching.parsing.error_lines import names_a_cause
from app.matching.text.masks import mask
from app.matching.text.rules import listed, weights
from app.matching.text.tokens import words

# Seconds by which a line must be earlier than one printed before it; clocks of hosts differ a little.
CLEARLY = 2.0
# Lines between neighbours of one incident in a text that says neither who printed a line nor when.
NEIGHBOURS = 20
# What the printer of a root said before it belongs to the incident as far back as this.
LINES_BEFORE = 200
SECONDS_BEFORE = 120.0
# Further incidents are not told apart.
MOST_INCIDENTS = 12
# Ordinary lines, or seconds, after which an error that was raised counts as survived; of one that was stated, one line.
SURVIVED_LINES = 3
SURVIVED_SECONDS = 30.0
SURVIVED_STATED_SECONDS = 1.0
# Share of the words of a root that a line of another printer repeats when it tells of the same failure.
REPEATS = 0.6

Printer = tuple[str, ...]
_NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class Event:
    """What was seen of a message beside its text.

    `printer` is who printed it as a path, empty where nobody is named. `level` is the logger's ("error", "warning",
    "log" or ""). `stated` says that its type stands inside a sentence. Errors of one `chain` (0: none) were raised from
    each other; `reraised` that another one of the chain, printed later, is its origin. `stamp` is the time on the line,
    or on the lines of its printer directly above it.
    """

    printer: Printer = ()
    level: str = ""
    stated: bool = False
    chain: int = 0
    reraised: bool = False
    stamp: Moment | None = None


@dataclass(slots=True)
class Ordinary:
    """Lines by which printers went on with their work: their numbers and times, by printer, in order."""

    lines: dict[Printer, list[tuple[int, Moment | None]]] = field(default_factory=dict)

    def add(self, printer: Printer, line: int, time: Moment | None) -> None:
        """Take the next ordinary line."""
        self.lines.setdefault(printer, []).append((line, time))

    def after(self, printer: Printer, line: int) -> list[tuple[int, Moment | None]]:
        """Return the lines of a printer, or of one inside or around it, behind a line."""
        return [
            row
            for other, rows in self.lines.items()
            if same_printer(printer, other)
            for row in rows[bisect_right(rows, line, key=lambda row: row[0]) :]
        ]

    def between(self, printer: Printer, first: int, last: int) -> bool:
        """Tell whether a printer went on between two lines."""
        return any(number < last for number, _ in self.after(printer, first))


def same_printer(one: Printer, other: Printer) -> bool:
    """Tell whether two paths name the same printer as far as both are told; nobody is not somebody."""
    if not one or not other:
        return one == other
    return all(a == b for a, b in zip(one, other, strict=False))


def _siblings(one: Printer, other: Printer) -> bool:
    """Tell whether two printers are alike but for numbers: ranks, replicas and workers of one kind fail together."""
    return bool(one) and [_NUMBER.sub("", name) for name in one] == [_NUMBER.sub("", name) for name in other]


def judged(
    messages: Sequence[Message], events: Sequence[Event], ordinary: Ordinary
) -> tuple[tuple[Message, ...], bool]:
    """Return the messages with the roles of the errors among them and the incident that each belongs to.

    At most one error is the cause: the root of the first incident. With them comes whether it is unsure that this one
    was the first (`Report.unsure`).
    """
    judge = _Judge(messages, events, ordinary)
    return judge.judged(), judge.unsure


class _Judge:
    def __init__(self, messages: Sequence[Message], events: Sequence[Event], ordinary: Ordinary) -> None:
        self._messages = list(messages)
        self._events = events
        self._ordinary = ordinary
        self._places = bool(ordinary.lines) or any(event.printer for event in events)
        self._worth: dict[int, float] = {}
        self._survived: dict[int, bool] = {}
        self.unsure = False

    def judged(self) -> tuple[Message, ...]:
        for place, message in enumerate(self._messages):
            self._messages[place] = _listed(message, self._events[place])
        errors = [place for place, message in enumerate(self._messages) if message.kind == "error"]
        candidates = [place for place in errors if self._messages[place].role != "noise"]
        if candidates:
            self._incidents(candidates)
        return tuple(self._messages)

    def _incidents(self, candidates: list[int]) -> None:
        left = set(candidates)
        roots: list[int] = []
        for number in range(1, MOST_INCIDENTS + 1):
            rest = [place for place in candidates if place in left]
            if not rest:
                break
            root = self._root(rest)
            roots.append(root)
            members = self._members(root)
            for place in members:
                message = self._messages[place]
                if not message.incident:
                    self._messages[place] = message._replace(incident=number)
            if number == 1:
                self._name(root, rest)
            left -= members | {root}
        for place in left:
            self._messages[place] = self._messages[place]._replace(incident=MOST_INCIDENTS)
        if len(roots) > 1:
            better = self._cause_worth(roots[1]) - self._cause_worth(roots[0])
            self.unsure = better >= weights()["cause"]["unsure"]

    def _name(self, root: int, candidates: Sequence[int]) -> None:
        """Make the root the cause; errors that were survived before it are handled."""
        message = self._messages[root]
        why = "wrapper" if message.role == "wrapper" else "first"
        self._messages[root] = message._replace(role="cause", why=why)
        for place in candidates:
            other = self._messages[place]
            if place != root and other.role == "consequence" and other.incident != 1 and self._is_handled(place):
                self._messages[place] = other._replace(role="handled", why="survived")

    def _is_handled(self, place: int) -> bool:
        event = self._events[place]
        told = event.stated or event.level in ("log", "warning")
        return event.level != "error" and (told or self._is_survived(place)) and self._messages[place].why != "known"

    # ---- which error is the root

    def _root(self, candidates: Sequence[int]) -> int:
        best = max(map(self._cause_worth, candidates))
        margin = weights()["cause"]["margin"]
        near = [place for place in candidates if self._cause_worth(place) >= best - margin]
        return self._origin(self._earliest(near))

    def _origin(self, place: int) -> int:
        """Return the root of the chain of an error: the first that was not raised again from another one."""
        chain = self._events[place].chain
        if not chain:
            return place
        linked = [at for at, event in enumerate(self._events) if event.chain == chain and not event.reraised]
        kept = [at for at in linked if self._messages[at].role != "wrapper"] or linked or [place]
        return kept[0] if place not in kept else place

    def _cause_worth(self, place: int) -> float:
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
        elif listed("peers.txt").fits(first):
            found.append("peer")
        if message.type:
            found.append("typed")
        else:
            found.append("telling" if names_a_cause(first) else "vague")
        if message.frames or event.chain:
            found.append("raised")
        if event.stated and event.level != "error":
            found.append("stated")
        if event.level in ("error", "warning", "log"):
            found.append({"error": "error_level", "warning": "warning_level", "log": "info_level"}[event.level])
        if self._is_survived(place):
            found.append("survived")
        return found

    def _is_survived(self, place: int) -> bool:
        """Tell whether the printer of an error went on with its work after it."""
        if place not in self._survived:
            self._survived[place] = self._goes_on(place)
        return self._survived[place]

    def _goes_on(self, place: int) -> bool:
        message, event = self._messages[place], self._events[place]
        after = self._ordinary.after(event.printer, message.line)
        raised = bool(message.frames)
        apart = [_apart(message.time, time) for _, time in after]
        timed = [seconds for seconds in apart if seconds is not None]
        if timed:
            return max(timed) >= (SURVIVED_SECONDS if raised else SURVIVED_STATED_SECONDS)
        return len(after) >= (SURVIVED_LINES if raised else 1)

    def _earliest(self, places: Sequence[int]) -> int:
        """Return which of the places is first: by the clock where a later line was printed clearly earlier."""
        first = self._events[places[0]].stamp
        if first is None:
            return places[0]
        # the time that a printer told before is only the earliest at which the line can have been printed
        stamps = {
            place: stamp for place in places if (stamp := self._events[place].stamp) and _comparable(stamp, first)
        }
        earliest = min(stamps, key=lambda place: stamps[place])
        return earliest if _seconds(first) - _seconds(stamps[earliest]) >= CLEARLY else places[0]

    # ---- what belongs to it

    def _members(self, root: int) -> set[int]:
        """Return the places of the messages that belong to the incident of a root."""
        free = [place for place in range(len(self._messages)) if not self._messages[place].incident]
        found = {root} | {place for place in free if self._is_linked(root, place)}
        if not self._places:
            return found | self._neighbours(found, free)
        found |= {place for place in free if self._is_beside(root, place)}
        return found | {place for place in free if place not in found and self._repeats(root, place)}

    def _is_linked(self, root: int, place: int) -> bool:
        chain = self._events[root].chain
        return bool(chain) and self._events[place].chain == chain

    def _neighbours(self, found: set[int], free: Sequence[int]) -> set[int]:
        """Return what stands near in a text that says neither who printed a line nor when."""
        lines = sorted(self._messages[place].line for place in found)
        low, high = lines[0], lines[-1]
        near: set[int] = set()
        for place in sorted(free):
            if high < self._messages[place].line <= high + NEIGHBOURS:
                high = self._messages[place].line
                near.add(place)
        for place in sorted(free, reverse=True):
            if low - NEIGHBOURS <= self._messages[place].line <= high:
                low = min(low, self._messages[place].line)
                near.add(place)
        return near

    def _is_beside(self, root: int, place: int) -> bool:
        """Tell whether the printer of a root said this around it, or nobody in particular did near it."""
        mine, other = self._events[root].printer, self._events[place].printer
        if not same_printer(mine, other):
            return self._is_near(root, place)
        message, first = self._messages[place], self._messages[root]
        if message.line >= first.line:
            return not self._goes_on_between(mine, root, place)
        apart = _apart(message.time, first.time)
        if first.line - message.line > LINES_BEFORE or (apart is not None and apart > SECONDS_BEFORE):
            return False
        return not self._ordinary.between(mine, message.line, first.line)

    def _is_near(self, root: int, place: int) -> bool:
        """Tell whether a line of another printer belongs to a root: a sibling's, or a native one, near it."""
        message, first = self._messages[place], self._messages[root]
        mine, other = self._events[root].printer, self._events[place].printer
        if abs(message.line - first.line) > NEIGHBOURS:
            return False
        if _siblings(mine, other):
            apart = _apart(self._events[root].stamp, self._events[place].stamp)
            return apart is None or abs(apart) <= CLEARLY
        if other or message.frames:
            return False
        if message.line > first.line:
            return not self._goes_on_between(mine, root, place)
        return not self._ordinary.between(other, message.line, first.line)

    def _goes_on_between(self, printer: Printer, root: int, place: int) -> bool:
        return self._ordinary.between(printer, self._messages[root].line, self._messages[place].line)

    def _repeats(self, root: int, place: int) -> bool:
        """Tell whether a line of another printer tells of the same failure: its type, or most of its words."""
        message, first = self._messages[place], self._messages[root]
        if message.kind != "error":
            return False
        if message.role == "wrapper":
            return _inner_type(message) in ("", first.type)
        if message.type and message.type == first.type:
            return True
        told = {word for word in words(mask(first.text.partition("\n")[0])) if len(word) > 2}
        return len(told) > 2 and len(told & set(words(mask(message.text)))) >= REPEATS * len(told)


def _inner_type(message: Message) -> str:
    """Return the type that a wrapper names in parentheses, as `RayTaskError(ValueError)` does."""
    head = message.text.partition(":")[0]
    return head.partition("(")[2].rpartition(")")[0].rpartition(".")[2]


def _listed(message: Message, event: Event) -> Message:
    """Return a message with what the lists say of it; an error that none knows follows, until it is the cause."""
    if message.kind == "prose" or message.role is not None:
        return message
    first = message.text.partition("\n")[0]
    passes_on = listed("wrappers.txt").fits(first) or event.reraised
    if message.kind == "log":
        return message._replace(kind="error", role="wrapper", why="wrapper") if passes_on else message
    if passes_on:
        return message._replace(role="wrapper", why="wrapper")
    known = listed("consequences.txt").fits(first)
    return message._replace(role="consequence", why="known" if known else "later")


def _comparable(one: Moment | None, other: Moment) -> bool:
    return one is not None and (one[0] == 0) == (other[0] == 0)


def _apart(one: Moment | None, other: Moment | None) -> float | None:
    """Return the seconds from one moment to the other; None where they cannot be compared."""
    if one is None or other is None or not _comparable(one, other):
        return None
    return _seconds(other) - _seconds(one)


def _seconds(moment: Moment) -> float:
    return moment[0] * 86_400 + moment[1]
