"""Imports go one way: each room may need the rooms and packages that its row names, and nothing else."""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from app.config import ROOT

APP = ROOT / "app"
# A room is a folder under app/ or a loose module. Its row names what it may import: rooms, then packages.
# From the ground up; a row names only rows above it, which the second test holds.
ROOMS: dict[str, tuple[str, str]] = {
    "__init__": ("", ""),
    "errors": ("", ""),
    "files": ("", ""),
    "i18n": ("", "babel"),
    "network": ("", ""),
    "config": ("network", "limits platformdirs pydantic pydantic_settings sqlalchemy"),
    "logs": ("config errors", "structlog"),
    "matching": ("", "rapidfuzz"),
    "privacy": ("config matching", ""),
    "content": ("config files i18n matching privacy", "packaging pydantic tomli_w"),
    "store": ("config content errors i18n matching", "alembic psycopg sqlalchemy sqlmodel"),
    "people": ("errors store", "anyio authlib fastapi httpx2 joserfc limits pwdlib sqlalchemy sqlmodel zxcvbn"),
    "finding": ("content matching store", "sqlalchemy"),
    "asking": (
        "content errors finding i18n logs matching network people privacy store",
        "errdex_client packaging sqlalchemy sqlmodel",
    ),
    "wiki": ("content errors i18n people store", "sqlmodel"),
    "sync": ("content errors files i18n store wiki", "sqlalchemy sqlmodel"),
    "transfer": ("__init__ config content errors files people store sync wiki", "pydantic sqlalchemy sqlmodel"),
    "quality": ("asking config content files i18n matching store sync transfer", "sqlalchemy"),
    "web": (
        "asking config content errors finding i18n logs network people store",
        "anyio fastapi limits markdown_it markupsafe nh3 prometheus_client pygments sqlalchemy sqlmodel starlette "
        "structlog uvicorn",
    ),
    "site": (
        "asking config content errors finding i18n logs matching network people privacy quality store sync web wiki",
        "anyio fastapi jinja2 markupsafe packaging pydantic rapidfuzz sqlalchemy sqlmodel starlette",
    ),
    "api": (
        "asking content errors finding i18n network people store web wiki",
        "fastapi prometheus_client pydantic sqlalchemy sqlmodel starlette",
    ),
    "mcp": (
        "errors people web",
        "errdex_client fastapi httpx2 mcp starlette",
    ),
    "main": (
        "__init__ api asking config errors finding logs mcp people site store web",
        "anyio fastapi sqlalchemy starlette",
    ),
    "cli": (
        "__init__ asking config content errors files i18n logs main mcp people quality store sync transfer web wiki",
        "alembic errdex_client pydantic rich sqlalchemy sqlmodel typer uvicorn",
    ),
}
FILES = sorted(APP.rglob("*.py"))
# Only a type checker reads these.
TYPES_ONLY = {"_typeshed"}


def room_of(path: Path) -> str:
    """Return the room of a file: its folder under app/, or its own name."""
    return path.relative_to(APP).with_suffix("").parts[0]


def imported(path: Path) -> tuple[set[str], set[str]]:
    """Return the rooms and the packages that a file imports, wherever in it."""
    rooms: set[str] = set()
    packages: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == "app":
                rooms.add(rest[0] if (APP / rest[0]).is_dir() or (APP / f"{rest[0]}.py").exists() else "__init__")
            elif first not in sys.stdlib_module_names:
                packages.add(first)
    return rooms, packages - TYPES_ONLY


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_a_file_imports_only_what_its_room_may(path: Path) -> None:
    room = room_of(path)
    rooms, packages = (set(allowed.split()) for allowed in ROOMS[room])
    found_rooms, found_packages = imported(path)
    assert found_rooms - {room} <= rooms
    assert found_packages <= packages


def test_a_room_may_import_only_rooms_below_it() -> None:
    below: list[str] = []
    for room, (rooms, _) in ROOMS.items():
        assert set(rooms.split()) <= set(below), room
        below.append(room)


def test_no_row_allows_more_than_is_used() -> None:
    rooms: dict[str, set[str]] = {room: set() for room in ROOMS}
    packages: dict[str, set[str]] = {room: set() for room in ROOMS}
    for path in FILES:
        found_rooms, found_packages = imported(path)
        rooms[room_of(path)] |= found_rooms - {room_of(path)}
        packages[room_of(path)] |= found_packages
    assert {room: (rooms[room], packages[room]) for room in ROOMS} == {
        room: tuple(set(allowed.split()) for allowed in row) for room, row in ROOMS.items()
    }


def test_the_house_stays_small() -> None:
    assert len(list(APP.glob("*.py"))) <= 8
    assert len([folder for folder in APP.iterdir() if any(folder.glob("*.py"))]) <= 18


def test_a_class_has_one_meaning() -> None:
    names = Counter(
        name for path in FILES for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.M)
    )
    assert {name for name, count in names.items() if count > 1} == set()
