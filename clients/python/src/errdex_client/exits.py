"""Exit codes, the same as those of the full command line, and what ends a command."""

from __future__ import annotations

NOTHING = 1
USAGE = 2
UNREACHABLE = 3
INTERNAL = 70


class Ended(Exception):
    """Ends a command with an exit code and one line on standard error that says what to do."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
