"""The message at the head of the result page: where there is room for a part of it only, its begin and its end."""

from typing import NamedTuple

# A phone shows so many characters in two lines. Messages name first what they are, and last the value that tells.
ROOM, END = 80, 38
LONGEST = 300


class Headline(NamedTuple):
    """A message in three parts, which together are the message; `end` is empty where all of it fits a phone."""

    begin: str
    middle: str = ""
    end: str = ""


def headline_of(said: str) -> Headline:
    """Return the parts of a message, cut between words where there are any; a very long one loses of its middle."""
    if len(said) <= ROOM:
        return Headline(said)
    begin, end = _cut(said, ROOM - END), said[len(said) - END :]
    if 0 <= (space := end.find(" ")) < END // 2:
        end = end[space + 1 :]
    middle = said[len(begin) : len(said) - len(end)]
    if len(said) > LONGEST:
        middle = f"{_cut(middle, LONGEST - ROOM)}… "
    return Headline(begin, middle, end)


def _cut(text: str, length: int) -> str:
    """Return the first `length` characters, without the word that they end in unless that is most of them."""
    space = text.rfind(" ", length // 2, length)
    return text[: space + 1] if space >= 0 else text[:length]
