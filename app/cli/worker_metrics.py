"""The folder in which several workers count together, and those that a killed server left behind."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "errdex-metrics-"
# Every process that counts in a folder shares the lock on this file. The system ends the lock with the process, however
# that ends.
LOCK = "in-use"


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder, which is gone afterwards. Those of servers that were killed are removed first."""
    remove_abandoned()
    while True:
        made = Path(tempfile.mkdtemp(prefix=PREFIX))
        held = hold(made)
        if held is not None:
            break
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(held)


def hold(made: Path) -> int | None:
    """Keep a folder from being taken for an abandoned one until this process ends; return the open lock.

    None when it was taken for one already.
    """
    try:
        held = os.open(made / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:
        return None
    fcntl.flock(held, fcntl.LOCK_SH)
    if os.fstat(held).st_nlink:
        return held
    os.close(held)
    return None


def remove_abandoned() -> None:
    """Remove this user's folders that no living process counts in."""
    for found in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        # An error means that the folder is gone already, belongs to another user, or is in use.
        with suppress(OSError):
            if not found.is_symlink() and found.stat().st_uid == os.geteuid():
                _remove_unless_held(found)


def _remove_unless_held(found: Path) -> None:
    lock = os.open(found / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(found)
    finally:
        os.close(lock)
