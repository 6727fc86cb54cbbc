"""What is asked about: standard input and files, each read to its end, as text, in bounded memory."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import ExitStack, suppress
from typing import BinaryIO, Callable, Iterable, Iterator

from errdex_client.excerpts import Excerpt, Windows
from errdex_client.exits import USAGE, Ended

# So many bytes are read at a time, and unpacked at a time.
PIECE = 256 * 1024
GZIP = b"\x1f\x8b"
# By so many bytes it is told how a text is encoded.
SAMPLE = 4096
# Of the bytes of UTF-16 so many are zero where it is mostly ASCII: one in two, and fewer where it holds Chinese.
ZEROS = 1 / 8
# So many bytes of a text after a mark of UTF-16 are ASCII where the mark stands there by chance.
ASCII = 0.85
_PLAIN = bytes([9, 10, 13, 27, *range(32, 127)])


def open_streams(
    names: Iterable[str], stack: ExitStack, note: Callable[[str], None], *, tee: bool = False
) -> list[BinaryIO]:
    """Return the files of these names ("-": standard input), opened until `stack` ends; no name is standard input.

    With `tee` what is read is written to standard output as it is. `note` says what is to be typed at a terminal.
    Raises `Ended` when standard input is closed, and `OSError`.
    """
    found: list[BinaryIO] = []
    for name in [*names] or ["-"]:
        if name != "-":
            found.append(stack.enter_context(open(name, "rb")))  # noqa: PTH123, SIM115
            continue
        if sys.stdin is None or sys.stdin.closed:
            raise Ended(USAGE, "standard input is closed; name a file, or write into the command")
        if sys.stdin.isatty():
            note("Paste the error, then press Ctrl-D on an empty line.")
        found.append(sys.stdin.buffer)
    return [Tee(stream) for stream in found] if tee else found  # type: ignore[misc]


def read_excerpt(streams: Iterable[BinaryIO], note: Callable[[str], None]) -> Excerpt:
    """Return what tells in streams of bytes, one after the other, each read to its end.

    Reading goes on to the end in any case: a program that writes to a closed pipe is ended by it. What is packed by
    gzip is unpacked, and UTF-16 is known; other bytes that are not UTF-8 are replaced. `note` is told when something
    packed ends too early.
    """
    windows = Windows()
    for stream in streams:
        decoder: codecs.IncrementalDecoder | None = None
        for piece in _unpacked(_pieces(stream), note):
            decoder = decoder or codecs.getincrementaldecoder(_encoding(piece[:SAMPLE]))("replace")
            windows.feed(decoder.decode(piece))
        if decoder is not None:
            windows.feed(decoder.decode(b"", final=True))
    return windows.close()


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while True:
        piece = stream.read(PIECE)
        if not piece:
            return
        yield piece


def _unpacked(pieces: Iterator[bytes], note: Callable[[str], None]) -> Iterator[bytes]:
    """Yield pieces as they are or, where they are those of a gzip file, what they hold."""
    first = next(pieces, b"")
    while len(first) < SAMPLE:
        more = next(pieces, b"")
        if not more:
            break
        first += more
    if not first.startswith(GZIP):
        if first:
            yield first
        yield from pieces
        return
    yield from _inflated(first, pieces, note)


def _inflated(first: bytes, pieces: Iterator[bytes], note: Callable[[str], None]) -> Iterator[bytes]:
    """Yield what a gzip file holds, which may have several parts, as far as it can be unpacked."""
    import zlib

    member = zlib.decompressobj(16 + zlib.MAX_WBITS)
    packed = first
    try:
        while packed:
            piece = member.decompress(packed, PIECE)
            if piece:
                yield piece
            if member.eof:
                packed = member.unused_data.lstrip(b"\0") or next(pieces, b"")
                if packed:
                    member = zlib.decompressobj(16 + zlib.MAX_WBITS)
            else:
                packed = member.unconsumed_tail or next(pieces, b"")
        if not member.eof:
            note("the gzip data ends too early; what could be unpacked is used")
    except zlib.error:
        note("the gzip data is damaged; what could be unpacked is used")
        # Whoever writes it must come to an end.
        for _ in pieces:
            pass


def _encoding(sample: bytes) -> str:
    """Return the encoding of a text that begins so: UTF-16 where it looks like it, else UTF-8."""
    marked = sample[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    rest = sample[2:] if marked else sample
    # In text that is mostly ASCII every second byte is zero: the second one of each pair, or the first.
    low, high = rest[1::2].count(0), rest[::2].count(0)
    if marked:
        ascii_bytes = len(rest) - len(rest.translate(None, _PLAIN))
        by_chance = low + high < len(rest) * ZEROS and ascii_bytes > len(rest) * ASCII
        return "utf-8" if by_chance else "utf-16"
    if max(low, high) > len(rest) * ZEROS and min(low, high) * 10 < max(low, high):
        return "utf-16-le" if low > high else "utf-16-be"
    return "utf-8"


class Tee:
    """A stream of bytes that writes to standard output what is read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._heard = True

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most `size`, as soon as there are any."""
        read = getattr(self._stream, "read1", self._stream.read)
        piece: bytes = read(size)
        if self._heard:
            try:
                sys.stdout.buffer.write(piece)
                sys.stdout.buffer.flush()
            except (OSError, ValueError, AttributeError):
                # Standard output is closed, or nobody reads it any more; the input is read to its end all the same.
                self._heard = False
                with suppress(OSError, ValueError, AttributeError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return piece
