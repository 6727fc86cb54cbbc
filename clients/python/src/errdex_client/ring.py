"""What a job printed, in bounded memory: its beginning and its end."""

from __future__ import annotations

from collections import deque
from threading import Lock

# So many bytes are kept of the beginning and of the end.
HEAD, TAIL = 256 * 1024, 4 * 1024 * 1024
# Smaller pieces are joined: a progress bar writes a few bytes at a time.
SMALL = 4096


class Ring:
    """Takes bytes from several threads; holds the first `HEAD` and about the last `TAIL` of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._head: list[bytes] = []
        self._head_size = 0
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.total = 0

    def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        with self._lock:
            self.total += len(piece)
            if self._head_size < HEAD:
                self._head.append(piece)
                self._head_size += len(piece)
                return
            self._tail_size += len(piece)
            if self._tail and len(self._tail[-1]) + len(piece) <= SMALL:
                self._tail[-1] += piece
                return
            self._tail.append(piece)
            while self._tail_size - len(self._tail[0]) >= TAIL:
                self._tail_size -= len(self._tail.popleft())

    def pieces(self) -> list[bytes]:
        """Return what is held, in order; where the middle is missing, the line that it cuts ends there."""
        with self._lock:
            missing = self.total > self._head_size + self._tail_size
            return [*self._head, *([b"\n"] if missing and self._tail else []), *self._tail]
