"""Which of the known projects a paste names."""

import re
from collections.abc import Iterator

from app.matching.model import Report

# The words by which a paste names a project. "roll" is an English word too, so it counts as a folder or a module only.
_PROJECTS = (
    ("verl", r"(?i:verl)"),
    ("rlinf", r"(?i:rlinf)"),
    ("skyrl", r"(?i:skyrl)"),
    ("trinity-rft", r"(?i:trinity)"),
    ("roll", r"ROLL|(?<=[/\"])roll(?=/)|roll(?=\.[a-z_]+\.)"),
)
_MENTIONS = "|".join(rf"(?P<p{place}>{word})" for place, (_, word) in enumerate(_PROJECTS))
_MENTION = re.compile(rf"(?<![A-Za-z0-9])(?:{_MENTIONS})(?![A-Za-z])")
# what a text that mentions one holds, in lower case: most texts mention none
_HELD = ("verl", "rlinf", "skyrl", "trinity", "roll")
# which the others are built on, so that their stacks name it too
BASE = "verl"


def mentioned(text: str) -> str:
    """Return the project that a text names first, or nothing."""
    return next(_mentions(text), "")


def _mentions(text: str) -> Iterator[str]:
    lowered = text.lower()
    if not any(name in lowered for name in _HELD):
        return iter(())
    return (_PROJECTS[int(str(match.lastgroup)[1:])][0] for match in _MENTION.finditer(text))


def named(report: Report) -> str:
    """Return the project that a paste is surely about: the only one that it names, the common base aside."""
    told = [message.text for message in report.messages if message.person or message.kind == "log"]
    found = set(_mentions("\n".join((*told, *(f"/{frame.path}" for frame in report.frames)))))
    if len(found) > 1:
        found.discard(BASE)
    return found.pop() if len(found) == 1 else ""
