"""Reading files that somebody else put there: only real ones, and no more of them than is asked for."""

import errno
import os
import stat
from pathlib import Path

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


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
    # Path.resolve raises RuntimeError for links in a circle before Python 3.13
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        raise UnfitFile(errno.ELOOP, "a link that leads out of the folder; put the file itself there", path)
