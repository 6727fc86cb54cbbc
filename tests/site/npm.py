"""The tools that tests take from npm, see `tests/npm/package.json`; `.ci/groups browser` installs them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.config import ROOT

WEB = ROOT / "tests" / "npm"
_MODULES = WEB / "node_modules"


def axe() -> str:
    """Return the source of axe-core. Skips the test when the tools are not installed."""
    return _needed(_MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def html_faults(folder: Path, config: str) -> list[str]:
    """Return what html-validate finds in the `.html` files of a folder, a line each; `config` lies in `tests/npm`."""
    program = _needed(_MODULES / "html-validate" / "bin" / "html-validate.mjs")
    # a file, because the program ends before a pipe has taken everything
    found = folder / "faults.json"
    command = ["node", str(program), "--config", str(WEB / config), "--formatter", f"json={found}"]
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)
    # 1: it found faults
    assert done.returncode in (0, 1), done.stderr
    reports = json.loads(found.read_text(encoding="utf-8"))
    return [_line(Path(report["filePath"]).name, fault) for report in reports for fault in report["messages"]]


def provider_command(told: dict[str, Any]) -> list[str]:
    """Return the command that starts an OpenID provider, see `tests/npm/provider.mjs` for what it is told."""
    _needed(_MODULES / "oidc-provider" / "package.json")
    return ["node", str(WEB / "provider.mjs"), json.dumps(told)]


def _line(name: str, fault: dict[str, Any]) -> str:
    return f"{name}:{fault['line']}:{fault['column']} {fault['ruleId']}: {fault['message']} ({fault.get('selector')})"


def _needed(path: Path) -> Path:
    if not path.exists():
        pytest.skip("npm's tools are not installed: npm ci --prefix tests/npm")
    return path
