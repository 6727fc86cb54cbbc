"""Compressed bodies (RFC 9110, section 8.4): gzip and deflate, made plain piece by piece within a limit."""

import zlib

from app.errors import MalformedBody, TooLarge

# gzip and x-gzip are one (RFC 9110, section 8.4.1.3)
GZIP, DEFLATE = frozenset({"gzip", "x-gzip"}), frozenset({"deflate"})
READ = GZIP | DEFLATE
_GZIP_BITS, _RAW_BITS = 16 + zlib.MAX_WBITS, -zlib.MAX_WBITS
# of a zlib header: method 8, and 31 divides both bytes taken as one number (RFC 1950, section 2.2)
_METHOD, _DIVISOR = 8, 31
# Members of a gzip body, each of which costs time and may hold nothing. A log that is rotated daily has 366 a year.
_MOST_MEMBERS = 1000


class Decoder:
    """Makes the pieces of one compressed body plain. It gives no more than `most` bytes in all, whatever it is fed."""

    def __init__(self, coding: str, most: int, limit: int) -> None:
        self._coding = coding
        self._left = most
        self._limit = limit
        self._stream: zlib._Decompress | None = None
        self._start = b""
        self._members = 0

    def decode(self, piece: bytes, *, is_last: bool) -> bytes:
        """Return what a piece holds. Raises `TooLarge`, and `MalformedBody` for what is not of this coding."""
        found: list[bytes] = []
        piece, self._start = self._start + piece, b""
        while piece:
            if self._stream is None:
                # how deflate was meant shows in the first two bytes
                if len(piece) < 2 and not is_last:
                    self._start = piece
                    break
                self._members += 1
                if self._members > _MOST_MEMBERS:
                    raise self._malformed()
                self._stream = zlib.decompressobj(self._bits(piece))
            plain = self._inflated(self._stream, piece)
            found.append(plain)
            self._left -= len(plain)
            if self._left < 0:
                raise TooLarge(limit=self._limit)
            # a file may be several that were joined, as log rotation does (RFC 1952, section 2.2)
            piece = self._stream.unused_data
            if self._stream.eof:
                self._stream = None
                if piece and self._coding in DEFLATE:
                    raise self._malformed()
        if is_last and self._stream is not None:
            raise self._malformed()
        return b"".join(found)

    def _inflated(self, stream: "zlib._Decompress", piece: bytes) -> bytes:
        try:
            # one byte more than is left tells that there is too much
            return stream.decompress(piece, self._left + 1)
        except zlib.error as error:
            raise self._malformed() from error

    def _bits(self, piece: bytes) -> int:
        if self._coding in GZIP:
            return _GZIP_BITS
        # some send the bare stream under this name
        is_wrapped = piece[0] & 0x0F == _METHOD and int.from_bytes(piece[:2]) % _DIVISOR == 0
        return zlib.MAX_WBITS if is_wrapped else _RAW_BITS

    def _malformed(self) -> MalformedBody:
        return MalformedBody(detail=f"the body is not whole {self._coding}, as its Content-Encoding says")
