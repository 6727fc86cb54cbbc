"""Writing a file so that a crash leaves the old one or the new one."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PART = ".errdex-part"


def put(path: Path, content: bytes) -> None:
    """Write a file: a temporary one beside it, fsync, rename, fsync of the folder, which is made. Raises `OSError`."""
    stage(path, content)
    place(path)
    settle(path.parent)


@contextmanager
def replacing(
    path: Path, verify: Callable[[Path], object] = lambda part: None, *, private: bool = False
) -> Iterator[IO[bytes]]:
    """Yield a stream whose bytes become the file when the block ends well, as `put` does; nothing changes otherwise.

    `verify` gets the path of the finished temporary file, and what it raises keeps it from taking the name. A
    `private` one can be read by its owner only. The folder has to be there. Raises `OSError`.
    """
    # two processes that write the same file at once do not share a temporary one
    part = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        part.touch(0o600 if private else 0o666)
        with part.open("w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        verify(part)
        part.replace(path)
        settle(path.parent)
    finally:
        part.unlink(missing_ok=True)


def stage(path: Path, content: bytes) -> None:
    """Write the temporary file that `place` gives its name. Raises `OSError`."""
    _make(path.parent)
    # a pipe of that name would be waited for
    drop(path)
    with _beside(path).open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def place(path: Path) -> None:
    """Give a staged file its name; `settle` makes that durable. Raises `OSError`."""
    _beside(path).replace(path)


def drop(path: Path) -> None:
    """Forget a staged file, if it is there."""
    _beside(path).unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}{PART}")


def remove(path: Path) -> None:
    """Remove a file, if it is there, and the folders that it leaves empty, up to two. Raises `OSError`."""
    path.unlink(missing_ok=True)
    settle(path.parent)
    for folder in (path.parent, path.parent.parent):
        try:
            folder.rmdir()
        except OSError:
            return
        settle(folder.parent)


def settle(folder: Path) -> None:
    """Make the names in a folder durable."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _make(folder: Path) -> None:
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(exist_ok=True)
        settle(folder.parent)
