"""What the figures were measured on: processor, memory, load, and the versions of what was compared."""

import os
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

COMPARED = ("tantivy", "bm25s", "rjieba", "rapidfuzz", "starlette", "uvicorn", "sqlalchemy", "psycopg")


def described() -> dict[str, str]:
    """Return {what: which}, both for reading."""
    found = {
        "processor": f"{os.cpu_count()} × {_processor()}",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "load before the run": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
    }
    return found | {name: _version(name) for name in COMPARED}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        # Only `make bench` needs the package, to compare with it.
        return "not installed"


def _processor() -> str:
    names = Path("/proc/cpuinfo")
    rows = names.read_text(encoding="utf-8").splitlines() if names.is_file() else []
    named = [row.partition(":")[2].strip() for row in rows if row.startswith("model name")]
    return named[0] if named else platform.processor() or "unknown processor"
