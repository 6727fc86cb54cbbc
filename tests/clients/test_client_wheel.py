"""The client as it is installed: its wheel, in bare environments of the oldest and the newest Python that are here."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from bench.light_client import build, install
from tests.clients.conftest import CLIENT_PYTHON, NEWEST_PYTHON
from tests.clients.test_client_match import PASTE, SLUG


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source."""
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.mark.parametrize("python", sorted({CLIENT_PYTHON, NEWEST_PYTHON}))
def test_the_wheel_needs_nothing_else_and_asks(wheel: Path, address: str, tmp_path: Path, python: str) -> None:
    """Outside the repository, and without any other package than itself."""
    commands = install(python, wheel, tmp_path / "bare")
    env = {"ERRDEX_URL": address, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
    packages = subprocess.check_output([commands / "python", "-m", "pip", "list", "--format=json"], cwd=tmp_path)
    names = {one["name"] for one in json.loads(packages)}
    assert names - {"pip", "setuptools"} == {"errdex-client"}
    version = subprocess.run([commands / "errdex", "--version"], env=env, capture_output=True, text=True, check=True)
    assert version.stdout.startswith("errdex-client ")
    found = subprocess.run(
        [commands / "errdex", "match", "--json"], env=env, input=PASTE, capture_output=True, text=True, check=True
    )
    assert json.loads(found.stdout)["matches"][0]["slug"] == SLUG
    code = "import errdex_client, sys; print(errdex_client.match(sys.stdin.read())['matches'][0]['slug'])"
    said = subprocess.run(
        [commands / "python", "-c", code], check=False, env=env, input=PASTE, capture_output=True, text=True
    )
    assert (said.stdout.strip(), said.stderr) == (SLUG, "")
