"""What `errdex match` looks at: a file or standard input, read to its end in bounded memory."""

from collections import deque
from typing import BinaryIO, NamedTuple

_PIECE = 64 * 1024


class InputText(NamedTuple):
    """A text, and how many bytes of its middle are not in it."""

    text: str
    left_out: int


def read_pasted(stream: BinaryIO, most: int) -> InputText:
    """Return what a stream holds; of more than `most` bytes its beginning and its end, in whole lines.

    It is read to its end in any case: a program that writes to a closed pipe is ended by it. Bytes that are not UTF-8
    are replaced.
    """
    begin = stream.read(most // 2)
    end, passed = _last(stream, most - most // 2)
    if not passed:
        return InputText(_decoded(begin + end), 0)
    # a line that was cut could be taken for another error
    first, last = begin[: begin.rfind(b"\n") + 1] or begin, end[end.find(b"\n") + 1 :]
    gap = b"" if first.endswith(b"\n") else b"\n"
    return InputText(_decoded(first + gap + last), passed + len(begin) - len(first) + len(end) - len(last))


def _last(stream: BinaryIO, most: int) -> tuple[bytes, int]:
    """Read a stream to its end; return its last bytes, and how many came before them."""
    kept: deque[bytes] = deque()
    held = passed = 0
    while piece := stream.read(_PIECE):
        kept.append(piece)
        held += len(piece)
        while held - len(kept[0]) >= most:
            held -= len(kept[0])
            passed += len(kept.popleft())
    last = b"".join(kept)
    over = max(0, held - most)
    return last[over:], passed + over


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "replace")
