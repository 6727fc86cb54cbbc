"""Whether git is in the middle of something in a folder, so that its files are in transit and no one's edit."""

from pathlib import Path

SIGNS = (
    "index.lock",
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
)


def at_work(root: Path) -> str:
    """Return the sign that git is at work in the repository around a folder; empty when it is not, or there is none."""
    home = next(filter(None, map(_home, (root, *root.parents))), None)
    return next((sign for sign in SIGNS if home and (home / sign).exists()), "")


def _home(folder: Path) -> Path | None:
    dot = folder / ".git"
    if dot.is_file():
        # In a worktree or submodule `.git` is a file that names the folder.
        return folder / dot.read_text(encoding="utf-8", errors="replace").removeprefix("gitdir:").strip()
    return dot if dot.is_dir() else None
