"""Each row of the table of error lines, by itself and in the middle of a long log; what must be no error."""

import pytest

from app.matching.parsing.error_lines import ErrorLine, error_lines, find, names_a_cause, needles, type_endings
from app.matching.parsing.parser import HEAD_LINES, TAIL_LINES, parse

ORDINARY = "step 12 of 400, loss 0.31\n" * 1_000
EXAMPLES = {row.name: row.example for row in error_lines()} | type_endings()
ERRORS = {row.name: row.example for row in error_lines() if row.pattern} | type_endings()
NO_ERRORS = [
    "the space left on device 2 is 40 GB",
    "curl: a tool for downloads",
    "Check failed runs on Monday",
    "all ranks exited on request",
    "the daemon answered: no error",
    "killed process 3 by hand",
    "step 12 of 400, loss 0.31",
    "grad_norm: 0.41",
    "the nanny of the finance department",
    "my kl nan what to do",
    "killed three birds",
    "test_shapes PASSED, nothing failed",
    "UserWarning: this is deprecated",
    "Iteration 12 done",
    "NCCL INFO Channel 00",
    "entropy: 1.5 nanoseconds",
    "0 of 5120 rows left to process",
    "10 of 512 rows left after the length filter",
    "kept 310 of 977 samples",
    "过滤后剩余 120 条",
    "还剩 0.5 小时",
    "3 tests passed, failed: 0",
    "= 0 failed, 1622 passed in 12.1s =",
    "FAIL: 0, PASS: 12",
    "src/rope.cu:14:5: warning: unused variable",
    "received SIGTERM, saving a checkpoint",
    "the panicky reader is calm",
    "trainer-0   1/1   Running   0   12m",
    "make[1]: Entering directory '/w'",
    "training! now! go!",
    "bash-5.1$ cat notes.txt",
    "nvcc: NVIDIA (R) Cuda compiler driver",
    "CUDA initialization: 0.8 s",
    "wandb: WARNING the run is offline",
    "checking whether space is left on device",
    "connected to GCS at 10.0.0.4:6379",
    "Readiness probe failed: the server is still loading",
    '{"error": null, "detail": ""}',
    '{"error": "", "tokens": 12}',
    "physics engine: PhysX 5, GPU dynamics on",
    "NVRM: loading NVIDIA UNIX x86_64 Kernel Module",
    "EXT4-fs (nvme0n1p2): mounted filesystem with ordered data mode",
]


@pytest.mark.parametrize("name", ERRORS)
def test_the_example_of_a_row_is_an_error(name: str) -> None:
    assert [message.text for message in parse(ERRORS[name]).errors] == [ERRORS[name]]


@pytest.mark.parametrize("name", EXAMPLES)
def test_in_the_middle_of_a_long_log_the_example_is_read_as_it_is_alone(name: str) -> None:
    assert ORDINARY.count("\n") > HEAD_LINES + TAIL_LINES
    alone = parse(EXAMPLES[name]).messages
    long = parse(f"{ORDINARY}{EXAMPLES[name]}\n\n{ORDINARY}")
    found = [message for message in long.messages if message.line == ORDINARY.count("\n") + 1]
    assert [(one.text, one.kind, one.type, one.role) for one in found] == [
        (one.text, one.kind, one.type, one.role) for one in alone
    ]


@pytest.mark.parametrize("row", error_lines(), ids=lambda row: row.name)
def test_a_row_fits_its_example_by_a_needle_without_digits(row: ErrorLine) -> None:
    assert row.pattern is None or row.fits(row.example)
    assert any(needle in row.example for needle in row.needles)
    assert not any(letter.isdigit() for needle in row.needles for letter in needle)
    assert names_a_cause(row.example) == row.names_a_cause


def test_a_needle_that_another_stands_in_is_not_looked_for() -> None:
    assert "rror" in needles()
    assert not {"Error", "us error", "error: "} & set(needles())


@pytest.mark.parametrize(
    "line",
    [
        "kept 0 of 977 samples",
        "tar: w.tar: Cannot write: No space left on device",
        "./server: symbol lookup error: ./libx.so: undefined symbol: bar",
        "ptxas error   : Entry function uses too much shared data",
        "Error response from daemon: Conflict.",
        "wget: unable to resolve host address 'files.lab'",
        "cuda_check.h:88] Check failed: e == cudaSuccess (2 vs. 0)",
        "SUMMARY: ThreadSanitizer: data race main.cc:4",
        "src\\main.cpp(12,3): error C2065: 'x': undeclared identifier",
        "error[E0382]: borrow of moved value: `x`",
        "fatal: not a git repository (or any of the parent directories): .git",
        "bash: nvidia-smi: command not found",
        "./run.sh: Permission denied",
        "panic: assignment to entry in nil map",
        "double free or corruption (out)",
        "*** SIGSEGV (@0x0) received by PID 411; stack trace: ***",
        "trainer-0   0/1   CrashLoopBackOff   4   3m",
        "E: Unable to locate package libnccl2",
        "0 rows remain after filtering by length",
        "过滤后只剩 0 条",
        "encoding failed: the pad token has no id",
        "row 3: parse failed: unbalanced bracket",
        "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 7",
        "WARNING: Nan, Inf or huge value in QACC at DOF 0. The simulation is unstable.",
        "Failed: Cuda error csrc/pool.cu:12 'invalid argument'",
        "ptxas fatal   : Unresolved extern function 'f'",
        "tar: shard-07.tar: Cannot write: No space left on device",
        "bash: fork: retry: Resource temporarily unavailable",
        "slurmstepd: error: Detected 2 oom_kill events in StepId=7.0. Some of the step tasks have been OOM Killed.",
        '{"detail": "the adapter is not loaded"}',
    ],
)
def test_a_line_that_names_a_cause_without_a_type_is_one(line: str) -> None:
    assert parse(line).cause is not None
    assert names_a_cause(line)


@pytest.mark.parametrize("line", NO_ERRORS)
def test_an_ordinary_line_is_no_error(line: str) -> None:
    assert find(line, "", False) is None


def test_a_metric_that_is_no_number_is_the_cause_however_it_is_printed() -> None:
    for metric in ("grad_norm: nan", "grad_norm: np.float64(nan)", "entropy: NaN", "actor/kl nan", "'kl': nan"):
        cause = parse(f"{metric}\nRuntimeError: boom\n").cause
        assert cause is not None, metric
        assert cause.text == metric


def test_a_log_line_is_not_taken_for_the_rest_of_an_error() -> None:
    for line in ("verl.trainer - INFO - saved", "verl.trainer:fit:12 - saved", "INFO:verl:saved", "info: saved"):
        errors = parse(f"RuntimeError: CUDA out of memory\n{line}\n").errors
        assert [error.text for error in errors] == ["RuntimeError: CUDA out of memory"]
