"""Bytes from a job to where it would have written them, and into the ring besides."""

from __future__ import annotations

import os
from threading import Thread

from errdex_client.ring import Ring

PIECE = 64 * 1024
# Seconds for which the system may still hold what a job that has ended wrote to a pseudo-terminal.
LAST_SECONDS = 0.1


class Copier(Thread):
    """Copies from one file descriptor to another until the source ends, or is empty after the job has ended.

    `ended` is the reading end of a pipe that is closed for writing when the job ends: what it left running may hold the
    source open, and is not waited for. Where such pipes cannot be waited for (Windows) it is -1.
    """

    def __init__(self, source: int, target: int, ring: Ring | None, ended: int) -> None:
        super().__init__(name="errdex-copier", daemon=True)
        self._source, self._target = source, target
        self._ring = ring
        self._ended = ended

    def run(self) -> None:
        """Copy."""
        try:
            while self._ready():
                piece = self._read()
                if not piece:
                    break
                if self._ring is not None:
                    self._ring.add(piece)
                _write_all(self._target, piece)
        except OSError:
            # Nobody reads any more. The source is closed, so that the job finds that out as it would without us.
            pass
        finally:
            os.close(self._source)

    def _ready(self) -> bool:
        if self._ended < 0:
            return True
        from select import select

        readable, _, _ = select([self._source, self._ended], [], [])
        if self._source in readable:
            return True
        return bool(select([self._source], [], [], LAST_SECONDS)[0])

    def _read(self) -> bytes:
        try:
            return os.read(self._source, PIECE)
        except OSError:
            # A pseudo-terminal says by this error that nobody writes any more.
            return b""


def _write_all(target: int, piece: bytes) -> None:
    view = memoryview(piece)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:
            # Another program has made this descriptor non-blocking, so we wait until it can be written.
            from select import select

            select([], [target], [])
