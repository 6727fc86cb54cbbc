"""What lies in `deploy/`: linted as whoever runs it would, and true about our settings."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from app.config import ROOT, Settings
from tests.install.conftest import ASKS_INDEX

DEPLOY = ROOT / "deploy"
PROGRAMS = Path(sys.executable).parent
ANALYZE = shutil.which("systemd-analyze")
# what they set that is no setting of the server
NO_SETTINGS = {"ERRDEX_COMMIT", "ERRDEX_DATABASE_PASSWORD", "ERRDEX_NAME"}
# `errdex serve` answers what it has begun for so long when it is told to end
ENDING_SECONDS = Settings.model_fields["request_seconds"].default + 5


def lint(*words: str | Path) -> None:
    """Run a linter; its findings are the message of the failure."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_containerfile_is_clean() -> None:
    lint(PROGRAMS / "hadolint", DEPLOY / "Containerfile")


def test_the_compose_file_fits_its_schema() -> None:
    lint(PROGRAMS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_the_manifest_fits_kubernetes() -> None:
    lint(PROGRAMS / "kubernetes-validate", "--strict", DEPLOY / "kubernetes.yaml")


@pytest.mark.skipif(ANALYZE is None, reason="no systemd-analyze (Debian: apt-get install systemd)")
def test_the_unit_is_understood_and_gives_away_little(tmp_path: Path) -> None:
    unit = tmp_path / "errdex.service"
    text = (DEPLOY / "errdex.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/errdex/bin/errdex", str(PROGRAMS / "errdex")), encoding="utf-8")
    lint(str(ANALYZE), "verify", unit)
    # in tenths; a service without any of these lines has 96
    lint(str(ANALYZE), "security", "--offline=true", "--threshold=20", unit)


def test_an_image_is_made_by_the_script_alone() -> None:
    """So what is tested below is what an image runs."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    assert re.findall(r"^RUN (.*)", text, re.MULTILINE) == ['ERRDEX_COMMIT="$COMMIT" sh deploy/install.sh /opt/errdex']


@pytest.mark.skipif(not ASKS_INDEX, reason="asks a package index; `sh .ci/groups install` runs it")
def test_the_script_of_an_image_needs_no_rights_and_leaves_nothing_that_builds(installed: Path) -> None:
    packages = {path.name.partition("-")[0] for path in installed.parent.glob("lib/*/site-packages/*.dist-info")}
    assert {"errdex", "fastapi", "psycopg"} <= packages
    assert not {"hatchling", "pytest", "tomlkit"} & packages


def test_every_setting_in_the_files_is_one() -> None:
    known = {f"ERRDEX_{name.upper()}" for name in Settings.model_fields} | NO_SETTINGS
    for path in DEPLOY.iterdir():
        if path.is_file():
            named = set(re.findall(r"\bERRDEX_[A-Z_]+[A-Z]\b", path.read_text(encoding="utf-8")))
            assert named <= known, path.name


def test_all_wait_until_the_server_has_ended() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert float(compose["services"]["errdex"]["stop_grace_period"].removesuffix("s")) > ENDING_SECONDS
    told = re.search(r"^TimeoutStopSec=(\d+)$", (DEPLOY / "errdex.service").read_text(encoding="utf-8"), re.MULTILINE)
    assert told
    assert float(told[1]) > ENDING_SECONDS
    for one in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")):
        if one["kind"] == "Deployment":
            assert one["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > ENDING_SECONDS
