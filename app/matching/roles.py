"""What part each error of a paste plays: the first cause, a consequence, a wrapper around another, or noise."""

from collections.abc import Sequence
from dataclasses import replace

from app.matching.knowledge import listed
from app.matching.types import Message


def is_noise(text: str) -> bool:
    """Tell whether a message is printed while things are torn down, whatever went wrong."""
    return listed("noise.txt").search(text) is not None


def with_roles(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with the roles of the errors among them; at most one is the cause.

    The cause is the first typed error that is neither noise, wrapper nor known consequence; failing that the first
    untyped one, then the first consequence, then the first wrapper.
    """
    judged = [_judge(message) for message in messages]
    for fits in (_typed, _later, _consequence, _wrapper):
        for place, message in enumerate(judged):
            if fits(message):
                judged[place] = replace(message, role="cause", why="wrapper" if message.role == "wrapper" else "first")
                return tuple(judged)
    return tuple(judged)


def _typed(message: Message) -> bool:
    return _later(message) and message.type != ""


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
        passes_on = listed("wrappers.txt").search(first) is not None
        return replace(message, kind="error", role="wrapper", why="wrapper") if passes_on else message
    if is_noise(first):
        return replace(message, role="noise", why="noise")
    if listed("wrappers.txt").search(first):
        return replace(message, role="wrapper", why="wrapper")
    if listed("consequences.txt").search(first):
        return replace(message, role="consequence", why="known")
    return replace(message, role="consequence", why="later")
