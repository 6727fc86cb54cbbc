"""Commands, for what can be done by one as well as in the browser."""

from tests.cli.conftest import nothing_yet, run

__all__ = ["nothing_yet", "run"]
