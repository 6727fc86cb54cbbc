"""Files: a crash while writing leaves the old one or the new one; of what others put there only real ones are read."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PART = ".errdex-part"
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


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
    # The process id keeps two processes that write the same file from sharing a temporary one.
    part = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        try:
            part.touch(0o600 if private else 0o666)
        except OSError as error:
            # the name that was asked for; nobody knows the temporary one
            error.filename = str(path)
            raise
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
    # Opening a pipe of that name would wait for a reader, so whatever is there is removed first.
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


class UnfitFile(OSError):
    """What has the name is not a file of the allowed size; `why` says what it is, and what to do."""

    def __init__(self, number: int, why: str, path: Path) -> None:
        super().__init__(number, why, str(path))
        self.why = why


def read_regular(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes; a link is followed.

    A pipe, a device or a socket is not even opened, for that alone can wait for ever or do something; what takes the
    file's place in between is opened without waiting. Raises `UnfitFile`, `OSError`.
    """
    _need_regular(path, os.stat(path))  # noqa: PTH116
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as stream:
        found = os.fstat(number)
        _need_regular(path, found)
        content = b"" if found.st_size > most else stream.read(most + 1)
    if found.st_size > most or len(content) > most:
        raise UnfitFile(errno.EFBIG, f"larger than {most} bytes; keep the telling part", path)
    return content


def _need_regular(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "something else")
        raise UnfitFile(errno.EINVAL, f"{kind} and not a file; put a file there, or nothing", path)


def need_within(path: Path, root: Path) -> None:
    """Hold a path to being in a folder, also where links lead. Raises `UnfitFile`, `OSError`."""
    # Before Python 3.13 `Path.resolve` raises RuntimeError for links in a circle, so `os.path.realpath` is used.
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        raise UnfitFile(errno.ELOOP, "a link that leads out of the folder; put the file itself there", path)
