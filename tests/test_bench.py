"""The scripts under `bench/` start, also where the packages of requirements/bench.txt are not installed."""

import subprocess
import sys

import pytest

from app.config import ROOT

BENCH = ROOT / "bench"
MODULES = sorted(path.stem for path in BENCH.glob("*.py"))
SCRIPTS = [name for name in MODULES if "__main__" in (BENCH / f"{name}.py").read_text(encoding="utf-8")]


# a script is started as a module of the package where its docstring says so, else as a file
AS_MODULES = [
    name for name in SCRIPTS if f"python -m bench.{name}" in (BENCH / f"{name}.py").read_text(encoding="utf-8")
]
AS_FILES = sorted(set(SCRIPTS) - set(AS_MODULES))
# one process for all: what takes time is what they import
DRIVER = """
import contextlib, io, runpy, sys
sys.modules.update(dict.fromkeys(("bm25s", "matplotlib", "rjieba", "tantivy")))
for name in sys.argv[1:]:
    sys.argv = [name, "--help"]
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.suppress(SystemExit):
        runpy.run_module(f"bench.{name}", run_name="__main__")
    print(name, told.getvalue().partition(" ")[0])
"""


def told(*words: str) -> str:
    """What a Python that was started with these words printed."""
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_scripts_of_the_package_explain_themselves() -> None:
    assert told("-c", DRIVER, *AS_MODULES).splitlines() == [f"{name} usage:" for name in AS_MODULES]


@pytest.mark.parametrize("name", AS_FILES)
def test_a_script_that_is_a_file_explains_itself(name: str) -> None:
    assert told(str(BENCH / f"{name}.py"), "--help").startswith("usage: ")


def test_there_are_scripts() -> None:
    assert {"run", "fit_words", "raise_sites"} <= set(SCRIPTS)


@pytest.mark.parametrize("name", MODULES)
def test_no_module_has_the_name_of_one_of_the_standard_library(name: str) -> None:
    """A script that is started as a file would import it in place of that one."""
    assert name not in sys.stdlib_module_names
