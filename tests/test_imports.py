"""Imports go one way (design: rooms, and which way the doors open)."""

import ast
from pathlib import Path

import pytest

from app.config import ROOT

APP = ROOT / "app"
LEVELS = [
    {
        "app.addresses",
        "app.config",
        "app.hosts",
        "app.errors",
        "app.i18n",
        "app.logs",
        "app.ahead",
        "app.remembered",
        "app.files",
        "app.protocol",
    },
    {"app.models", "app.matching", "app.secrecy", "app.highlighting", "app.render_limits", "app.rendered"},
    {"app.content", "app.store", "app.index", "app.render", "app.destinations"},
    {"app.prepared"},
    {
        "app.search",
        "app.lookup",
        "app.vocabulary",
        "app.changes",
        "app.wiki",
        "app.sync",
        "app.accounts",
        "app.people",
        "app.evaluation",
        "app.exchange",
        "app.checking",
        "app.healthy",
        "app.drafts",
        "app.archive",
        "app.backup",
        "app.deadline",
        "app.metrics",
        "app.masked",
        "app.feedback",
        "app.wanted",
        "app.tally",
        "app.day_digest",
        "app.public_words",
        "app.turns",
    },
    {"app.web", "app.middleware", "app.static"},
    {"app.site", "app.api"},
    {"app.main"},
    {"app.cli"},
]
FACES = {"app.site", "app.api", "app.cli"}


def room(module: str) -> str | None:
    """The room a module belongs to: `app.<first part>`."""
    parts = module.split(".")
    return f"app.{parts[1]}" if parts[0] == "app" and len(parts) > 1 else None


def imports(path: Path) -> set[str]:
    """Every module of ours that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.update(f"{node.module}.{name.name}" for name in node.names)
    return {name for name in found if name.startswith("app.")}


def level(name: str) -> int:
    """The height of a room; a room that nobody gave one is an error."""
    return next(height for height, rooms in enumerate(LEVELS) if name in rooms)


FILES = sorted(APP.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_a_file_imports_only_from_its_own_height_or_below(path: Path) -> None:
    own = room(".".join(("app", *path.relative_to(APP).with_suffix("").parts)))
    if own in (None, "app.__init__", "app.__main__"):
        return
    for name in imports(path):
        other = room(name)
        if other is None or other in (own, "app.__version__"):
            continue
        assert not (own in FACES and other in FACES), f"{own} imports {other}"
        assert own != "app.matching", f"matching imports {name}"
        assert level(other) <= level(own), f"{own} imports {other}"


def test_matching_needs_only_the_standard_library_and_rapidfuzz() -> None:
    outside = {"sqlmodel", "sqlalchemy", "fastapi", "starlette", "pydantic", "jinja2", "babel", "httpx"}
    for path in (APP / "matching").rglob("*.py"):
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = {n.module.split(".")[0] for n in tree if isinstance(n, ast.ImportFrom) and n.module}
        assert not names & outside, path
