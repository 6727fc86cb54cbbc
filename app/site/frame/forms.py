"""Reading a form body: large pastes, odd bytes, any size of field up to the limit."""

import binascii
import re
from typing import Annotated

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.config import Settings
from app.errors import MalformedBody, TooLarge, TooManyFields
from app.web.dependencies import SettingsDep

_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
PASTE = "text"
# The largest form is that of an entry: 200 rows in each of its lists make fewer than 2,000 fields.
MOST_FIELDS = 4_000


class Fields:
    """The fields of a posted form; bytes that are not UTF-8 are replaced, line ends are line feeds."""

    def __init__(self, items: list[tuple[str, str]], files: dict[str, bytes] | None = None) -> None:
        self._items = items
        self._files = files or {}

    def items(self) -> tuple[tuple[str, str], ...]:
        """Return every field with its name, in the order in which they were sent."""
        return tuple(self._items)

    def one(self, name: str) -> str:
        """Return the field `name`, without surrounding space; empty when it was not sent."""
        return self.raw(name).replace("\0", "").strip()

    def raw(self, name: str) -> str:
        """Return the field `name` as it was sent."""
        return next((value for key, value in self._items if key == name), "")

    def whole(self, name: str) -> int:
        """Return the whole number in the field `name`; 0 for anything else, and for one of more than nine digits."""
        typed = self.one(name)
        return int(typed) if typed.isdecimal() and len(typed) < 10 else 0

    def file(self, name: str) -> bytes:
        """Return the content of the file `name`; empty when none was sent."""
        return self._files.get(name, b"")

    def all(self, name: str) -> tuple[str, ...]:
        """Return every field `name`, without NUL."""
        return tuple(value.replace("\0", "") for key, value in self._items if key == name)


async def read_fields(request: Request, settings: SettingsDep) -> Fields:
    """Return the posted form. Raises `TooLarge` when a field has more bytes than a paste may have, `TooManyFields` when
    it has so many that no page here sends them: a form is never read in part.

    It stays on the request too, so that the page for an error can give back what was typed.
    """
    request.state.fields = await _read(request, settings)
    found: Fields = request.state.fields
    return found


async def _read(request: Request, settings: Settings) -> Fields:
    # Starlette's own parser refuses fields of more than 1 MiB, and would take seconds for 16 MiB.
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await _read_parts(request, settings.max_paste)
    return await run_in_threadpool(_decode, await request.body(), settings.max_paste)


class _InMemory(MultiPartParser):
    """Never writes a large file to the disk, since nothing that was pasted is stored."""

    spool_max_size = 2**40


async def _read_parts(request: Request, most: int) -> Fields:
    try:
        parser = _InMemory(request.headers, request.stream(), max_fields=MOST_FIELDS, max_part_size=most)
        form = await parser.parse()
    except MultiPartException as error:
        if error.message.startswith("Too many fields"):
            raise TooManyFields(limit=MOST_FIELDS) from error
        if "maximum size" in error.message:
            raise TooLarge(limit=most) from error
        raise MalformedBody(detail=error.message) from error
    items: list[tuple[str, str]] = []
    files: dict[str, bytes] = {}
    for key, value in form.multi_items():
        if isinstance(value, UploadFile):
            files[key] = await value.read()
        else:
            items.append((key, _line_feeds(value)))
    return Fields(items, files)


def _decode(body: bytes, most: int) -> Fields:
    items: list[tuple[str, str]] = []
    if body.count(b"&") >= MOST_FIELDS:
        raise TooManyFields(limit=MOST_FIELDS)
    for pair in body.split(b"&"):
        key, _, value = pair.partition(b"=")
        found = _unquote(value)
        if len(found) > most + found.count(b"\r"):
            raise TooLarge(limit=most)
        items.append((_text(_unquote(key)), _line_feeds(_text(found))))
    return Fields(items)


def _unquote(value: bytes) -> bytes:
    # Quoted-printable is percent-encoding with another sign, and Python's decoder for it is written in C.
    value = _BAD_ESCAPE.sub(b"%25", value.replace(b"+", b" "))
    return binascii.a2b_qp(value.replace(b"=", b"%3D").replace(b"%", b"="))


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _line_feeds(value: str) -> str:
    return value.replace("\r\n", "\n")


FormFields = Annotated[Fields, Depends(read_fields)]
