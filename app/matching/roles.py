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
    order = (
        lambda m: m.role == "consequence" and m.why == "later" and m.type != "",
        lambda m: m.role == "consequence" and m.why == "later",
        lambda m: m.role == "consequence",
        lambda m: m.role == "wrapper",
    )
    for fits in order:
        for place, message in enumerate(judged):
            if fits(message):
                judged[place] = replace(message, role="cause", why="first")
                return tuple(judged)
    return tuple(judged)


def _judge(message: Message) -> Message:
    if message.kind != "error":
        return message
    first = message.text.partition("\n")[0]
    if is_noise(first):
        return replace(message, role="noise", why="noise")
    if listed("wrappers.txt").search(first):
        return replace(message, role="wrapper", why="wrapper")
    if listed("consequences.txt").search(first):
        return replace(message, role="consequence", why="known")
    return replace(message, role="consequence", why="later")
