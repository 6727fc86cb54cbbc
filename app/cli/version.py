"""Which version this is, and of which commit."""

import subprocess
from pathlib import Path

from app import __version__

APP = Path(__file__).resolve().parent.parent
# A wheel has it, written by `deploy/hatch_build.py`.
COMMIT = APP / "commit.txt"
GIT_SECONDS = 5


def described() -> str:
    """Return the version with its commit, as in `0.1.0 (1a2b3c4d5e6f)`; without a commit where nothing tells it.

    A wheel that was made from files that differ from the commit has a `+` behind it.
    """
    commit = COMMIT.read_text(encoding="utf-8").strip() if COMMIT.is_file() else _of_checkout(APP.parent)
    return f"{__version__} ({commit})" if commit else __version__


def _of_checkout(folder: Path) -> str:
    if not (folder / ".git").exists():
        return ""
    words = ["git", "--no-optional-locks", "-C", str(folder), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=GIT_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
