"""Which parts of a paste are what a person wrote: a question, or words around the log."""

import re
from collections.abc import Sequence

from app.matching.model import Message
from app.matching.text.rules import stop_words
from app.matching.text.tokens import han_count

# A text without any error and with no more messages than this is taken for a question as a whole.
QUESTION_MESSAGES = 8
QUESTION_LENGTH = 800
# the same line so often in a row is printed
TYPED_BY_NOBODY = 4

_BEGINS = re.compile(
    r"(?:how|why|what|where|when|which|can|does|do|is|are|should|any|i|my|we|our|after|hi|hello)\b.*\b\w+\b.*\b\w+",
    re.IGNORECASE,
)
# Somebody asks about themselves, wherever it stands in the line.
_ASKS_FOR_SELF = re.compile(r"\b(?:how|what|which|where|why)\b(?:\s+\w+){0,3}\s+(?:i|we)\s", re.IGNORECASE)
# an option of a command
_OPTION = re.compile(r"(?:^|\s)--[a-z]")
_PLAIN_WORD = re.compile(r"[\"'(`]?[A-Za-z][A-Za-z'-]*[\"'),.:;!`]*")
# Words in letters that a sentence has at least, those of them that join others, and the share of plain ones in percent.
SENTENCE_WORDS = 5
JOINING_WORDS = 2
PLAIN_PERCENT = 60
_CODE_LIKE = re.compile(r"[=\[\]{}<>|/\\_]|\d\.\d|:\d|\w\.\w|\w\(")


def is_chinese(text: str) -> bool:
    """Tell whether a line is a sentence in Chinese (machine output is English either way)."""
    return not text.isascii() and han_count(text[:400]) >= 4


def asks(text: str) -> bool:
    """Tell whether a line is surely a person's: a sentence in Chinese, or one that asks in English."""
    return is_chinese(text) or "? " in f"{text} " or _BEGINS.match(text) is not None


def marked(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with those that a person wrote marked as prose."""
    logs = [message for message in messages if message.kind == "error"]
    short = not logs and len(messages) <= QUESTION_MESSAGES and sum(len(m.text) for m in messages) <= QUESTION_LENGTH
    found = [_marked(message, short) for message in messages]
    if len(found) > 1 and _introduces(found[0]):
        found[0] = found[0]._replace(kind="prose", person=True)
    return tuple(found)


def _introduces(message: Message) -> bool:
    """Tell whether the first line of a text is a sentence about what follows ("Training hangs after a warning:")."""
    if message.kind != "log" or message.printed or message.person or message.in_a_row >= TYPED_BY_NOBODY:
        return False
    words = message.text.split()
    plain = sum(_PLAIN_WORD.fullmatch(word) is not None for word in words)
    joining = sum(word.lower().strip(",.:;") in stop_words() for word in words)
    return plain >= SENTENCE_WORDS and joining >= JOINING_WORDS and 100 * plain >= PLAIN_PERCENT * len(words)


def _asks_for_self(text: str) -> bool:
    held = " I " in text or " we " in text or " i " in text
    return held and _ASKS_FOR_SELF.search(text) is not None


def all_prose(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages as what a person typed: for a search box, where no log is expected."""
    return tuple(message._replace(kind="prose", person=True, role=None) for message in messages)


def _marked(message: Message, short: bool) -> Message:
    if message.in_a_row >= TYPED_BY_NOBODY:
        return message
    if message.kind == "error":
        return message._replace(person=True) if _is_prose(message.text) else message
    written = (short and not _is_machine(message)) or _is_prose(message.text)
    return message._replace(kind="prose", person=True) if written else message


def _is_machine(message: Message) -> bool:
    if asks(message.text):
        return False
    visible = sum(not letter.isspace() for letter in message.text)
    plain = sum(letter.isalpha() for letter in message.text)
    code = sum(len(word) for word in message.text.split() if _CODE_LIKE.search(word))
    is_command = len(_OPTION.findall(message.text)) >= 2
    return is_command or message.printed or plain < 0.72 * visible or code > 0.6 * visible


def _is_prose(text: str) -> bool:
    if is_chinese(text):
        return True
    spaces = text.count(" ")
    if spaces < 4 or not (text.rstrip().endswith("?") or _BEGINS.match(text) or _asks_for_self(text)):
        return False
    return len(_CODE_LIKE.findall(text)) * 6 < spaces + 4
