"""What part each error of a paste plays: the first cause, a consequence, a wrapper around another, or noise."""

from collections.abc import Sequence

from app.matching.error_lines import names_a_cause
from app.matching.knowledge import listed
from app.matching.types import Message, Moment

# seconds by which a line must be earlier than one printed before it; clocks of hosts differ a little
CLEARLY = 2.0


def is_noise(text: str) -> bool:
    """Tell whether a message is printed while things are torn down, whatever went wrong."""
    return listed("noise.txt").fits(text)


def with_roles(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with the roles of the errors among them; at most one is the cause.

    The cause is the first specific error that is neither noise, wrapper nor known consequence; failing that the first
    other one, then the first consequence, then the first wrapper. Where the log has times, first is what the times say.
    """
    judged = [_judge(message) for message in messages]
    for fits in (_specific, _later, _consequence, _wrapper):
        places = [place for place, message in enumerate(judged) if fits(message)]
        if places:
            first = _earliest(judged, places)
            why = "wrapper" if judged[first].role == "wrapper" else "first"
            judged[first] = judged[first]._replace(role="cause", why=why)
            break
    return tuple(judged)


def _earliest(messages: Sequence[Message], places: Sequence[int]) -> int:
    """Return which of the places is first: by the clock where a later line was printed clearly earlier."""
    first = messages[places[0]].time
    if first is None:
        return places[0]
    timed = [place for place in places if _comparable(messages[place].time, first)]
    earliest = min(timed, key=lambda place: messages[place].time or first)
    return earliest if _seconds(first) - _seconds(messages[earliest].time or first) >= CLEARLY else places[0]


def _comparable(one: Moment | None, other: Moment) -> bool:
    return one is not None and (one[0] == 0) == (other[0] == 0)


def _seconds(moment: Moment) -> float:
    return moment[0] * 86_400 + moment[1]


def _specific(message: Message) -> bool:
    first = message.text.partition("\n")[0]
    return _later(message) and (message.type != "" or names_a_cause(first))


def _later(message: Message) -> bool:
    return message.role == "consequence" and message.why == "later"


def _consequence(message: Message) -> bool:
    return message.role == "consequence"


def _wrapper(message: Message) -> bool:
    return message.role == "wrapper"


def _judge(message: Message) -> Message:
    if message.kind == "prose" or message.role is not None:
        return message
    first = message.text.partition("\n")[0]
    if message.kind == "log":
        passes_on = listed("wrappers.txt").fits(first)
        return message._replace(kind="error", role="wrapper", why="wrapper") if passes_on else message
    if listed("wrappers.txt").fits(first):
        return message._replace(role="wrapper", why="wrapper")
    if listed("consequences.txt").fits(first):
        return message._replace(role="consequence", why="known")
    return message._replace(role="consequence", why="later")
