"""The pseudo-terminal that a job writes to where it would have written to a terminal. POSIX only."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
from contextlib import suppress
from typing import Any

_OUTPUT = 1


def copy_size(source: int, target: int) -> None:
    """Give a terminal the window size of another one."""
    with suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, struct.pack("HHHH", 0, 0, 0, 0))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def open_like(real: int) -> tuple[int, int]:
    """Return both ends of a new pseudo-terminal that looks like a real one: ours, and the job's.

    It leaves the bytes as they are: the real one, to which they are copied, treats them as it always does.
    """
    ours, jobs = os.openpty()
    with suppress(termios.error):
        attributes: list[Any] = termios.tcgetattr(real)
        attributes[_OUTPUT] &= ~termios.OPOST
        termios.tcsetattr(jobs, termios.TCSANOW, attributes)
    copy_size(real, jobs)
    return ours, jobs
