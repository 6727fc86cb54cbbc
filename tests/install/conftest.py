"""The wheel of this repository, and an environment that it is installed in.

The environment has the packages of this one, so that no index is asked. With ERRDEX_TEST_INDEX set (`sh .ci/groups
install`) it is made by `deploy/install.sh`, as an image is, in an empty folder by a user without rights.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import ROOT

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
ASKS_INDEX = bool(os.environ.get("ERRDEX_TEST_INDEX"))
NOBODY = 65534


def without_capabilities() -> list[str]:
    """The words before a command that have root run it like anybody else: what is read only stays so."""
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []


def kept(folder: str = ".") -> set[str]:
    """The files of a folder of this repository but those that git ignores, or all where there is no git."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-zco", "--exclude-standard", folder],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    found = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(ROOT)) for path in found}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this repository."""
    folder = tmp_path_factory.mktemp("wheel")
    build = (*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT))
    subprocess.run(build, check=True)
    return next(folder.glob("errdex-*.whl"))


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder of the programs of an environment that Errdex is installed in; nobody can write into it."""
    with tempfile.TemporaryDirectory() as place:
        # everybody may enter it, unlike the temporary folders of pytest
        Path(place).chmod(0o755)
        home = Path(place) / "errdex"
        if ASKS_INDEX:
            install_by_script(home, Path(place))
        else:
            install_beside_this(home, request.getfixturevalue("wheel"))
        folders = [home, *(path for path in home.rglob("*") if path.is_dir() and not path.is_symlink())]
        for folder in folders:
            folder.chmod(0o555)
        yield home / "bin"
        for folder in folders:
            folder.chmod(0o755)


def install_beside_this(home: Path, wheel: Path) -> None:
    """Install the wheel into an environment that takes all other packages from this one."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    packages = next(home.glob("lib/python*/site-packages"))
    # The link to this repository is one of the .pth files there, which are not read by way of another one.
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    into = ("--python", str(home / "bin" / "python"), "install", "--no-deps", "--no-index")
    subprocess.run([*PIP, *into, str(wheel)], check=True)


def install_by_script(home: Path, place: Path) -> None:
    """Run what the Containerfile runs, on a copy of the repository without git, by a user who may do nothing else."""
    source = place / "source"
    for name in kept() - kept("tests"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    env = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    env |= {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(place), "ERRDEX_COMMIT": "0123456789ab"}
    as_nobody = []
    if os.geteuid() == 0:
        os.chown(place, NOBODY, NOBODY)
        as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    command = [*as_nobody, "sh", str(source / "deploy" / "install.sh"), str(home)]
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0123456789ab" in done.stdout
    shutil.rmtree(source)
