"""The recipes for schedulers do what they say: their own commands are run, with stand-ins for the other side.

The client is the real one and asks a real server; pip, srun and scontrol note what they were told.
"""

import json
import os
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.config import ROOT
from tests.clients.conftest import CLIENT_PYTHON, stand_in
from tests.clients.test_client_match import PASTE, SLUG, asked

RECIPES = ROOT / "recipes"
# as a runner of GitHub starts a step whose shell is bash, and as GitLab's runs the lines of a job
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
STAND_INS = {
    "errdex": f'exec {CLIENT_PYTHON} -m errdex_client "$@"',
    "srun": 'echo "srun $*" >>told; exec "$@"',
    "scontrol": 'echo "scontrol $*" >>told',
    # what the recipes run but the client is `python3 -m pip` and `python3 train.py`
    "python3": f'case "$*" in "-m pip"*) echo "$*" >>told;; *) exec {CLIENT_PYTHON} "$@";; esac',
}
TRAIN = 'import pathlib, sys\nsys.stderr.write(pathlib.Path("paste.txt").read_text(encoding="utf-8"))\nsys.exit(7)\n'
Script = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def script(tmp_path: Path, env: dict[str, str]) -> Script:
    """Run commands in a folder with a job that fails; keyword arguments are environment variables."""
    (tmp_path / "bin").mkdir()
    for name, line in STAND_INS.items():
        file = tmp_path / "bin" / name
        file.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "paste.txt").write_text(PASTE, encoding="utf-8")
    (tmp_path / "train.py").write_text(TRAIN, encoding="utf-8")
    path = f"{tmp_path / 'bin'}{os.pathsep}{env['PATH']}"

    def _script(command: list[str], **more: str) -> "subprocess.CompletedProcess[str]":
        given = env | {"PATH": path} | more
        return subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False, timeout=60)

    return _script


def recipe(name: str) -> Any:
    """Return what a recipe says."""
    return yaml.safe_load((RECIPES / name).read_text(encoding="utf-8"))


def told(folder: Path) -> list[str]:
    """Return what the stand-ins were told."""
    file = folder / "told"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def answering(address: str, actions: dict[str, Any] | None) -> Any:
    """A server that gives the answer of the real one, but for what a program may do about it."""
    answer = asked(address, PASTE, include="fix")
    answer["matches"][0]["actions"] = actions
    return stand_in(lambda _path, _body: (200, answer))


def test_the_action_explains_a_failure_in_an_annotation_and_the_summary(
    address: str, script: Script, tmp_path: Path
) -> None:
    action = recipe("github/action.yml")
    given = {"run": "python3 train.py", "url": address, "token": "", "client": "./errdex-client"}
    assert set(given) == set(action["inputs"])
    ended = 0
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        # A command must not be put together from inputs: who writes them would write the command.
        assert "${{" not in step["run"]
        inputs = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
            for name, value in step["env"].items()
        }
        runner = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
        found = script([*BASH, "-c", step["run"]], **inputs, **runner)
        ended = ended or found.returncode
    assert ended == 7
    assert told(tmp_path) == ["-m pip install --quiet ./errdex-client"]
    assert "\n::error title=" in found.stderr
    assert f"{address}/en/e/{SLUG}" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_the_gitlab_job_has_a_summary_and_a_link_beside_its_log(address: str, script: Script, tmp_path: Path) -> None:
    file = recipe("gitlab/errdex.gitlab-ci.yml")
    base, job = file[".errdex"], file["train"]
    variables = base["variables"] | {"ERRDEX_URL": address, "ERRDEX_CLIENT": "errdex-client"}
    found = script([*BASH, "-c", "\n".join(base["before_script"] + job["script"])], **variables)
    assert (found.returncode, told(tmp_path)) == (7, ["-m pip install --quiet errdex-client"])
    # what comes after it is run in a shell of its own, whatever became of the job
    assert script([*BASH, "-c", "\n".join(base["after_script"])], **variables).returncode == 0
    annotations = json.loads((tmp_path / base["artifacts"]["reports"]["annotations"]).read_text(encoding="utf-8"))
    assert annotations["errdex"][0]["external_link"]["url"] == f"{address}/en/e/{SLUG}"
    (summary,) = base["artifacts"]["paths"]
    assert SLUG in (tmp_path / summary).read_text(encoding="utf-8")


def test_the_gitlab_job_that_could_not_begin_needs_no_link(script: Script, tmp_path: Path) -> None:
    after = "\n".join(recipe("gitlab/errdex.gitlab-ci.yml")[".errdex"]["after_script"])
    assert script([*BASH, "-c", after]).returncode == 0
    assert not (tmp_path / "errdex-annotations.json").exists()


@pytest.mark.parametrize(
    ("actions", "restarts", "said"),
    [
        ({"retryable": True}, "0", "scontrol requeue 12"),
        ({"retryable": True}, "2", "scontrol update JobId=12 Comment={url}"),
        ({"needs": "human"}, "0", "scontrol update JobId=12 Comment={url}"),
        (None, "0", "scontrol update JobId=12 Comment={url}"),
    ],
)
def test_the_slurm_job_is_started_again_only_where_the_entry_allows_it(  # noqa: PLR0917
    address: str, script: Script, tmp_path: Path, actions: dict[str, Any] | None, restarts: str, said: str
) -> None:
    with answering(address, actions) as server:
        found = script(
            ["bash", str(RECIPES / "slurm/train.sbatch"), "--lr", "1e-5"],
            ERRDEX_URL=server.url, SLURM_JOB_ID="12", SLURM_RESTART_COUNT=restarts,
        )  # fmt: skip
    assert found.returncode == 7
    assert SLUG in found.stderr
    url = f"{address}/en/e/{SLUG}"
    assert told(tmp_path) == ["srun python3 train.py --lr 1e-5", said.format(url=url)]


def test_a_slurm_job_whose_server_is_away_ends_as_ever(script: Script, tmp_path: Path) -> None:
    found = script(["bash", str(RECIPES / "slurm/train.sbatch")], ERRDEX_URL="http://127.0.0.1:1", SLURM_JOB_ID="12")
    assert (found.returncode, told(tmp_path)) == (7, ["srun python3 train.py"])


@pytest.mark.parametrize(
    ("actions", "code"), [({"retryable": True}, 75), ({"retryable": False}, 7), ({"needs": "human"}, 7), (None, 7)]
)
def test_the_kubernetes_job_ends_so_that_only_what_the_entry_allows_is_tried_again(
    address: str, script: Script, tmp_path: Path, actions: dict[str, Any] | None, code: int
) -> None:
    job = recipe("kubernetes/job.yaml")["spec"]
    (container,) = job["template"]["spec"]["containers"]
    log = tmp_path / "termination-log"
    with answering(address, actions) as server:
        # one file of results for all pods of a machine is a matter of the container
        command = [part.replace("/tmp/errdex.json", str(tmp_path / "errdex.json")) for part in container["command"]]
        found = script([*command, *container["args"]], ERRDEX_URL=server.url, ERRDEX_TERMINATION_LOG=str(log))
    assert found.returncode == code
    assert SLUG in log.read_text(encoding="utf-8")
    rules = {rule["action"]: rule.get("onExitCodes") for rule in job["podFailurePolicy"]["rules"]}
    assert rules["FailJob"] == {"containerName": container["name"], "operator": "NotIn", "values": [75]}


def test_the_kubernetes_job_hands_on_that_it_must_end(script: Script, tmp_path: Path) -> None:
    """What ends a pod is sent to its first process, which is the shell of the recipe."""
    (container,) = recipe("kubernetes/job.yaml")["spec"]["template"]["spec"]["containers"]
    command = [part.replace("/tmp/errdex.json", str(tmp_path / "errdex.json")) for part in container["command"]]
    (tmp_path / "train.py").write_text(
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('saved', flush=True) or 0))\n"
        # the shell is the parent of `errdex run`, which is ours
        "parent = int(open(f'/proc/{os.getppid()}/stat').read().split()[3])\n"
        "os.kill(parent, signal.SIGTERM)\n"
        "while True: time.sleep(0.02)\n",
        encoding="utf-8",
    )
    found = script([*command, *container["args"]])
    assert (found.returncode, found.stdout) == (0, "saved\n")
