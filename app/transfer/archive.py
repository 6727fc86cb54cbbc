"""A file that holds tables as JSON lines, and knows when it was damaged: a zip with a list of what is in it."""

import errno
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from app.files import replacing

META = "meta.json"
ENDING = ".jsonl"
_CHUNK = 1 << 20


class BrokenArchive(Exception):
    """The file is not an archive, is cut off or was altered; its text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Member:
    """What the archive says of a table: how many rows it has and the SHA-256 of its lines, in hexadecimal."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Meta:
    """What the archive says of itself: the Errdex and the schema that wrote it, when (ISO 8601), its tables by name."""

    version: str
    schema: str
    made: str
    members: dict[str, Member]

    @property
    def rows(self) -> int:
        """The number of rows of all tables."""
        return sum(member.rows for member in self.members.values())


def write(path: Path, version: str, schema: str, made: str, tables: Iterable[tuple[str, Iterable[str]]]) -> Meta:
    """Write tables, as pairs of a name and lines without newlines; return what was written.

    The file gets its name when it is whole, durable and read back; until then an older one of that name stays. Only its
    owner may read it. Raises `OSError`, and `BrokenArchive` when what was read back differs.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with replacing(path, verified, private=True) as stream, ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        members = {name: _member(archive, name, lines) for name, lines in tables}
        meta = Meta(version, schema, made, members)
        archive.writestr(META, json.dumps(asdict(meta), indent=1))
    return meta


def _member(archive: ZipFile, name: str, lines: Iterable[str]) -> Member:
    rows, digest = 0, hashlib.sha256()
    with archive.open(name + ENDING, "w", force_zip64=True) as stream:
        for line in lines:
            content = f"{line}\n".encode()
            digest.update(content)
            stream.write(content)
            rows += 1
    return Member(rows, digest.hexdigest())


def verified(path: Path) -> Meta:
    """Return what an archive says of itself after reading all of it. Raises `BrokenArchive`, `OSError`."""
    with _opened(path) as archive:
        meta = _meta(archive)
        listed = sorted([META, *(name + ENDING for name in meta.members)])
        if sorted(archive.namelist()) != listed:
            raise BrokenArchive("its list of contents is not what it contains")
        for name, member in meta.members.items():
            if _seen(archive, name) != member:
                raise BrokenArchive(f"{name}{ENDING} was altered")
    return meta


def lines(path: Path, name: str) -> Iterator[bytes]:
    """Yield the lines of a table. Raises `BrokenArchive`, `OSError`."""
    with _opened(path) as archive, archive.open(name + ENDING) as stream:
        yield from stream


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    with path.open("rb") as stream:
        try:
            with ZipFile(stream) as archive:
                yield archive
        except BrokenArchive:
            raise
        except Exception as error:
            # A damaged zip file can raise nearly any error: BadZipFile, zlib.error, EOFError, ValueError, struct.error,
            # …
            raise BrokenArchive("it is cut off, was altered, or is no backup of Errdex") from error


def _meta(archive: ZipFile) -> Meta:
    plain = json.loads(archive.read(META))
    members = {str(name): Member(int(one["rows"]), str(one["sha256"])) for name, one in plain["members"].items()}
    return Meta(str(plain["version"]), str(plain["schema"]), str(plain["made"]), members)


def _seen(archive: ZipFile, name: str) -> Member:
    rows, digest = 0, hashlib.sha256()
    with archive.open(name + ENDING) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            rows += chunk.count(b"\n")
    return Member(rows, digest.hexdigest())
