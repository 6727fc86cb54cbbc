"""Text that was read in the wrong encoding, put right where its bytes survive.

UTF-8 read as Windows-1252 or Latin-1 (`æ˜¾å­˜`) or as GBK (`鏄惧瓨`), and GBK read as Latin-1 (`ÏÔ´æ`). What cannot be
put right is left as it is: the words around it still match.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_RUN = re.compile(r"[^\x00-\x7f]+")
# Logs and messages hold these characters: ASCII, punctuation, arrows, boxes, signs, Chinese, full-width forms, emoji.
_PLAUSIBLE = re.compile(
    r"[\x00-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f\u25a0-\u27bf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff"
    r"\uff00-\uffef\U0001f300-\U0001faff]+"
)
_HAN_OR_BOX = re.compile(r"[\u2500-\u259f\u3400-\u4dbf\u4e00-\u9fff]")
# The first two bytes of a character in UTF-8 look like this in Latin-1 and Windows-1252.
_LATIN = re.compile(r"[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]")
# Two bytes are one Chinese character in GBK, but two accented letters in a row are rather a word of French.
_SHORTEST_GBK = 4
_LOST = "\ufffd"


class Mended(NamedTuple):
    """A line put right; `places` tells for each of its characters where it stands in the line as received."""

    text: str
    places: tuple[tuple[int, int], ...]


def mend(line: str) -> Mended | None:
    """Return the line with what was read in a wrong encoding put right; None when nothing was."""
    text: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    found = False
    for run in _RUN.finditer(line):
        for start, part in _unbroken(run):
            mended = _mended(part)
            if mended is None:
                continue
            found = True
            text.append(line[at:start])
            places += [(place, place + 1) for place in range(at, start)]
            text.append(mended.text)
            places += [(start + low, start + high) for low, high in mended.places]
            at = start + len(part)
    if not found:
        return None
    text.append(line[at:])
    places += [(place, place + 1) for place in range(at, len(line))]
    return Mended("".join(text), tuple(places))


def _unbroken(run: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Yield the parts of a run between places where bytes were lost, with their offsets."""
    at = run.start()
    for part in run.group().split(_LOST):
        yield at, part
        at += len(part) + len(_LOST)


def _mended(run: str) -> Mended | None:
    found = _reread(run, _windows, "utf-8") if _LATIN.search(run) else None
    # The usual characters of GBK have bytes in this range.
    if found is None and len(run) >= _SHORTEST_GBK and min(run) >= "\u00a1" and max(run) <= "\u00ff":
        found = _reread(run, _windows, "gb18030")
    if found is None and _HAN_OR_BOX.search(run):
        found = _reread(run, _gbk, "utf-8")
    return found


def _windows(character: str) -> bytes:
    # Bytes that Windows-1252 leaves undefined are shown as the control characters of Latin-1.
    return character.encode("latin-1") if character <= "\u00ff" else character.encode("cp1252")


def _gbk(character: str) -> bytes:
    return character.encode("gb18030")


def _reread(run: str, encode: Callable[[str], bytes], encoding: str) -> Mended | None:
    try:
        pieces = [encode(character) for character in run]
    except UnicodeEncodeError:
        return None
    whole = b"".join(pieces)
    # Where bytes were lost beside the run, its first or last character is incomplete and left out.
    for front, back in ((0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (1, 1), (1, 2), (2, 1), (2, 2)):
        cut = whole[front : len(whole) - back]
        try:
            text = cut.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _PLAUSIBLE.fullmatch(text) and _HAN_OR_BOX.search(text):
            return Mended(text, tuple(_places(text, pieces, front, encoding)))
        return None
    return None


def _places(text: str, pieces: list[bytes], front: int, encoding: str) -> Iterator[tuple[int, int]]:
    owner = [place for place, piece in enumerate(pieces) for _ in piece]
    at = front
    for character in text:
        size = len(character.encode(encoding))
        yield owner[at], owner[at + size - 1] + 1
        at += size
