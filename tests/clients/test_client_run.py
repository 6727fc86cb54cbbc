"""`errdex run -- JOB`: the job as ever, and when it fails, what explains it."""

import json
import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import CLIENT_PYTHON, Run, stand_in
from tests.clients.test_client_match import EMPTY, PASTE, SLUG

FAILING = "import sys; sys.stderr.write(open(sys.argv[1]).read()); sys.exit(7)"
NOWHERE = "http://127.0.0.1:1"
RUN = [CLIENT_PYTHON, "-m", "errdex_client", "run", "--"]


@pytest.fixture
def paste(tmp_path: Path) -> Path:
    """A file with what a failing job prints."""
    path = tmp_path / "paste.txt"
    path.write_text(PASTE, encoding="utf-8")
    return path


def test_a_job_that_fails_is_explained_below_its_output(address: str, errdex: Run, paste: Path, tmp_path: Path) -> None:
    """On standard error, in the job's summary, where Kubernetes looks, and as JSON for a scheduler."""
    summary, ended, result = tmp_path / "summary.md", tmp_path / "termination-log", tmp_path / "result.json"
    found = errdex(
        "run", "--json", result, "--", sys.executable, "-c", FAILING, paste,
        ERRDEX_URL=address, GITHUB_STEP_SUMMARY=str(summary), ERRDEX_TERMINATION_LOG=str(ended), GITHUB_ACTIONS="true",
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (7, "")
    assert found.stderr.startswith(PASTE)
    said = found.stderr[len(PASTE) :]
    assert SLUG in said
    assert f"{address}/en/e/{SLUG}" in said
    assert "\n::error title=" in said
    assert SLUG in summary.read_text(encoding="utf-8")
    assert SLUG in ended.read_text(encoding="utf-8")
    told = json.loads(result.read_text(encoding="utf-8"))
    assert (told["exit"], told["signal"], told["actions"]) == (7, None, {"needs": "human"})
    assert told["answer"]["matches"][0]["slug"] == SLUG


def test_a_job_that_ends_well_is_not_asked_about(errdex: Run, paste: Path) -> None:
    with stand_in(lambda _path, _body: (200, EMPTY)) as seen:
        found = errdex("run", "--", "cat", paste, ERRDEX_URL=seen.url)
    assert (found.returncode, found.stdout, found.stderr) == (0, PASTE, "")
    assert seen.paths == []


@pytest.mark.parametrize("answer", [None, b"<html>", {"matches": 3}, {**EMPTY, "report": {"errors": [{}]}}])
def test_a_server_that_is_away_or_answers_nonsense_changes_nothing(errdex: Run, paste: Path, answer: Any) -> None:
    with stand_in(lambda _path, _body: (200, answer)) as seen:
        url = NOWHERE if answer is None else seen.url
        found = errdex("run", "--", sys.executable, "-c", FAILING, paste, ERRDEX_URL=url)
        assert (found.returncode, found.stdout, found.stderr) == (7, "", PASTE)
        told = errdex("run", "--verbose", "--", sys.executable, "-c", FAILING, paste, ERRDEX_URL=url)
    assert told.stderr.startswith(PASTE + "errdex: ")


@pytest.mark.parametrize(("command", "code"), [(["no-such-program"], 127), ([str(Path(__file__))], 126), ([], 2)])
def test_a_job_that_cannot_be_started_gets_the_code_of_a_shell(errdex: Run, command: list[str], code: int) -> None:
    found = errdex("run", "--", *command)
    assert (found.returncode, found.stdout) == (code, "")
    assert found.stderr.startswith("errdex: ")


JOBS = {
    "both streams": "import os\nfor n in range(500): os.write(1 + n % 2, b'%d\\n' % n)",
    "binary": "import os, random\nrandom.seed(1)\nfor _ in range(40): os.write(1, random.randbytes(5000))",
    "progress": "import sys, time\nfor n in range(200): sys.stderr.write(f'\\r\\x1b[32m{n}%|##'); sys.stderr.flush()",
    "large": "import sys\nfor _ in range(300): sys.stdout.write('step 17 of 90\\n' * 5000)",
    "input": "import sys\nsys.stdout.write(sys.stdin.read().upper())",
    "a terminal?": "import os\nprint(os.isatty(0), os.isatty(1), os.isatty(2))",
    "code 3": "raise SystemExit(3)",
    "killed": "import os, signal\nprint('so far', flush=True)\nos.kill(os.getpid(), signal.SIGKILL)",
    "aborted": "import os\nos.abort()",
    "leaves one behind": "import os, sys\nprint('done', flush=True)\nif os.fork() == 0:\n import time\n time.sleep(5)",
}


@pytest.mark.parametrize("script", JOBS.values(), ids=list(JOBS))
def test_bytes_and_status_are_those_of_the_job_alone(env: dict[str, str], script: str) -> None:
    job = [sys.executable, "-c", script]
    options: Any = {"env": env, "input": b"some input\n", "capture_output": True, "timeout": 60}
    if "fork" in script:
        # who keeps the pipe open is not waited for: only the end of `errdex run` is seen here
        with subprocess.Popen([*RUN, *job], env=env, stdout=subprocess.PIPE) as found:
            assert found.stdout is not None
            assert (found.stdout.read(), found.wait()) == (b"done\n", 0)
        return
    alone, under = (subprocess.run(command, check=False, **options) for command in (job, [*RUN, *job]))
    assert (under.returncode, under.stdout) == (alone.returncode, alone.stdout)
    assert under.stderr == alone.stderr


def test_both_streams_in_one_file_keep_their_order(env: dict[str, str], tmp_path: Path) -> None:
    with (tmp_path / "both").open("wb") as both:
        subprocess.run(
            [*RUN, sys.executable, "-c", JOBS["both streams"]],
            env=env,
            stdout=both,
            stderr=both,
            check=True,
            timeout=60,
        )
    assert (tmp_path / "both").read_text().split() == [str(number) for number in range(500)]


def test_a_reader_that_goes_away_ends_the_job(env: dict[str, str]) -> None:
    """As in `job | head -1`."""
    with subprocess.Popen([*RUN, "yes"], env=env, stdout=subprocess.PIPE) as found:
        assert found.stdout is not None
        assert found.stdout.readline() == b"y\n"
        found.stdout.close()
        assert found.wait(60) == -signal.SIGPIPE


TRAPS = """
import signal, sys, time
def told(number, _frame):
    print(signal.Signals(number).name, flush=True)
    if number == signal.SIGTERM: sys.exit(5)
for one in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGHUP): signal.signal(one, told)
print("ready", flush=True)
while True: time.sleep(60)
"""


def ignore_as_nohup_does() -> None:
    """Ignore what a job of the background that outlives its terminal begins with ignoring."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.parametrize("before", [None, ignore_as_nohup_does])
def test_signals_reach_the_job_once_and_one_that_it_ignores_ends_nothing(
    env: dict[str, str], before: Callable[[], None] | None
) -> None:
    with subprocess.Popen(
        [*RUN, sys.executable, "-c", TRAPS],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=before,  # noqa: PLW1509
    ) as found:
        assert found.stdout is not None
        assert found.stdout.readline() == "ready\n"
        for number in (signal.SIGUSR1, signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            found.send_signal(number)
            assert found.stdout.readline() == f"{number.name}\n"
        assert (found.stdout.read(), found.wait(60)) == ("", 5)


SHOWS = """
import os, sys
print(os.isatty(0), os.isatty(1), os.isatty(2), os.get_terminal_size(), flush=True)
sys.stderr.write("\\x1b[31mred\\x1b[0m\\r50%\\r100%\\n"); sys.stderr.flush()
print(input("name? "), flush=True)
try:
    print("waiting", flush=True)
    while True: sys.stdin.read(1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(9)
"""


def begin_on_terminal(terminal: int) -> None:
    """Make a terminal one's own, and take Ctrl-C from it whatever the tests were started with."""
    os.login_tty(terminal)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def on_a_terminal(command: list[str], env: dict[str, str]) -> tuple[bytes, int]:
    """What a terminal of 33 by 77 shows of a command to which somebody types a name and Ctrl-C, and its status."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (33, 77))
    job = subprocess.Popen(
        command,
        env=env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=lambda: begin_on_terminal(theirs),  # noqa: PLW1509
    )
    os.close(theirs)
    shown, typed = b"", [(b"name? ", b"Lin\n"), (b"waiting\r\n", b"\x03")]
    while True:
        assert select.select([ours], [], [], 60)[0], shown
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        shown += piece
        if typed and typed[0][0] in shown:
            os.write(ours, typed.pop(0)[1])
        if not piece:
            break
    os.close(ours)
    return shown, job.wait(60)


def test_on_a_terminal_it_looks_and_ends_as_without(env: dict[str, str]) -> None:
    """Colours, size, a question, Ctrl-C."""
    job = [sys.executable, "-c", SHOWS]
    alone, under = on_a_terminal(job, env), on_a_terminal([*RUN, *job], env)
    assert alone[1] == 9
    assert b"True True True os.terminal_size(columns=77, lines=33)" in alone[0]
    assert under == alone


def test_it_is_imported_where_there_are_no_terminals(env: dict[str, str], paste: Path) -> None:
    """As on Windows: the job runs between pipes."""
    code = (
        "import sys\nfor name in ('pty', 'fcntl', 'termios', 'tty', 'resource'): sys.modules[name] = None\n"
        "from errdex_client.command import main\nmain(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, "run", "--", sys.executable, "-c", FAILING, str(paste)]
    found = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (found.returncode, found.stdout, found.stderr) == (7, "", PASTE)


def test_an_exception_that_ends_a_program_is_answered_below_its_traceback(address: str, env: dict[str, str]) -> None:
    """Asked for by one call; without a server the traceback is all there is."""
    message = PASTE[PASTE.index("Cannot re-initialize CUDA") :].splitlines()[0]
    code = f"import errdex_client\nerrdex_client.install_excepthook()\nraise RuntimeError({message!r})"
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, env=env | {"ERRDEX_URL": address}, capture_output=True, text=True, check=False)
    trace, said = found.stderr.split(f"RuntimeError: {message}\n", 1)
    assert (found.returncode, SLUG in said) == (1, True)
    away = subprocess.run(command, env=env | {"ERRDEX_URL": NOWHERE}, capture_output=True, text=True, check=False)
    assert away.stderr == f"{trace}RuntimeError: {message}\n"


def test_pytest_explains_failures_only_when_told_to(address: str, env: dict[str, str], tmp_path: Path) -> None:
    test = "def test_it():\n    raise RuntimeError('Cannot re-initialize CUDA in forked subprocess')\n"
    (tmp_path / "test_job.py").write_text(test, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "errdex_client.pytest_plugin",
        "-p",
        "no:cacheprovider",
        str(tmp_path),
    ]
    for more, url, explained in (([], address, False), (["--errdex"], address, True), (["--errdex"], NOWHERE, False)):
        found = subprocess.run(
            [*command, *more], env=env | {"ERRDEX_URL": url}, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (found.returncode, SLUG in found.stdout) == (1, explained), found.stdout
