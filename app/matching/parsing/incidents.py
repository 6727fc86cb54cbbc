"""Errors to incidents: which errors belong to one failure, which failure came first, and which error is its root.

Each error is judged as the cause by a sum of features, whose weights stand in `weights.toml` under `[cause]`: the lists
of noise, wrappers and consequences are such features, and so are having been raised, its logger's level, and whether
its printer went on. Of the errors whose sum comes near the best one the first is the cause.
"""

from collections.abc import Sequence
from typing import Any

from app.matching.model import Message
from app.matching.parsing.cause_worth import CauseWorth, inner_type
from app.matching.parsing.events import Event, Ordinary, Printer, apart, comparable, same_printer, seconds, siblings
from app.matching.text.masks import mask
from app.matching.text.rules import listed, weights
from app.matching.text.tokens import words


def judged(
    messages: Sequence[Message], events: Sequence[Event], ordinary: Ordinary
) -> tuple[tuple[Message, ...], bool]:
    """Return the messages with the roles of the errors among them and the incident that each belongs to.

    At most one error is the cause: the root of the first incident; two where nothing tells which of two roots was
    first. With them comes whether it is unsure that this one was the first (`Report.unsure`).
    """
    judge = _Judge(messages, events, ordinary)
    return judge.judged(), judge.unsure


def _knob(name: str) -> Any:
    return weights()["cause"][name]


class _Judge:
    def __init__(self, messages: Sequence[Message], events: Sequence[Event], ordinary: Ordinary) -> None:
        self._messages = list(messages)
        self._events = events
        self._ordinary = ordinary
        self._places = bool(ordinary.lines) or any(event.printer for event in events)
        self._worth = CauseWorth(self._messages, events, ordinary)
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
        for number in range(1, _knob("most_incidents") + 1):
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
            self._messages[place] = self._messages[place]._replace(incident=_knob("most_incidents"))
        if len(roots) > 1:
            better = self._worth.of(roots[1]) - self._worth.of(roots[0])
            self.unsure = better >= weights()["cause"]["unsure"] or self._are_as_likely(*roots[:2])
            if self._are_as_likely(*roots[:2]):
                self._messages[roots[1]] = self._messages[roots[1]]._replace(role="cause", why="as-likely")

    def _are_as_likely(self, one: int, other: int) -> bool:
        """Tell whether nothing says which of two roots was first: both raised, their stacks interleaved."""
        first, second = self._messages[one], self._messages[other]
        mine, theirs = self._events[one], self._events[other]
        if not (first.frames and second.frames and mine.printer and theirs.printer) or first.line > second.line:
            return False
        if self._worth.follows(one) or self._worth.follows(other) or self._is_handled(other):
            return False
        gap = apart(mine.stamp, theirs.stamp)
        told = gap is not None and abs(gap) > 0
        alike = abs(self._worth.of(one) - self._worth.of(other)) <= _knob("as_likely")
        return alike and not told and second.frames[0].line < first.line and not self._is_passed_on(one, other)

    def _is_passed_on(self, *roots: int) -> bool:
        """Tell whether a wrapper says which of the roots it passes on."""
        types = {inner_type(message) for message in self._messages if message.role == "wrapper"}
        return any(self._messages[root].type in types for root in roots)

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
        return (
            event.level != "error" and (told or self._worth.is_survived(place)) and self._messages[place].why != "known"
        )

    # ---- which error is the root

    def _root(self, candidates: Sequence[int]) -> int:
        best = max(map(self._worth.of, candidates))
        margin = weights()["cause"]["margin"]
        near = [place for place in candidates if self._worth.of(place) >= best - margin]
        return self._origin(self._earliest(near))

    def _origin(self, place: int) -> int:
        """Return the root of the chain of an error: the first that was not raised again from another one."""
        chain = self._events[place].chain
        if not chain:
            return place
        linked = [at for at, event in enumerate(self._events) if event.chain == chain and not event.reraised]
        kept = [at for at in linked if self._messages[at].role != "wrapper"] or linked or [place]
        return kept[0] if place not in kept else place

    def _earliest(self, places: Sequence[int]) -> int:
        """Return which of the places is first: by the clock where a later line was printed clearly earlier."""
        first = self._events[places[0]].stamp
        if first is None:
            return places[0]
        # A line without a time of its own has the time that its printer told before, which is only the earliest
        # possible one.
        stamps = {place: stamp for place in places if (stamp := self._events[place].stamp) and comparable(stamp, first)}
        earliest = min(stamps, key=lambda place: stamps[place])
        return earliest if seconds(first) - seconds(stamps[earliest]) >= _knob("clearly") else places[0]

    # ---- what belongs to it

    def _members(self, root: int) -> set[int]:
        """Return the places of the messages that belong to the incident of a root."""
        free = [place for place in range(len(self._messages)) if not self._messages[place].incident]
        found = {root}
        if chain := self._events[root].chain:
            found |= {place for place in free if self._events[place].chain == chain}
        if not self._places:
            return found | self._neighbours(found, free)
        found |= {place for place in free if self._is_beside(root, place)}
        return found | {place for place in free if place not in found and self._repeats(root, place)}

    def _neighbours(self, found: set[int], free: Sequence[int]) -> set[int]:
        """Return what stands near in a text that says neither who printed a line nor when."""
        lines = sorted(self._messages[place].line for place in found)
        low, high = lines[0], lines[-1]
        near: set[int] = set()
        for place in sorted(free):
            if high < self._messages[place].line <= high + _knob("neighbours"):
                high = self._messages[place].line
                near.add(place)
        for place in sorted(free, reverse=True):
            if low - _knob("neighbours") <= self._messages[place].line <= high:
                low = min(low, self._messages[place].line)
                near.add(place)
        return near

    def _is_beside(self, root: int, place: int) -> bool:
        """Tell whether the printer of a root said this around it, or nobody in particular did near it."""
        mine, other = self._events[root].printer, self._events[place].printer
        if not same_printer(mine, other):
            return self._is_near(root, place)
        message, first = self._messages[place], self._messages[root]
        if message.line < first.line and message.kind == "error" and self._worth.is_survived(place):
            return False
        if not mine and self._follows(place) and not self._follows(root):
            # nobody in particular printed both, so that it may be what another process says of this failure
            return False
        if message.line >= first.line:
            return not self._goes_on_between(mine, root, place)
        gap = apart(message.time, first.time)
        if first.line - message.line > _knob("lines_before") or (gap is not None and gap > _knob("seconds_before")):
            return False
        return not self._ordinary.between(mine, message.line, first.line)

    def _is_near(self, root: int, place: int) -> bool:
        """Tell whether a line of another printer belongs to a root: a sibling's, or a native one, near it."""
        message, first = self._messages[place], self._messages[root]
        mine, other = self._events[root].printer, self._events[place].printer
        if abs(message.line - first.line) > _knob("neighbours"):
            return False
        if siblings(mine, other):
            if self._worth.follows(place):
                return False
            gap = apart(self._events[root].stamp, self._events[place].stamp)
            return gap is None or abs(gap) <= _knob("clearly")
        if other or message.frames or (self._follows(place) and not self._follows(root)):
            return False
        if message.line > first.line:
            return not self._goes_on_between(mine, root, place)
        return not self._ordinary.between(other, message.line, first.line)

    def _follows(self, place: int) -> bool:
        """Tell whether a message is of the kinds that follow from another failure, whatever it was taken for."""
        if self._events[place].unlisted:
            return False
        first = self._messages[place].text.partition("\n")[0]
        return listed("consequences.txt").fits(first) or listed("peers.txt").fits(first)

    def _goes_on_between(self, printer: Printer, root: int, place: int) -> bool:
        return self._ordinary.between(printer, self._messages[root].line, self._messages[place].line)

    def _repeats(self, root: int, place: int) -> bool:
        """Tell whether a line of another printer tells of the same failure: its type, or most of its words."""
        message, first = self._messages[place], self._messages[root]
        if message.kind != "error":
            return False
        if message.role == "wrapper":
            return inner_type(message) in ("", first.type)
        if message.type and message.type == first.type:
            return True
        told = {word for word in words(mask(first.text.partition("\n")[0])) if len(word) > 2}
        return len(told) > 2 and len(told & set(words(mask(message.text)))) >= _knob("repeats") * len(told)


def _listed(message: Message, event: Event) -> Message:
    """Return a message with what the lists say of it; an error that none knows follows, until it is the cause."""
    if message.kind == "prose" or message.role is not None:
        return message
    first = "" if event.unlisted else message.text.partition("\n")[0]
    passes_on = event.reraised or (first != "" and listed("wrappers.txt").fits(first))
    if message.kind == "log":
        return message._replace(kind="error", role="wrapper", why="wrapper") if passes_on else message
    if passes_on:
        return message._replace(role="wrapper", why="wrapper")
    known = first != "" and listed("consequences.txt").fits(first)
    return message._replace(role="consequence", why="known" if known else "later")
