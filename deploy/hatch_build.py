"""What a wheel holds beside the code: all that Errdex reads, and the commit that it was made from.

Git says the commit; where there is no git, as in a container, ERRDEX_COMMIT does.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# It is there in a wheel and in a source distribution, never in a checkout, where git says it.
COMMIT = "app/commit.txt"
DESCRIBE = ("describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+")


class Shipped(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the folders of `shipped` in pyproject.toml, and the commit, to what is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the further files; `version` is "editable" for a link to this folder, which gets none.

        Raises `FileNotFoundError` when a folder is not there: a wheel without it would not serve.
        """
        if version == "editable":
            return
        root = Path(self.root)
        for folder, place in self.config.get("shipped", {}).items():
            if not (root / folder).is_dir():
                raise FileNotFoundError(f"{folder}/ belongs into the wheel and is not there")
            build_data["force_include"][str(root / folder)] = place
        if not (root / COMMIT).exists() and (commit := os.environ.get("ERRDEX_COMMIT") or _commit(root)):
            self._temporary = tempfile.TemporaryDirectory()
            made = Path(self._temporary.name) / "commit.txt"
            made.write_text(f"{commit}\n", encoding="utf-8")
            build_data["force_include"][str(made)] = COMMIT


def _commit(root: Path) -> str:
    """Return the commit of a checkout, with a `+` where files differ from it; empty without git or checkout."""
    if not (root / ".git").exists():
        return ""
    try:
        command = ["git", "--no-optional-locks", "-C", str(root), *DESCRIBE]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
