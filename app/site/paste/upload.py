"""What came from the paste box: the text or file, and whether the page has masked it already."""

from dataclasses import dataclass

from app.errors import TooLarge
from app.privacy import secrets
from app.site.frame.forms import PASTE, Fields

FILE = "file"
# The script of the page sends this field once it has masked the text, or the author has switched masking off.
MASKED = "masked"
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh", b"7z\xbc\xaf", b"\x04\x22\x4d\x18")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text to ask about, and how many secrets the server masked in it.

    `problem` is the text key of what keeps it from being read, empty when all is well.
    """

    text: str
    masked: int = 0
    problem: str = ""


def pasted(fields: Fields, most: int) -> Pasted:
    """Return what was pasted or chosen, masked unless the page has seen to it.

    Raises `TooLarge` when text and file together have more than `most` bytes.
    """
    typed, content = fields.raw(PASTE), fields.file(FILE)
    if content and (problem := unreadable(content)):
        return Pasted(typed, problem=problem)
    text = "\n".join(part for part in (typed, decoded(content)) if part)
    if content and len(text.encode("utf-8", "replace")) > most:
        raise TooLarge(limit=most)
    if not text.strip():
        return Pasted(text, problem="home.empty")
    if fields.raw(MASKED):
        return Pasted(text)
    masked = secrets.mask(text)
    return Pasted(masked.text, len(masked.findings))


def unreadable(content: bytes) -> str:
    """Return the text key that says why a file is no log; empty when it is one."""
    if content.startswith(_PACKED):
        return "paste.packed"
    return "paste.binary" if not content.startswith(_WIDE) and b"\0" in content[:4096] else ""


def decoded(content: bytes) -> str:
    """Return the text of a log file: UTF-16 by its mark, else UTF-8, else GB18030 where that fits."""
    wide = content.startswith(_WIDE)
    text = content.decode("utf-16", "replace") if wide else _utf_8_or_gb18030(content)
    return text.replace("\r\n", "\n")


def _utf_8_or_gb18030(content: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8", "replace")
