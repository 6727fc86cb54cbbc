"""The corpus that both implementations must pass, and texts mixed from it."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Case:
    """A text and what it becomes."""

    name: str
    text: str
    masked: str


def cases() -> list[Case]:
    """Return the cases of `corpus.json`, their pieces joined."""
    plain = json.loads(Path(__file__).with_name("corpus.json").read_text(encoding="utf-8"))
    found = [(row["name"], "".join(row["text"]), row.get("masked")) for row in plain["cases"]]
    return [Case(name, text, text if masked is None else masked) for name, text, masked in found]


CASES = cases()
JOINTS = (
    "",
    " ",
    "\n",
    '"',
    "'",
    ":",
    "=",
    "@",
    "/",
    ".",
    "-",
    "_",
    "\\",
    ",",
    "password=",
    "token: ",
    "。",
    "  \n\n",
    "\r\n",
)
